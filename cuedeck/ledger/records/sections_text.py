"""Sections of a compaction record: facts of one category under a head, `2026-11-01 to
2026-11-20, main: note`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from cuedeck.ledger.records.fact import OTHER, Fact, Item, fact_lines, joined_sessions

_DAY = r"\d{4}-\d\d-\d\d"
_HEAD = re.compile(rf"({_DAY})(?: to ({_DAY}))?(?:, (\S+(?: \S+)*?))?: (\S.*)")
_SESSIONS_ROOM = 60
"""Maximum characters of the session names in a head."""


class Head(NamedTuple):
    """The head line of a section."""

    first: str
    last: str
    sessions: tuple[str, ...]
    category: str


def parse_head(line: str) -> Head | None:
    """Parse the head line of a section; None for any other line."""
    found = _HEAD.fullmatch(line)
    if found is None:
        return None
    first, last, names, category = found.groups()
    sessions = tuple(names.split(" ")) if names else ()
    return Head(first, last or first, sessions, category)


def split_sections(lines: Sequence[str]) -> Iterator[tuple[Head | None, Sequence[str]]]:
    """Yield each section: its head and all its lines; lines before the first head come
    first, without a head.
    """
    section_head: Head | None = None
    start = 0
    for at, line in enumerate(lines):
        head = parse_head(line)
        if head is None:
            continue
        if at > 0:
            yield section_head, lines[start:at]
        section_head, start = head, at
    yield section_head, lines[start:]


def section_lines(
    items: Sequence[Item], sessions: Sequence[str], category: str
) -> list[str]:
    """Return the lines of a section that contains at least one fact."""
    facts = [item for item in items if isinstance(item, Fact)]
    first = min(fact.first for fact in facts)
    last = max(fact.last for fact in facts)
    head = first if first == last else f"{first} to {last}"
    names = " ".join(map(_name, sessions))
    if names:
        head += f", {names}"
    label = " ".join(category.split()) or OTHER
    return [f"{head}: {label}", *fact_lines(items, first, last)]


def sessions_of(facts: Sequence[Fact]) -> tuple[str, ...]:
    """Return the sessions named in the head of a section of these facts."""
    return joined_sessions((fact.sessions for fact in facts), _SESSIONS_ROOM)


def _name(session: str) -> str:
    """Return the name of a session as one word without characters that would end the
    head.
    """
    return re.sub(r"\s+", "_", session).rstrip(":,") or "_"
