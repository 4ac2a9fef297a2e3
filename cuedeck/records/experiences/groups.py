"""Experiences put together by category or session, under a heading that says what they are about."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

BY = ("category", "session")
_ABOUT = {
    "user-preference": "preferences",
    "learned": "what was learned",
    "decision": "decisions",
    "note": "notes",
    "turn-summary": "turns",
}


class Group(NamedTuple):
    """What belongs together."""

    name: str
    title: str
    ids: tuple[str, ...]


def group(rows: Iterable[tuple[str, str, str]], by: str) -> tuple[Group, ...]:
    """Put rows of id, category and session together. Order: of the first row of each."""
    found: dict[str, list[str]] = {}
    for identity, category, session in rows:
        found.setdefault(category if by == "category" else session, []).append(identity)
    return tuple(Group(name, _title(name, by), tuple(ids)) for name, ids in found.items())


def _title(name: str, by: str) -> str:
    if by == "category":
        return f"Experiences about {_ABOUT.get(name, name)}"
    return f"Experiences of session {name}" if name else "Experiences of no session"
