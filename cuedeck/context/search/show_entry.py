"""Text of a ledger entry by address: `decision:ID`, `attempt:ID`, `session:ID`,
`record:ID`, `experience:ID`, `statement:ID`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from cuedeck.engine.open_session import find_session
from cuedeck.knowledge.memory.list_records import record_row
from cuedeck.ledger.assumptions.assumption_state import UNKNOWN
from cuedeck.ledger.experiences.experience_repository import answer_of, experiences_in
from cuedeck.ledger.ledger_state import fold
from cuedeck.ledger.records.long_memory_file import long_memory_facts
from cuedeck.ledger.records.memory_profiles import memory_of
from cuedeck.ledger.records.record_lookup import Found, file_names
from cuedeck.ledger.statements.statement_files import StatementFiles
from cuedeck.ledger.supersession import superseded
from cuedeck.model.errors import Invalid
from cuedeck.model.formatting import quoted
from cuedeck.model.paths import ASSUMPTIONS, SESSIONS, ledger_path
from cuedeck.work.assumptions.assumption_answers import assumption_row
from cuedeck.work.assumptions.evaluate_checks import read_states
from cuedeck.work.assumptions.load_assumptions import read_assumptions

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.model.memory_record import Record

Shown = tuple[str, int, Mapping[str, Any]]
"""Path, line and fields of an entry."""


def show_entry(workspace: Workspace, kind: str, identity: str) -> tuple[str, int, str]:
    """Return path, line and masked text of an existing entry. Raises: Invalid for an
    entry labelled secret.
    """
    path, line, text = entry_text(workspace, kind, identity)
    return path, line, workspace.answer_mask().plain(text)


def entry_text(workspace: Workspace, kind: str, identity: str) -> tuple[str, int, str]:
    """Return path, line and text of an existing entry, without masking.

    Raises: Invalid for an entry labelled secret, LookupError or StopIteration if it no
    longer exists.
    """
    path, line, fields = _SHOW[kind](workspace, identity)
    rows = []
    for name, value in fields.items():
        if value not in (None, "", [], {}):
            rows.append(f"{name}: {_field_text(value)}\n")
    return path, line, "".join(rows)


_INTERNAL = ("proof",)
"""Fields that only checks of citations read."""


def _entry_of(ledger: str) -> Callable[[Workspace, str], Shown]:
    def show(workspace: Workspace, identity: str) -> Shown:
        entries = workspace.ledgers.read(ledger).entries
        line = next(entry.line for entry in entries if entry.id == identity)
        fields = fold(entries)[identity]
        return (
            ledger_path(ledger),
            line,
            {name: value for name, value in fields.items() if name not in _INTERNAL},
        )

    return show


def _session(workspace: Workspace, identity: str) -> Shown:
    """Return the parts of a session that describe its work.

    Times of access, hashes and the state of the last scene are left out, because a
    scene that shows them never settles.
    """
    session = find_session(workspace, identity)
    used = []
    for path, each in session.working_set.items():
        used.append(f"{path} ({each.role})")
    fields = {
        "id": session.id,
        "title": session.title,
        "status": session.status,
        "card": session.card,
        "created": session.created_at,
        "workflow": session.workflow,
        "branch": session.branch,
        "notes": [note.text for note in session.notes],
        "progress": [f"{item.state}: {item.text}" for item in session.progress],
        "next": session.next,
        "decisions": [
            f"decision:{each.id} {each.title}" for each in session.decisions if each.id
        ],
        "attempts": [f"attempt:{each}" for each in session.attempts],
        "checkpoints": [each.text for each in session.checkpoints if each.text],
        "files": used,
    }
    return f"{SESSIONS}/{identity}.json", 1, fields


def _assumption(workspace: Workspace, identity: str) -> Shown:
    """Return an assumption with its state in the ledger."""
    found = read_assumptions(workspace)
    items = found.items if found else ()
    assumption = next(each for each in items if each.id == identity)
    state = read_states(workspace).get(identity, UNKNOWN)
    row = assumption_row(assumption, state)
    return ASSUMPTIONS, assumption.line, row


def _record(workspace: Workspace, identity: str) -> Shown:
    record, name = find_record(workspace, identity)
    if record.is_secret:
        raise Invalid(
            f"record `{identity}` has the sensitivity secret",
            hint=f"cuedeck memory show {quoted(identity)} --allow-secret",
        )
    memory = memory_of(workspace)
    replaced = superseded(memory.primary.records)
    row = record_row(memory, Found(record, (name,)), replaced)
    return row.pop("path"), row.pop("line"), row


def find_record(workspace: Workspace, identity: str) -> tuple[Record, str]:
    """Return the first record or fact with an id, and the name of its file. Raises:
    LookupError if there is none.
    """
    memory = memory_of(workspace)
    for name in file_names(memory):
        for record in memory.read(name).records:
            if record.id == identity:
                return record, name
    for fact in long_memory_facts(memory):
        if fact.id == identity:
            return fact, memory.long_memory
    raise LookupError(identity)


def _experience(workspace: Workspace, identity: str) -> Shown:
    experience = next(each for each in experiences_in(workspace) if each.id == identity)
    if experience.is_secret:
        hint = f"its source is record:{experience.record}"
        raise Invalid(f"experience `{identity}` has the sensitivity secret", hint=hint)
    return ledger_path("experiences"), experience.line, answer_of(experience)


def _statement(workspace: Workspace, identity: str) -> Shown:
    path, row = StatementFiles(workspace.paths).find(identity)
    return path, row.line, row.value


_SHOW: Mapping[str, Callable[[Workspace, str], Shown]] = {
    "decision": _entry_of("decisions"),
    "attempt": _entry_of("attempts"),
    "assumption": _assumption,
    "session": _session,
    "record": _record,
    "experience": _experience,
    "statement": _statement,
}


def _field_text(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return "; ".join(value)
    return json.dumps(value, ensure_ascii=False)
