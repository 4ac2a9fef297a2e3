"""JSON codec of the state kept for one agent session of a host.

`shells/hook/fast_path.py` reads the same JSON without importing this module.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from cuedeck.model.agent_session import Given, HostSession, Shown, Touched
from cuedeck.model.hook_event import SCHEMA


def parse_host_session(data: bytes, host: str) -> HostSession:
    """Parse the state file of an agent session; return an empty state if it is
    malformed or of another schema.
    """
    try:
        value = json.loads(data)
        if value["schema"] != SCHEMA:
            return HostSession(host)
        return HostSession(
            host=host,
            given=_given(value["given"]),
            compacted=value["compacted"] is True,
            recalled=tuple(map(str, value["recalled"])),
            asks=value["asks"] is True,
            progress_at=float(value["progressAt"]),
            turn=str(value["turn"]),
            touched={
                str(path): Touched(role, mark)
                for path, (role, mark) in value["touched"].items()
            },
            prints=dict(value["prints"]),
            ended=value["ended"] is True,
            compression=str(value["compression"]),
            recovered=value["recovered"] is True,
        )
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return HostSession(host)


def format_host_session(session: HostSession) -> bytes:
    """Return the content of the state file."""
    value = {
        "schema": SCHEMA,
        "host": session.host,
        "given": session.given and session.given._asdict(),
        "compacted": session.compacted,
        "recalled": session.recalled,
        "asks": session.asks,
        "progressAt": session.progress_at,
        "turn": session.turn,
        "touched": session.touched,
        "prints": session.prints,
        "ended": session.ended,
        "compression": session.compression,
        "recovered": session.recovered,
    }
    return json.dumps(value, separators=(",", ":")).encode()


def _given(value: Mapping[str, Any] | None) -> Given | None:
    if value is None:
        return None
    files = {
        str(path): Shown(str(tier), str(hash_))
        for path, (tier, hash_) in value["files"].items()
    }
    ids = (tuple(map(str, value[name])) for name in ("decisions", "assumptions"))
    return Given(str(value["receipt"]), str(value["card"]), files, *ids)
