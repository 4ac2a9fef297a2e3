"""Progress items: done, doing and to do."""

from __future__ import annotations

from cuedeck.ledger.sessions.progress_items import gather, line, record
from cuedeck.model.session import Item
from cuedeck.parse.card_file import Box


def record_items(*pairs: tuple[str, str]) -> tuple[Item, ...]:
    found: tuple[Item, ...] = ()
    for number, (state, text) in enumerate(pairs):
        found = record(found, text, state, f"t{number}")  # type: ignore[arg-type]
    return found


def test_marks_are_those_of_the_strategy() -> None:
    answer = gather(
        record_items(
            ("done", "Created user model"),
            ("done", "Added auth middleware"),
            ("todo", "Add password hashing"),
            ("doing", "Integrating with login endpoint"),
        ),
        (),
    )
    assert [line(each) for each in answer] == [
        "✅ Created user model",
        "✅ Added auth middleware",
        "⏳ Integrating with login endpoint",
        "⏹️ Need to: Add password hashing",
    ]


def test_moved_item_is_not_duplicated() -> None:
    found = record_items(
        ("todo", "Add password hashing"),
        ("doing", "add  password hashing."),
        ("done", "Add pass"),
    )
    assert [(each.text, each.state) for each in found] == [
        ("Add password hashing", "done")
    ]


def test_ambiguous_prefix_matches_no_item() -> None:
    found = record_items(
        ("todo", "Add hashing"), ("todo", "Add tests"), ("done", "Add")
    )
    assert [each.text for each in found] == ["Add hashing", "Add tests", "Add"]


def test_checked_box_is_done_and_a_command_overrides_an_empty_box() -> None:
    boxes = [Box("Model", True, 1), Box("Hashing", False, 2), Box("Docs", False, 3)]
    answer = gather(
        record_items(("doing", "model"), ("doing", "hashing"), ("todo", "More")), boxes
    )
    assert [(each.text, each.state) for each in answer] == [
        ("Model", "done"),
        ("Hashing", "doing"),
        ("Docs", "todo"),
        ("More", "todo"),
    ]
