"""Experiences grouped by category or session."""

from __future__ import annotations

from typing import Any

from desk import Desk

from cuedeck.app.experiences.add_experience import add_experience
from cuedeck.app.experiences.query_experiences import list_experiences
from cuedeck.app.memory.memory_profiles import memory_of


def groups(desk: Desk, by: str) -> list[tuple[str, int]]:
    workspace = desk.workspace()
    memory = memory_of(workspace)
    rows: tuple[dict[str, Any], ...] = (
        {"text": "Prefers the dark theme", "category": "user-preference", "session": "s1"},
        {"text": "The parser of dates is slow", "session": "s2"},
        {"text": "Prefers short answers in German", "category": "user-preference", "session": "s2"},
    )
    for row in rows:
        add_experience(workspace, memory, **row)
    return [(group["title"], len(group["ids"])) for group in list_experiences(memory, by=by)["groups"]]


def test_groups_by_category_have_a_title(desk: Desk) -> None:
    assert groups(desk, "category") == [("Experiences about preferences", 2), ("Experiences about notes", 1)]


def test_groups_by_session_are_in_the_order_of_their_first_row(desk: Desk) -> None:
    assert groups(desk, "session") == [("Experiences of session s1", 1), ("Experiences of session s2", 2)]
