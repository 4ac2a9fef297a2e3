"""Doctor checks of cards: real defects, and cards that older tools wrongly reported."""

from __future__ import annotations

from typing import Any


def test_an_unknown_priority_and_a_foreign_id_are_warnings(place: Any) -> None:
    """Pins that the first doctor did not check the values of `status`."""
    place.card("abc123", "status: dnoe", "priority: URGENT", "id: other1")
    assert [(each.level, each.line, each.code) for each in place.found()] == [
        ("warning", 3, "unknown-status"),
        ("warning", 4, "unknown-priority"),
        ("warning", 5, "card-id"),
    ]


def test_an_ambiguous_dependency_names_its_candidates(place: Any) -> None:
    place.card("abc123")
    place.card("abc124")
    place.card("zzz999", "depends_on: [abc]")
    (only,) = place.found("depends-on")
    assert (only.level, only.code) == ("error", "ambiguous-dependency")
    assert ".cuedeck/cards/abc123.md, .cuedeck/cards/abc124.md" in only.hint


def test_an_active_card_that_is_done_is_a_warning(place: Any) -> None:
    place.card("abc123", "status: done")
    place.write(".cuedeck/active", "abc123\n")
    assert [(each.level, each.code) for each in place.found()] == [
        ("warning", "closed-active")
    ]


def test_a_pointer_to_no_card_names_the_nearest(place: Any) -> None:
    place.card("abc123")
    place.write(".cuedeck/active", "abc124\n")
    (only,) = place.found()
    assert "did you mean `abc123`?" in only.hint


def test_a_pointer_to_a_doc_is_an_error(place: Any) -> None:
    place.write("notes.md", "# Notes\n")
    place.write(".cuedeck/active", "notes\n")
    assert [(each.level, each.code) for each in place.found()] == [
        ("error", "bad-active")
    ]


def test_a_pointer_means_the_card_before_a_doc_of_its_name(place: Any) -> None:
    """Pins that the doctor took it for ambiguous where `scene` took the card."""
    place.card("abc123", "title: login")
    place.write("docs/login.md", "# Login\n")
    place.write(".cuedeck/active", "login\n")
    assert place.found() == []


def test_several_active_cards_need_a_pointer(place: Any) -> None:
    place.card("abc123", "status: active")
    place.card("abc124", "status: active")
    assert [(each.level, each.code) for each in place.found()] == [
        ("warning", "several-active")
    ]
    place.write(".cuedeck/active", "abc123\n")
    assert place.found() == []


def test_a_pointer_that_is_a_folder_is_an_error(place: Any) -> None:
    place.write(".cuedeck/active/x", "")
    assert [(each.level, each.code) for each in place.found("active")] == [
        ("error", "bad-active")
    ]


def test_strays_near_a_known_name_are_warnings_and_others_notes(place: Any) -> None:
    place.write(".cuedeck/confg.toml", "")
    place.write(".cuedeck/roles/a.md", "# A\n")
    place.write(".cuedeck/.DS_Store", b"\0")
    place.write(".cuedeck/cards/.gitkeep", "")
    place.write(".cuedeck/cards/notes.txt", "x\n")
    place.write(".cuedeck/cards/ABC.MD", "# A\n")
    assert [(each.level, each.path, each.code) for each in place.found("strays")] == [
        ("warning", ".cuedeck/cards/ABC.MD", "no-card"),
        ("warning", ".cuedeck/confg.toml", "stray"),
        ("info", ".cuedeck/cards/notes.txt", "no-card"),
        ("info", ".cuedeck/roles", "stray"),
    ]
