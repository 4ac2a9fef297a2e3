"""A fact: what one old record said, or several that said the same."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

OTHER = "other"
"""Topic of what shares no word with enough others."""
HEARTBEAT = "heartbeat"
MOST_SOURCES = 6
"""What was said more often names the newest so many of its sources, and counts the others."""
ORDINARY = 2
VALUES = {"note": 3, "turn-summary": ORDINARY, HEARTBEAT: 0}
"""What a fact of a category is worth when not all can stay; others are ordinary."""

_STRICTNESS = ("public", "operational", "private-user", "secret")
_MORE = "+"


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that was said, with where it comes from."""

    text: str
    sources: tuple[str, ...]
    """Marks of the records that said it; the first is the one whose wording this is. At most `MOST_SOURCES`."""
    first: str
    """The days (`2026-11-21`, UTC) on which it was first and last said."""
    last: str
    sensitivity: str = ""
    """Empty in the long memory, which has none."""
    topic: str = ""
    sessions: tuple[str, ...] = ()
    """Where it, or others of its section, were said; `+3` counts those that are not named."""
    value: int = ORDINARY
    more: int = 0
    """Further sources that are not named."""
    is_joint: bool = False
    """True when somebody put into own words what several records say: without one of them it is not true any more."""


def by_time(fact: Fact) -> tuple[str, str, str]:
    """Return what puts facts into the order in which they were said, the newest last."""
    return fact.last, fact.first, fact.text


def strictest(labels: Iterable[str]) -> str:
    """Return the label that shows a text to the fewest."""
    return max(labels, key=lambda label: _STRICTNESS.index(label) if label in _STRICTNESS else len(_STRICTNESS))


def joined_sessions(groups: Iterable[tuple[str, ...]], room: int) -> tuple[str, ...]:
    """Return the names of several groups once each, as many as fit in `room` characters, and how many more."""
    names: dict[str, None] = {}
    more = 0
    for group in dict.fromkeys(groups):
        for name in group:
            if name.startswith(_MORE) and name[1:].isdecimal():
                more += int(name[1:])
            else:
                names[name] = None
    kept: list[str] = []
    for name in names:
        room -= len(name) + 1
        if room < 0:
            break
        kept.append(name)
    more += len(names) - len(kept)
    return (*kept, *([f"{_MORE}{more}"] if more else []))
