"""Experiences under headings."""

from __future__ import annotations

from cuedeck.records.experiences.groups import group

ROWS = [("a", "user-preference", "s1"), ("b", "note", ""), ("c", "user-preference", "s2"), ("d", "ops", "s1")]


def test_a_category_says_what_its_experiences_are_about() -> None:
    found = group(ROWS, "category")
    assert [(each.title, each.ids) for each in found] == [
        ("Experiences about preferences", ("a", "c")),
        ("Experiences about notes", ("b",)),
        ("Experiences about ops", ("d",)),
    ]


def test_sessions_stand_in_the_order_in_which_they_are_met() -> None:
    assert [each.title for each in group(ROWS, "session")] == [
        "Experiences of session s1",
        "Experiences of no session",
        "Experiences of session s2",
    ]
