"""Lookup of ledger entries by address: `decision:ID`, `attempt:ID`, `session:ID`, `record:ID`, `experience:ID`."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from cuedeck.model.display import quoted
from cuedeck.model.errors import ConfigurationError, Invalid
from cuedeck.model.paths import SESSIONS, ledger_path
from cuedeck.records.ledger_state import fold

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace
    from cuedeck.model.experience import Experience

Shown = tuple[str, int, Mapping[str, Any]]
"""Path, line and fields of an entry."""


class _Ledger(NamedTuple):
    """Lookup functions for the entries of one kind."""

    ids: Callable[[Workspace, str], Sequence[str]]
    """Returns the ids that begin with a prefix, oldest first."""
    show: Callable[[Workspace, str], Shown]


def entry_ids(project: Workspace, kind: str, start: str) -> Sequence[str]:
    """Return the ids of a kind of entry that begin with `start`; empty for an unknown kind. Raises: StorageError."""
    return _LEDGERS[kind].ids(project, start) if kind in _LEDGERS else ()


def show_entry(project: Workspace, kind: str, identity: str) -> tuple[str, int, str]:
    """Return path, line and masked text of an existing entry. Raises: Invalid for an entry labelled secret."""
    path, line, fields = _LEDGERS[kind].show(project, identity)
    text = "".join(f"{name}: {_said(value)}\n" for name, value in fields.items() if value not in (None, "", [], {}))
    return path, line, project.answer_mask().plain(text)


def _of_file(name: str) -> _Ledger:
    def ids(project: Workspace, start: str) -> Sequence[str]:
        return [each for each in project.ledgers.derive(name, fold) if each.startswith(start)]

    def show(project: Workspace, identity: str) -> Shown:
        entries = project.ledgers.read(name).entries
        line = next(entry.line for entry in entries if entry.id == identity)
        return ledger_path(name), line, fold(entries)[identity]

    return _Ledger(ids, show)


def _sessions(project: Workspace, start: str) -> Sequence[str]:
    return [each for each in project.sessions.ids() if each.startswith(start)]


def _session(project: Workspace, identity: str) -> Shown:
    from cuedeck.app.sessions.list_sessions import show_session

    return f"{SESSIONS}/{identity}.json", 1, show_session(project, identity)


def _records(project: Workspace, start: str) -> Sequence[str]:
    from cuedeck.app.memory.memory_snapshot import record_ids

    return record_ids(project, start)


def _record(project: Workspace, identity: str) -> Shown:
    from cuedeck.app.memory.list_records import record_row
    from cuedeck.app.memory.memory_profiles import memory_of
    from cuedeck.app.memory.record_lookup import Found, file_names
    from cuedeck.records.supersession import superseded

    memory = memory_of(project)
    known = ((record, name) for name in file_names(memory) for record in memory.read(name).records)
    record, name = next((record, name) for record, name in known if record.id == identity)
    if record.is_secret:
        raise Invalid(
            f"record `{identity}` has the sensitivity secret",
            hint=f"cuedeck memory show {quoted(identity)} --allow-secret",
        )
    row = record_row(memory, Found(record, (name,)), superseded(memory.primary.records))
    return row.pop("path"), row.pop("line"), row


def _known_experiences(project: Workspace) -> Sequence[Experience]:
    from cuedeck.app.experiences.experience_repository import held_of
    from cuedeck.app.memory.memory_profiles import memory_of

    try:
        return held_of(memory_of(project)).read().experiences
    except ConfigurationError:  # they are outside the workspace; `doctor` reports it
        return ()


def _experiences(project: Workspace, start: str) -> Sequence[str]:
    return [each.id for each in _known_experiences(project) if each.id.startswith(start)]


def _experience(project: Workspace, identity: str) -> Shown:
    from cuedeck.app.experiences.experience_repository import answer_of

    found = next(each for each in _known_experiences(project) if each.id == identity)
    if found.is_secret:
        raise Invalid(
            f"experience `{identity}` has the sensitivity secret", hint=f"its source is record:{found.record}"
        )
    return ledger_path("experiences"), found.line, answer_of(found)


_LEDGERS = {
    "decision": _of_file("decisions"),
    "attempt": _of_file("attempts"),
    "session": _Ledger(_sessions, _session),
    "record": _Ledger(_records, _record),
    "experience": _Ledger(_experiences, _experience),
}


def _said(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return "; ".join(value)
    return json.dumps(value, ensure_ascii=False)
