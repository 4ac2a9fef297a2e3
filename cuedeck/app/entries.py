"""An entry of a ledger by its address: `decision:ID`, `attempt:ID`, `session:ID`."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from cuedeck.memory.fold import fold
from cuedeck.store.workspace import SESSIONS, ledger_path

if TYPE_CHECKING:
    from cuedeck.app.project import Project


def show_entry(project: Project, kind: str, identity: str) -> tuple[str, int, str]:
    """Return path and line of an entry that is known, and what it says, secrets masked."""
    path, line, fields = _SHOWN[kind](project, identity)
    text = "".join(f"{name}: {_said(value)}\n" for name, value in fields.items() if value not in (None, "", [], {}))
    return path, line, project.mask().plain(text)


def _of_ledger(name: str) -> Callable[[Project, str], tuple[str, int, Mapping[str, Any]]]:
    def read(project: Project, identity: str) -> tuple[str, int, Mapping[str, Any]]:
        entries = project.ledgers.read(name).entries
        line = next(entry.line for entry in entries if entry.id == identity)
        return ledger_path(name), line, fold(entries)[identity]

    return read


def _session(project: Project, identity: str) -> tuple[str, int, Mapping[str, Any]]:
    from cuedeck.app.sessions.listing import show_session

    return f"{SESSIONS}/{identity}.json", 1, show_session(project, identity)


_SHOWN = {"decision": _of_ledger("decisions"), "attempt": _of_ledger("attempts"), "session": _session}


def _said(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return "; ".join(value)
    return json.dumps(value, ensure_ascii=False)
