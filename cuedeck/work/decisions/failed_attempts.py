"""Failed attempts: add one, list them by the addresses they concern."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from cuedeck.engine.mask_answers import mask_given
from cuedeck.ledger.citation_freshness import mark
from cuedeck.ledger.decisions.attempt_log import read_attempts
from cuedeck.ledger.decisions.decision_text import attempt_line
from cuedeck.model.errors import Invalid, UsageError
from cuedeck.model.ids import new_id
from cuedeck.store.files.disk import read_bytes
from cuedeck.work.decisions.citations import (
    CitationFilter,
    cite,
    freshness_of,
    hash_now,
    head_now,
)
from cuedeck.work.decisions.decision_repository import taken_ids
from cuedeck.work.decisions.provenance import origin
from cuedeck.work.sessions.sync_scene import sync_session

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.model.attempt import Attempt
    from cuedeck.model.ledger_entry import LedgerEntry

NAME = "attempts"
MOST_ERROR = 4_000
"""Maximal number of characters kept of an error, from its end."""
_SEARCHED_ERROR = 200_000
"""Number of characters of an error, from its end, in which secrets are masked before it
is truncated.
"""

_EXAMPLE = 'cuedeck attempt add --on src/auth.py --tried "WHAT" --failed "HOW"'


class NewAttempt(NamedTuple):
    """Values of a new attempt as the user gives them."""

    on: tuple[str, ...]
    tried: str
    failed: str
    error: str = ""
    card: str = ""


def add_attempt(workspace: Workspace, wanted: NewAttempt) -> dict[str, Any]:
    """Append a failed attempt to the ledger; return its JSON, with warnings about
    unresolved addresses.

    Raises: Invalid without an address, the action or the failure; Ambiguous. Nothing is
    written then.
    """
    tried = wanted.tried.strip()
    failed = wanted.failed.strip()
    if not tried or not failed:
        raise Invalid("an attempt needs --tried and --failed", hint=_EXAMPLE)
    if not wanted.on:
        raise Invalid("an attempt needs --on", hint=_EXAMPLE)
    workspace.refresh()
    cited = cite(workspace, wanted.on)
    head = head_now(workspace.paths.root)
    values = {
        "on": list(cited.addresses),
        "tried": tried,
        "failed": failed,
        "error": wanted.error[-_SEARCHED_ERROR:],
        **origin(workspace, wanted.card),
    }
    values, proved = mask_given((values, list(cited.proof)), workspace)
    values["error"] = values["error"][-MOST_ERROR:]
    proof = dict(zip(proved, cited.proof.values(), strict=True))

    def make(entries: Sequence[LedgerEntry], now: str) -> list[dict[str, object]]:
        identity = new_id(
            f"{tried}\0{time.time_ns()}".encode(), taken_ids(entries).__contains__
        )
        fields = {
            "id": identity,
            "timestamp": now,
            **values,
            "commit": head,
            "proof": proof,
        }
        return [{key: value for key, value in fields.items() if value}]

    (row,) = workspace.ledgers.append(NAME, make)
    sync_session(workspace)
    return {
        "id": row["id"],
        "warnings": list(cited.warnings),
        "on": row.get("on"),
        "tried": row.get("tried"),
        "failed": row.get("failed"),
        "card": row.get("card"),
        "session": row.get("session"),
    }


def read_error(place: str) -> str:
    """Return the text of a file with error output. Raises: UsageError if it does not
    exist, StorageError.
    """
    data = read_bytes(place)
    if data is None:
        raise UsageError(
            f"file not found: {place}",
            hint="--error takes an existing file, or `-` for stdin",
        )
    return data.decode("utf-8", "replace")


def list_attempts(workspace: Workspace, on: str | None = None) -> dict[str, Any]:
    """Return the failed attempts, newest last; with `on` those on an address that
    equals, contains or is part of it.
    """
    workspace.refresh()
    log = workspace.ledgers.read(NAME)
    attempts = read_attempts(log.entries)
    if on is not None:
        citing = CitationFilter(workspace, on)
        attempts = tuple(each for each in attempts if citing.matches(each.on))
    head = head_now(workspace.paths.root)
    hash_of_address = partial(hash_now, workspace)
    rows = [_row(each, head, hash_of_address) for each in attempts]
    return {"attempts": rows, "problems": [fault._asdict() for fault in log.faults]}


def _row(
    attempt: Attempt, head: str, hash_of_address: Callable[[str], str]
) -> dict[str, Any]:
    found = freshness_of(attempt, attempt.on, head, hash_of_address)
    return {
        "id": attempt.id,
        "timestamp": attempt.timestamp,
        "on": list(attempt.on),
        "tried": attempt.tried,
        "failed": attempt.failed,
        "error": attempt.error or None,
        "card": attempt.card or None,
        "session": attempt.session or None,
        "commit": attempt.commit or None,
        "freshness": [each._asdict() for each in found],
        "mark": mark(found),
        "line": attempt_line(attempt),
    }
