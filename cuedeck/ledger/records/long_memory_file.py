"""LONGMEMORY.md: dated blocks under `## Summary (2026-11-01 to 2026-11-20)`, and prose
before the first.

Only such a heading ends a block, because a summary may contain other headings.

Format: that of CursorClaw, whose headings name one day (the day of its run). A file
begins with `TITLE`; each heading has two empty lines before it and one after it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.ledger.records.fact import Fact, by_time
from cuedeck.ledger.records.merged_text import (
    Item,
    days_of,
    fact_lines,
    facts_of,
    parts_of,
    without,
)
from cuedeck.model.memory_record import Record

if TYPE_CHECKING:
    from cuedeck.ledger.records.memory_files import MemoryFiles

TITLE = "# LONGMEMORY.md — Long-term summaries\n"
CATEGORY = "long-memory"
_LARGEST = 3_000
"""Maximum characters of a block."""
_LEAST_BLOCKS = 4
"""Blocks that fit into the limit of a file at least."""
_HEADING = re.compile(
    r"^## Summary \((\d{4}-\d\d-\d\d)(?: to \d{4}-\d\d-\d\d)?\)[ \t]*\r?$", re.MULTILINE
)


class Block(NamedTuple):
    """A dated block, or prose."""

    text: str
    """The text as in the file, including the empty lines before it."""
    day: str = ""
    """The first day in the heading; empty for prose."""
    facts: tuple[Fact, ...] = ()
    """Its facts; empty if it contains any other text."""


def parse_long_memory(text: str) -> list[Block]:
    """Parse LONGMEMORY.md; the joined texts of the blocks reproduce the file."""
    headings = list(_HEADING.finditer(text))
    starts = []
    for heading in headings:
        # The empty lines before a heading belong to its block.
        before = text[: heading.start()].rstrip()
        starts.append(len(before) + 1 if before else 0)
    blocks = []
    prose = text[: starts[0]] if starts else text
    if prose:
        blocks.append(Block(prose))
    for heading, (start, end) in zip(
        headings, pairwise([*starts, len(text)]), strict=True
    ):
        written = text[start:end]
        blocks.append(Block(written, heading[1], tuple(_only_facts(written))))
    return blocks


def _only_facts(text: str) -> Iterator[Fact]:
    items: list[Item] = []
    for part in parts_of(text.strip()):
        items += part.items
    body = [item for item in items[1:] if item.text.strip()]
    facts = [item.fact for item in body if item.fact is not None]
    if len(facts) == len(body):
        yield from facts


class Rebuilt(NamedTuple):
    """A long memory within its limit, and the blocks without room."""

    text: str
    dropped: tuple[Block, ...]


def rebuild(text: str, facts: Sequence[Fact], limit: int) -> Rebuilt:
    """Return a long memory whose blocks of facts are replaced by blocks of these facts.

    All other blocks stay at their place in time. If the text exceeds its limit, the
    oldest blocks are dropped.
    """
    blocks = [block for block in parse_long_memory(text or TITLE) if not block.facts]
    blocks += _blocks(facts, min(_LARGEST, limit // _LEAST_BLOCKS))
    blocks.sort(key=lambda block: block.day)
    excess = sum(len(block.text) for block in blocks) - limit
    kept: list[Block] = []
    dropped: list[Block] = []
    for block in blocks:
        if block.day and excess > 0:
            dropped.append(block)
            excess -= len(block.text)
        else:
            kept.append(block)
    return Rebuilt("".join(block.text for block in kept), tuple(dropped))


def _blocks(facts: Sequence[Fact], largest: int) -> Iterator[Block]:
    piece: list[Fact] = []
    size = 0
    for fact in sorted(facts, key=by_time):
        size += len(fact.text)
        if piece and size > largest:
            yield _block(piece)
            piece = []
            size = len(fact.text)
        piece.append(fact)
    if piece:
        yield _block(piece)


def _block(facts: Sequence[Fact]) -> Block:
    body = "\n".join(fact_lines(facts))
    text = format_block(days_of(facts), body)
    return Block(text, facts[0].day, tuple(facts))


def format_block(days: str, body: str) -> str:
    """Return the text of a dated block, with the empty lines before it."""
    return f"\n\n## Summary ({days})\n\n{body}\n"


def long_memory_facts(memory: MemoryFiles) -> Sequence[Record]:
    """Return the facts of the long memory as records, without those of forgotten
    records; the same object while the file is unchanged.

    The id of a fact is the mark of its first source: the beginning of the id of a
    record that was merged into it. Raises: StorageError.
    """
    return _records(memory.text(memory.long_memory) or "", memory.forgotten())


@lru_cache(4)
def _records(text: str, forgotten: frozenset[str]) -> Sequence[Record]:
    visible = {fact.text: fact for fact, _ in facts_of(without(text, forgotten))}
    found: dict[str, Record] = {}
    for written, line in facts_of(text):
        fact = visible.get(written.text)
        if fact is None:
            continue
        identity = fact.sources[0]
        record = Record(
            identity,
            fact.text,
            CATEGORY,
            timestamp=f"{fact.day}T00:00:00Z",
            line=line + 1,
        )
        found.setdefault(identity, record)
    return tuple(found.values())
