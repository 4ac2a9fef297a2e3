"""Allocation of facts to MEMORY.md, the long memory or the archive only."""

from __future__ import annotations

from collections.abc import Sequence
from math import log2
from typing import NamedTuple

from cuedeck.records.compaction.fact import Fact
from cuedeck.records.compaction.long_memory_blocks import (
    BLOCK_OVERHEAD,
    FACT_OVERHEAD,
    Blocks,
    shrink,
    take_in,
    text_of,
    without_facts,
)
from cuedeck.records.compaction.packing_facts import Room, at_most, fill


class Allocation(NamedTuple):
    """The result of an allocation."""

    lines: tuple[str, ...]
    """The compaction records for MEMORY.md."""
    held: tuple[Fact, ...]
    """The facts in these records."""
    blocks: Blocks
    """The blocks of the long memory."""
    left: tuple[Fact, ...]
    """Facts in neither file."""
    foreign: Blocks
    """Blocks of other programs that were dropped from the long memory."""


def place(facts: Sequence[Fact], blocks: Blocks, room: Room, long_chars: int) -> Allocation:
    """Allocate facts; those without a sensitivity come from the long memory."""
    stay = frozenset(fact for fact in facts if not fact.sensitivity)
    known = frozenset(fact for block in blocks for fact in block.facts)
    blocks = without_facts(blocks, known - stay)
    blocks = take_in(blocks, [fact for fact in facts if fact in stay - known]) if stay - known else blocks
    order = ranked([fact for fact in facts if fact.sensitivity])
    filled = fill(order, room)
    if filled.left:
        moved = _that_fit(filled.left, blocks, long_chars)
    else:
        moved = _older_half(order, long_chars - len(text_of(blocks)))
        ages = frozenset(moved)
        filled = fill([fact for fact in order if fact not in ages], room)
    shrunk = shrink(take_in(blocks, moved) if moved else blocks, long_chars)
    placed = frozenset((*filled.held, *(fact for block in shrunk.blocks for fact in block.facts)))
    left = [fact for fact in (*order, *(fact for fact in facts if fact in stay)) if fact not in placed]
    return Allocation(filled.lines, tuple(filled.held), shrunk.blocks, tuple(left), shrunk.foreign)


def _that_fit(facts: Sequence[Fact], blocks: Blocks, chars: int) -> Sequence[Fact]:
    """Return the longest prefix of the facts that fits into a long memory that contains only prose."""
    prose = tuple(block for block in blocks if not block.first)
    least, most = 0, at_most(facts, chars)
    while least < most:
        middle = (least + most + 1) // 2
        if len(text_of(take_in(prose, facts[:middle]))) <= chars:
            least = middle
        else:
            most = middle - 1
    return facts[:least]


def _older_half(facts: Sequence[Fact], free: int) -> Sequence[Fact]:
    """Return the oldest facts, up to half of all characters and to the free space."""
    half = sum(len(fact.text) for fact in facts) // 2
    chosen: list[Fact] = []
    for fact in sorted(facts, key=lambda fact: (fact.last, fact.first, fact.text)):
        half -= len(fact.text)
        free -= len(fact.text) + FACT_OVERHEAD + BLOCK_OVERHEAD
        if half < 0 or free < 0:
            break
        chosen.append(fact)
    return chosen


_RECENCY = 2.0
"""Bonus of the newest fact over the oldest one, in steps of value."""
_REPEATED = 1.0
"""Bonus of a fact with two sources; with three or more it is double."""
_LONG = 500
"""Length in characters above which a fact loses `_LENGTH` for each doubling: it takes the space of several facts."""
_LENGTH = 0.5
_FINE = 1_000


def ranked(facts: Sequence[Fact]) -> list[Fact]:
    """Return the facts, most valuable first."""
    days = {day: place for place, day in enumerate(sorted({fact.last for fact in facts}))}
    span = max(1, len(days) - 1)
    return sorted(facts, key=lambda fact: (-_worth(fact, days[fact.last] / span), *_newest_first(fact)))


def _worth(fact: Fact, recency: float) -> int:
    repeated = 1 if fact.is_joint else min(len(fact.sources) - 1, 2)
    length = log2(max(len(fact.text), _LONG) / _LONG)
    return round(_FINE * (fact.value + _REPEATED * repeated + _RECENCY * recency - _LENGTH * length))


def _newest_first(fact: Fact) -> tuple[int, str]:
    return -int(fact.last.replace("-", "")), fact.text
