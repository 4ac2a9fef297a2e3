"""Allocation of facts to MEMORY.md, the long memory or the archive only."""

from __future__ import annotations

from collections.abc import Sequence
from math import log2
from typing import NamedTuple

from cuedeck.knowledge.compaction.packing_facts import Room, fill, max_fitting
from cuedeck.ledger.records.fact import Fact, by_time
from cuedeck.ledger.records.long_memory_blocks import (
    BLOCK_OVERHEAD,
    FACT_OVERHEAD,
    Blocks,
    facts_of,
    shrink,
    take_in,
    text_of,
    without_facts,
)


class Allocation(NamedTuple):
    """The result of an allocation."""

    lines: tuple[str, ...]
    """The compaction records for MEMORY.md."""
    packed: tuple[Fact, ...]
    """The facts in these records."""
    blocks: Blocks
    """The blocks of the long memory."""
    dropped: tuple[Fact, ...]
    """Facts in neither file."""
    foreign: Blocks
    """Blocks of other programs that were dropped from the long memory."""


def place(
    facts: Sequence[Fact], blocks: Blocks, room: Room, long_chars: int
) -> Allocation:
    """Allocate facts; those without a sensitivity come from the long memory."""
    from_long = [fact for fact in facts if not fact.sensitivity]
    from_memory = [fact for fact in facts if fact.sensitivity]
    blocks = _with_facts(blocks, from_long)
    ranking = ranked(from_memory)
    filled = fill(ranking, room)
    if filled.left:
        moved = _that_fit(filled.left, blocks, long_chars)
    else:
        moved = _older_half(ranking, long_chars - len(text_of(blocks)))
        older = frozenset(moved)
        filled = fill([fact for fact in ranking if fact not in older], room)
    if moved:
        blocks = take_in(blocks, moved)
    shrunk = shrink(blocks, long_chars)
    placed = frozenset((*filled.packed, *facts_of(shrunk.blocks)))
    dropped = tuple(fact for fact in (*ranking, *from_long) if fact not in placed)
    return Allocation(
        filled.lines, tuple(filled.packed), shrunk.blocks, dropped, shrunk.foreign
    )


def _with_facts(blocks: Blocks, facts: Sequence[Fact]) -> Blocks:
    """Return blocks that contain exactly the given facts."""
    old = frozenset(facts_of(blocks))
    blocks = without_facts(blocks, old.difference(facts))
    new = [fact for fact in facts if fact not in old]
    if new:
        return take_in(blocks, new)
    return blocks


def _that_fit(facts: Sequence[Fact], blocks: Blocks, chars: int) -> Sequence[Fact]:
    """Return the longest prefix of the facts that fits into a long memory that contains
    only prose.
    """
    prose = tuple(block for block in blocks if not block.first)
    low, high = 0, max_fitting(facts, chars)
    while low < high:
        middle = (low + high + 1) // 2
        text = text_of(take_in(prose, facts[:middle]))
        if len(text) <= chars:
            low = middle
        else:
            high = middle - 1
    return facts[:low]


def _older_half(facts: Sequence[Fact], free: int) -> Sequence[Fact]:
    """Return the oldest facts, up to half of all characters and to the free space."""
    half = sum(len(fact.text) for fact in facts) // 2
    chosen: list[Fact] = []
    for fact in sorted(facts, key=by_time):
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
"""Length in characters above which a fact loses `_LENGTH` for each doubling: it takes
the space of several facts.
"""
_LENGTH = 0.5
_FINE = 1_000


def ranked(facts: Sequence[Fact]) -> list[Fact]:
    """Return the facts, most valuable first."""
    days = sorted({fact.last for fact in facts})
    span = max(1, len(days) - 1)
    recency = {day: place / span for place, day in enumerate(days)}

    def order(fact: Fact) -> tuple[float, int, str]:
        worth = _worth(fact, recency[fact.last])
        return -worth, -fact.day_number, fact.text

    return sorted(facts, key=order)


def _worth(fact: Fact, recency: float) -> int:
    repeated = 1
    if not fact.is_joint:
        repeated = min(len(fact.sources) - 1, 2)
    length = log2(max(len(fact.text), _LONG) / _LONG)
    worth = fact.value + _REPEATED * repeated + _RECENCY * recency - _LENGTH * length
    return round(_FINE * worth)
