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
    from cuedeck.model.memory_record import Record
    from cuedeck.store.memory.memory_files import MemoryFiles

Shown = tuple[str, int, Mapping[str, Any]]
"""Path, line and fields of an entry."""


def show_entry(workspace: Workspace, kind: str, identity: str) -> tuple[str, int, str]:
    """Return path, line and masked text of an existing entry. Raises: Invalid for an entry labelled secret."""
    path, line, fields = _SHOW[kind](workspace, identity)
    given = {name: value for name, value in fields.items() if value not in (None, "", [], {})}
    text = "".join(f"{name}: {_field_text(value)}\n" for name, value in given.items())
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
    record, name = _find_record(memory, identity)
    if record.is_secret:
        raise Invalid(
            f"record `{identity}` has the sensitivity secret",
            hint=f"cuedeck memory show {quoted(identity)} --allow-secret",
        )
    row = record_row(memory, Found(record, (name,)), superseded(memory.primary.records))
    return row.pop("path"), row.pop("line"), row


def _find_record(memory: MemoryFiles, identity: str) -> tuple[Record, str]:
    """Return the first record with an id, and the name of its file. Raises: LookupError if there is none."""
    for name in file_names(memory):
        for record in memory.read(name).records:
            if record.id == identity:
                return record, name
    raise LookupError(identity)


def _experience(workspace: Workspace, identity: str) -> Shown:
    experience = next(each for each in experiences_in(workspace) if each.id == identity)
    if experience.is_secret:
        hint = f"its source is record:{experience.record}"
        raise Invalid(f"experience `{identity}` has the sensitivity secret", hint=hint)
    return ledger_path("experiences"), experience.line, answer_of(experience)


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
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return "; ".join(value)
    return json.dumps(value, ensure_ascii=False)
