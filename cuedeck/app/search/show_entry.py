"""Text of a ledger entry by address: `decision:ID`, `attempt:ID`, `session:ID`, `record:ID`, `experience:ID`."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from cuedeck.app.experiences.experience_repository import answer_of, experiences_in
from cuedeck.app.memory.list_records import record_row
from cuedeck.app.memory.memory_profiles import memory_of
from cuedeck.app.memory.record_lookup import Found, file_names
from cuedeck.app.sessions.list_sessions import show_session
from cuedeck.model.display import quoted
from cuedeck.model.errors import Invalid
from cuedeck.model.paths import SESSIONS, ledger_path
from cuedeck.records.ledger_state import fold
from cuedeck.records.supersession import superseded

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace

Shown = tuple[str, int, Mapping[str, Any]]
"""Path, line and fields of an entry."""


def show_entry(workspace: Workspace, kind: str, identity: str) -> tuple[str, int, str]:
    """Return path, line and masked text of an existing entry. Raises: Invalid for an entry labelled secret."""
    path, line, fields = _SHOW[kind](workspace, identity)
    text = "".join(
        f"{name}: {_field_text(value)}\n" for name, value in fields.items() if value not in (None, "", [], {})
    )
    return path, line, workspace.answer_mask().plain(text)


def _entry_of(ledger: str) -> Callable[[Workspace, str], Shown]:
    def show(workspace: Workspace, identity: str) -> Shown:
        entries = workspace.ledgers.read(ledger).entries
        line = next(entry.line for entry in entries if entry.id == identity)
        return ledger_path(ledger), line, fold(entries)[identity]

    return show


def _session(workspace: Workspace, identity: str) -> Shown:
    return f"{SESSIONS}/{identity}.json", 1, show_session(workspace, identity)


def _record(workspace: Workspace, identity: str) -> Shown:
    memory = memory_of(workspace)
    known = ((record, name) for name in file_names(memory) for record in memory.read(name).records)
    record, name = next((record, name) for record, name in known if record.id == identity)
    if record.is_secret:
        raise Invalid(
            f"record `{identity}` has the sensitivity secret",
            hint=f"cuedeck memory show {quoted(identity)} --allow-secret",
        )
    row = record_row(memory, Found(record, (name,)), superseded(memory.primary.records))
    return row.pop("path"), row.pop("line"), row


def _experience(workspace: Workspace, identity: str) -> Shown:
    found = next(each for each in experiences_in(workspace) if each.id == identity)
    if found.is_secret:
        raise Invalid(
            f"experience `{identity}` has the sensitivity secret", hint=f"its source is record:{found.record}"
        )
    return ledger_path("experiences"), found.line, answer_of(found)


_SHOW: Mapping[str, Callable[[Workspace, str], Shown]] = {
    "decision": _entry_of("decisions"),
    "attempt": _entry_of("attempts"),
    "session": _session,
    "record": _record,
    "experience": _experience,
}


def _field_text(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return "; ".join(value)
    return json.dumps(value, ensure_ascii=False)
