"""The summary sentence of a resume."""

from __future__ import annotations

from dataclasses import replace

from cuedeck.ledger.sessions.progress_items import last_action, next_action, summary
from cuedeck.model.session import Checkpoint, Chosen, Item, Note, Session

SESSION = Session("s", "2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z")


def at(minute: int) -> str:
    return f"2026-01-01T10:{minute:02}:00Z"


def test_summary_has_the_wording_of_the_strategy() -> None:
    session = replace(
        SESSION,
        notes=(Note("Added JWT middleware", at(1)),),
        next="Integrate with login endpoint.",
    )
    assert summary(session, "auth feature development") == (
        "Continuing auth feature development. Last action: Added JWT middleware. Next: Integrate with login endpoint."
    )


def test_session_without_entries_has_a_short_summary() -> None:
    assert summary(SESSION, "") == "Continuing s."
    assert summary(replace(SESSION, workflow="bug-fix"), "") == "Continuing bug-fix."


def test_last_action_is_the_newest_note_item_decision_or_file() -> None:
    session = replace(
        SESSION,
        notes=(Note("noted", at(1)),),
        progress=(Item("done it", "done", at(2)), Item("doing it", "doing", at(9))),
    )
    assert last_action(session) == "done it"
    session = replace(session, decisions=(Chosen("d", "Use bcrypt", at(3), 1),))
    assert last_action(session) == "Decided: Use bcrypt"
    started, seen = (
        Checkpoint(at(3), (), (), (), ()),
        Checkpoint(at(4), ("a.py", "b.py"), (), (), ()),
    )
    session = replace(session, checkpoints=(started, seen))
    assert last_action(session) == "wrote a.py, b.py"
    assert last_action(session, seen=False) == "Decided: Use bcrypt"
    session = replace(
        session,
        checkpoints=(
            started,
            seen,
            Checkpoint(at(5), ("a.py",), (), (), ("Fix login",)),
        ),
    )
    assert last_action(session) == "committed Fix login"


def test_written_files_count_only_without_a_note_since_the_last_checkpoint() -> None:
    points = (
        Checkpoint(at(0), (), (), (), ()),
        Checkpoint(at(2), ("a.py",), (), (), ()),
    )
    session = replace(
        SESSION, notes=(Note("told the two apart", at(1)),), checkpoints=points
    )
    assert last_action(session) == "told the two apart"
    session = replace(
        session, checkpoints=(*points, Checkpoint(at(4), ("b.py",), (), (), ()))
    )
    assert last_action(session) == "wrote b.py"
    assert last_action(replace(SESSION, checkpoints=points)) == "wrote a.py"


def test_next_action_is_noted_in_progress_or_open() -> None:
    todo = replace(
        SESSION, progress=(Item("first", "todo", at(1)), Item("second", "todo", at(2)))
    )
    assert next_action(todo) == "first"
    doing = replace(todo, progress=(*todo.progress, Item("third", "doing", at(3))))
    assert next_action(doing) == "third"
    message = replace(doing, next="Something else")
    assert next_action(message) == "Something else"


def test_finished_item_is_no_longer_next() -> None:
    session = replace(
        SESSION, next="Wire up login", progress=(Item("wire up login.", "done", at(1)),)
    )
    assert next_action(session) == ""
