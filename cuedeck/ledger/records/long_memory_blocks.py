"""The long memory as dated blocks of facts: insertion by day, and removal from the
oldest block.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from cuedeck.ledger.records.fact import Fact, Item, by_time, fact_lines, parse_items
from cuedeck.ledger.records.long_memory_file import (
    TITLE,
    format_block,
    parse_long_memory,
)

LARGEST = 3_000
"""Maximum characters of a block."""
BLOCK_OVERHEAD = len(format_block("2026-11-01", "2026-11-20", ""))
FACT_OVERHEAD = len("- ") + len(" [f1df838f 11-03]\n")


class Block(NamedTuple):
    """A dated block, or prose."""

    text: str
    first: str = ""
    last: str = ""
    """Days of its heading; empty for prose."""
    items: tuple[Item, ...] = ()
    """Its facts and other lines; empty if it contains no facts of this program."""

    @property
    def facts(self) -> tuple[Fact, ...]:
        return tuple(item for item in self.items if isinstance(item, Fact))

    @property
    def is_foreign(self) -> bool:
        """True for a block written by another program or by a person."""
        return bool(self.first) and not self.items


Blocks = tuple[Block, ...]


def read_blocks(text: str) -> Blocks:
    """Return the blocks of a long memory; their concatenated texts equal the input."""
    return tuple(_read(*part) for part in parse_long_memory(text))


def _read(text: str, first: str, last: str, body: tuple[str, ...]) -> Block:
    if not first:
        return Block(text, first, last)
    items = parse_items(body, first, last)
    has_facts = any(isinstance(item, Fact) for item in items)
    if not has_facts:
        return Block(text=text, first=first, last=last, items=())
    return Block(text, first, last, tuple(items))


def facts_of(blocks: Iterable[Block]) -> list[Fact]:
    """Return the facts of all blocks, in order."""
    return [fact for block in blocks for fact in block.facts]


def text_of(blocks: Iterable[Block]) -> str:
    """Return the text of a long memory."""
    return "".join(block.text for block in blocks)


def take_in(blocks: Blocks, facts: Sequence[Fact]) -> Blocks:
    """Return the blocks with facts added, each in the block that spans its day or in a
    new block between others.

    An empty long memory gets its title.
    """
    old = list(blocks) or [Block(TITLE)]
    before: dict[int, list[Fact]] = {}
    inside: dict[int, list[Fact]] = {}
    for fact in sorted(facts, key=by_time):
        spanning = _spanning_block(old, fact.last)
        if spanning is not None:
            inside.setdefault(spanning, []).append(fact)
        else:
            before.setdefault(_next_block(old, fact.last), []).append(fact)
    new: list[Block] = []
    for at, block in enumerate(old):
        new += _blocks(before.get(at, ()))
        if at in inside:
            new += _grown(block, inside[at])
        else:
            new.append(block)
    new += _blocks(before.get(len(old), ()))
    return tuple(new)


def _spanning_block(blocks: Sequence[Block], day: str) -> int | None:
    """Return the index of the first block of facts that spans a day."""
    for at, block in enumerate(blocks):
        if block.items and block.first <= day <= block.last:
            return at
    return None


def _next_block(blocks: Sequence[Block], day: str) -> int:
    """Return the index of the first block after a day; without one the number of
    blocks.
    """
    for at, block in enumerate(blocks):
        if block.first > day:
            return at
    return len(blocks)


def _grown(block: Block, more: Sequence[Fact]) -> Iterator[Block]:
    if len(block.facts) == len(block.items):
        return _blocks(sorted((*block.facts, *more), key=by_time))
    # The block contains handwritten lines: do not split it, and keep those lines in
    # place.
    items = list(block.items)
    for fact in more:
        items.insert(_position(items, fact), fact)
    return iter([_block(items)])


def _position(items: Sequence[Item], fact: Fact) -> int:
    """Return the index of the first item that is a later fact; without one the number
    of items.
    """
    for at, item in enumerate(items):
        if isinstance(item, Fact) and by_time(item) > by_time(fact):
            return at
    return len(items)


def _blocks(facts: Iterable[Fact]) -> Iterator[Block]:
    """Yield blocks of facts, which must be in chronological order."""
    piece: list[Fact] = []
    size = 0
    for fact in facts:
        chars = len(fact.text) + FACT_OVERHEAD
        if piece and size + chars > LARGEST:
            yield _block(piece)
            piece = []
            size = 0
        size += chars
        piece.append(fact)
    if piece:
        yield _block(piece)


def _block(items: Sequence[Item]) -> Block:
    days = [item.last for item in items if isinstance(item, Fact)]
    first = min(days)
    last = max(days)
    body = "\n".join(fact_lines(items, first, last))
    return Block(format_block(first, last, body), first, last, tuple(items))


def without_facts(blocks: Blocks, gone: Collection[Fact]) -> Blocks:
    """Return the blocks without some facts; blocks that become empty are removed."""
    kept: list[Block] = []
    for block in blocks:
        items = tuple(item for item in block.items if item not in gone)
        if len(items) < len(block.items):
            block = with_items(items)
        if block.text:
            kept.append(block)
    return tuple(kept)


def with_items(items: Sequence[Item]) -> Block:
    """Return a block of items; without facts, only its handwritten lines are left."""
    if any(isinstance(item, Fact) for item in items):
        return _block(items)
    prose = "\n".join(item for item in items if isinstance(item, str)).strip("\n")
    return Block(f"\n\n{prose}\n" if prose.strip() else "")


class Shrunk(NamedTuple):
    """A long memory within its limit, and the removed blocks of other programs."""

    blocks: Blocks
    foreign: Blocks


def shrink(blocks: Blocks, chars: int) -> Shrunk:
    """Remove the least valuable facts of the oldest block, then of the next, until the
    text fits; prose stays.

    A block of another program is removed as a whole.
    """
    foreign: list[Block] = []
    kept = list(blocks)
    excess = len(text_of(blocks)) - chars
    while excess > 0:
        dated = (at for at, block in enumerate(kept) if block.first)
        at = next(dated, None)
        if at is None:
            break
        oldest = kept[at]
        left: Blocks = ()
        if oldest.is_foreign:
            foreign.append(oldest)
        else:
            least = min(oldest.facts, key=_worth)
            left = without_facts((oldest,), (least,))
        kept[at : at + 1] = left
        excess -= len(oldest.text) - len(text_of(left))
    return Shrunk(tuple(kept), tuple(foreign))


def _worth(fact: Fact) -> tuple[int, str, str]:
    return len(fact.sources) + fact.more, fact.last, fact.text
