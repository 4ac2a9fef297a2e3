"""Packing of facts into compaction records within a limit of records and characters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from cuedeck.ledger.records.compaction_record import SYSTEM, Digest, format_digest
from cuedeck.ledger.records.fact import OTHER, Fact, by_time, strictest
from cuedeck.ledger.records.sections_text import section_lines, sessions_of

LARGEST = 6_000
"""Maximum characters of a compaction record, unless the limit of records requires
longer ones.
"""
_OVERHEAD = 30
"""Approximate characters of a fact in addition to its text."""
_PASSES = 4
"""Maximum number of facts that are skipped because they do not fit, to try the
following ones.
"""


class Room(NamedTuple):
    """The number of records and characters available in a file."""

    records: int
    chars: int
    ending: str = ""
    r"""Line ending before the newline (`\r` or empty)."""


class Filled(NamedTuple):
    """The result of packing."""

    lines: tuple[str, ...]
    """Lines of the compaction records."""
    packed: list[Fact]
    left: list[Fact]
    """Facts that did not fit, in input order."""


def fill(ranked: Sequence[Fact], room: Room) -> Filled:
    """Pack as many facts as fit, in order; a fact that is too long is skipped."""
    packed: list[Fact] = []
    skipped: list[Fact] = []
    rest = list(ranked)
    lines = tuple[str, ...]()
    for _ in range(_PASSES):
        count, lines = _most_fitting(packed, rest, room, lines)
        packed += rest[:count]
        skipped += rest[count : count + 1]
        rest = rest[count + 1 :]
        if not rest:
            break
    return Filled(lines, packed, skipped + rest)


def _most_fitting(
    packed: list[Fact], rest: Sequence[Fact], room: Room, lines: tuple[str, ...]
) -> tuple[int, tuple[str, ...]]:
    """Return how many of `rest` fit together with `packed`, and the lines of all."""
    if room.records <= 0:
        return 0, lines
    free = room.chars - sum(len(fact.text) for fact in packed)
    low = 0
    high = max_fitting(rest, free)
    while low < high:
        middle = (low + high + 1) // 2
        attempt = _lines([*packed, *rest[:middle]], room)
        chars = sum(len(line) + 1 for line in attempt)
        if len(attempt) <= room.records and chars <= room.chars:
            low = middle
            lines = attempt
        else:
            high = middle - 1
    return low, lines


def max_fitting(facts: Sequence[Fact], chars: int) -> int:
    """Return an upper bound of the facts that fit: their number if only their texts
    took space.
    """
    for number, fact in enumerate(facts):
        chars -= len(fact.text)
        if chars < 0:
            return number
    return len(facts)


def _lines(facts: Sequence[Fact], room: Room) -> tuple[str, ...]:
    labels = sorted({fact.sensitivity for fact in facts})
    if len(labels) > room.records:
        label = strictest(labels)
        facts = [replace(fact, sensitivity=label) for fact in facts]
        labels = [label]
    # If only few records are allowed, each must be longer.
    total = 2 * sum(len(fact.text) + _OVERHEAD for fact in facts)
    largest = max(LARGEST, total // max(1, room.records - len(labels)))
    lines: list[str] = []
    for label in labels:
        labelled = [fact for fact in facts if fact.sensitivity == label]
        for digest in digests(labelled, largest):
            lines.append(format_digest(digest) + room.ending)
    return tuple(lines)


def digests(facts: Sequence[Fact], largest: int) -> Iterator[Digest]:
    """Yield the compaction records for facts of one sensitivity.

    Order: chronological, with each category in one record if it fits.
    """
    members: list[Fact] = []
    texts: list[str] = []
    for section in _sections(facts, largest):
        lines = section_lines(section, section[0].sessions, section[0].category)
        text = "\n".join(lines)
        chars = sum(map(len, texts)) + len(texts) + len(text)
        if texts and chars > largest:
            yield _digest(members, texts)
            members = []
            texts = []
        members += section
        texts.append(text)
    if texts:
        yield _digest(members, texts)


def _sections(facts: Sequence[Fact], largest: int) -> Iterator[list[Fact]]:
    """Yield the facts of each category in chronological order, split if long."""
    categories: dict[str, list[Fact]] = {}
    for fact in sorted(facts, key=by_time):
        categories.setdefault(fact.category or OTHER, []).append(fact)
    last_days = []
    for category, members in categories.items():
        last_days.append((members[-1].last, category))
    for _, category in sorted(last_days):
        members = categories[category]
        # Each part of a category names the sessions of the whole category.
        sessions = sessions_of(members)
        named = [replace(fact, sessions=sessions) for fact in members]
        yield from _pieces(named, largest)


def _pieces(facts: Sequence[Fact], largest: int) -> Iterator[list[Fact]]:
    piece: list[Fact] = []
    size = 0
    for fact in facts:
        chars = len(fact.text) + _OVERHEAD
        if piece and size + chars > largest:
            yield piece
            piece = []
            size = 0
        size += chars
        piece.append(fact)
    yield piece


def _digest(facts: Sequence[Fact], texts: Sequence[str]) -> Digest:
    sessions: set[str] = set()
    for fact in facts:
        sessions.update(fact.sessions)
    return Digest(
        text="\n".join(texts),
        sensitivity=facts[0].sensitivity,
        session=sessions.pop() if len(sessions) == 1 else SYSTEM,
        last=max(fact.last for fact in facts),
        facts=len(facts),
    )
