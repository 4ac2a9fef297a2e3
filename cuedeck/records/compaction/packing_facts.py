"""Packing of facts into compaction records within a limit of records and characters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from cuedeck.records.compaction.compaction_record import SYSTEM, Digest, format_digest
from cuedeck.records.compaction.fact import OTHER, Fact, by_time, strictest
from cuedeck.records.compaction.sections_text import section_lines, sessions_of

LARGEST = 6_000
"""Maximum characters of a compaction record, unless the limit of records requires longer ones."""
_OVERHEAD = 30
"""Approximate characters of a fact in addition to its text."""
_PASSES = 4
"""Maximum number of facts that are skipped because they do not fit, to try the following ones."""


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
    held: list[Fact]
    left: list[Fact]
    """Facts that did not fit, in input order."""


def fill(ranked: Sequence[Fact], room: Room) -> Filled:
    """Pack as many facts as fit, in order; a fact that is too long is skipped."""
    held: list[Fact] = []
    passed: list[Fact] = []
    rest = list(ranked)
    lines = tuple[str, ...]()
    for _ in range(_PASSES):
        count, lines = _most(held, rest, room, lines)
        held += rest[:count]
        passed += rest[count : count + 1]
        rest = rest[count + 1 :]
        if not rest:
            break
    return Filled(lines, held, passed + rest)


def _most(held: list[Fact], rest: Sequence[Fact], room: Room, lines: tuple[str, ...]) -> tuple[int, tuple[str, ...]]:
    """Return how many of `rest` fit together with `held`, and the lines of all."""
    least, most = 0, at_most(rest, room.chars - sum(len(fact.text) for fact in held))
    while room.records > 0 and least < most:
        middle = (least + most + 1) // 2
        tried = _lines([*held, *rest[:middle]], room)
        if len(tried) <= room.records and sum(len(line) + 1 for line in tried) <= room.chars:
            least, lines = middle, tried
        else:
            most = middle - 1
    return least, lines


def at_most(facts: Sequence[Fact], chars: int) -> int:
    """Return an upper bound of the facts that fit: their number if only their texts took space."""
    for number, fact in enumerate(facts):
        chars -= len(fact.text)
        if chars < 0:
            return number
    return len(facts)


def _lines(facts: Sequence[Fact], room: Room) -> tuple[str, ...]:
    labels = sorted({fact.sensitivity for fact in facts})
    if len(labels) > room.records:
        facts = [replace(fact, sensitivity=strictest(labels)) for fact in facts]
        labels = [strictest(labels)]
    # If only few records are allowed, each must be longer.
    total = 2 * sum(len(fact.text) + _OVERHEAD for fact in facts)
    largest = max(LARGEST, total // max(1, room.records - len(labels)))
    return tuple(
        format_digest(digest) + room.ending
        for label in labels
        for digest in digests([fact for fact in facts if fact.sensitivity == label], largest)
    )


def digests(facts: Sequence[Fact], largest: int) -> Iterator[Digest]:
    """Yield the compaction records for facts of one sensitivity.

    Order: chronological, with each category in one record if it fits.
    """
    held: list[list[Fact]] = []
    texts: list[str] = []
    for section in _sections(facts, largest):
        text = "\n".join(section_lines(section, section[0].sessions, section[0].category))
        if texts and sum(map(len, texts)) + len(texts) + len(text) > largest:
            yield _digest(held, texts)
            held, texts = [], []
        held.append(section)
        texts.append(text)
    if texts:
        yield _digest(held, texts)


def _sections(facts: Sequence[Fact], largest: int) -> Iterator[list[Fact]]:
    """Yield the facts of each category in chronological order, split if long."""
    categories: dict[str, list[Fact]] = {}
    for fact in sorted(facts, key=by_time):
        categories.setdefault(fact.category or OTHER, []).append(fact)
    for _, members in sorted(categories.items(), key=lambda each: (each[1][-1].last, each[0])):
        # Each part of a category names the sessions of the whole category.
        sessions = sessions_of(members)
        yield from _pieces([replace(fact, sessions=sessions) for fact in members], largest)


def _pieces(facts: Sequence[Fact], largest: int) -> Iterator[list[Fact]]:
    piece: list[Fact] = []
    size = 0
    for fact in facts:
        size += len(fact.text) + _OVERHEAD
        if piece and size > largest:
            yield piece
            piece, size = [], len(fact.text) + _OVERHEAD
        piece.append(fact)
    yield piece


def _digest(sections: Sequence[Sequence[Fact]], texts: Sequence[str]) -> Digest:
    facts = [fact for section in sections for fact in section]
    sessions = {name for fact in facts for name in fact.sessions}
    return Digest(
        "\n".join(texts),
        facts[0].sensitivity,
        sessions.pop() if len(sessions) == 1 else SYSTEM,
        max(fact.last for fact in facts),
        len(facts),
    )
