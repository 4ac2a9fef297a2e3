"""As many facts as there is room for, as the lines of compaction records."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from cuedeck.records.compaction.compaction_record import SYSTEM, Digest, format_digest
from cuedeck.records.compaction.fact import OTHER, Fact, by_time, strictest
from cuedeck.records.compaction.sections_text import section_lines, sessions_of
from cuedeck.records.compaction.topics import LEAST

LARGEST = 6_000
"""Characters of a compaction record, unless the number of records that may be there asks for longer ones."""
_OVERHEAD = 30
"""Characters of a fact beside its text, about."""
_PASSES = 4
"""Times that a fact is passed over which does not fit, to see whether others do."""


class Room(NamedTuple):
    """What there is place for in a file."""

    records: int
    chars: int
    ending: str = ""
    """What its lines have before the newline."""


class Filled(NamedTuple):
    """What came of filling a room."""

    lines: tuple[str, ...]
    """Compaction records."""
    held: list[Fact]
    left: list[Fact]
    """What did not fit, in the order in which it was given."""


def fill(ranked: Sequence[Fact], room: Room) -> Filled:
    """Hold as many facts as fit, the first ones first; one that is too long is passed over."""
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
    """Return how many of `rest` fit beside what is held, and the lines of all."""
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
    """Return how many facts fit if nothing but their texts took room."""
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
    # Where few records are left, each holds more.
    total = 2 * sum(len(fact.text) + _OVERHEAD for fact in facts)
    largest = max(LARGEST, total // max(1, room.records - len(labels)))
    return tuple(
        format_digest(digest) + room.ending
        for label in labels
        for digest in digests([fact for fact in facts if fact.sensitivity == label], largest)
    )


def digests(facts: Sequence[Fact], largest: int) -> Iterator[Digest]:
    """Yield the compaction records of facts of one sensitivity. Order: of time, a topic in one piece if it fits."""
    held: list[list[Fact]] = []
    texts: list[str] = []
    for section in _sections(facts, largest):
        text = "\n".join(section_lines(section, section[0].sessions, section[0].topic))
        if texts and sum(map(len, texts)) + len(texts) + len(text) > largest:
            yield _digest(held, texts)
            held, texts = [], []
        held.append(section)
        texts.append(text)
    if texts:
        yield _digest(held, texts)


def _sections(facts: Sequence[Fact], largest: int) -> Iterator[list[Fact]]:
    """Yield the facts of each topic, long ones in pieces; what is left of small topics stands together."""
    topics: dict[str, list[Fact]] = {}
    for fact in facts:
        topics.setdefault(fact.topic or OTHER, []).append(fact)
    small = [topic for topic, members in topics.items() if len(members) < LEAST and topic != OTHER]
    for topic in small:
        topics.setdefault(OTHER, []).extend(replace(fact, topic=OTHER) for fact in topics.pop(topic))
    for _, members in sorted(topics.items(), key=lambda each: (max(fact.last for fact in each[1]), each[0])):
        # Each piece names the sessions of all.
        sessions = sessions_of(sorted(members, key=by_time))
        yield from _pieces([replace(fact, sessions=sessions) for fact in sorted(members, key=by_time)], largest)


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
