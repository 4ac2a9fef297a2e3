"""Removal of single facts from merged texts, by the records they come from."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from cuedeck.ledger.records.fact import Fact, Item, fact_lines, parse_items
from cuedeck.ledger.records.long_memory_blocks import (
    Block,
    read_blocks,
    text_of,
    with_items,
)
from cuedeck.ledger.records.sections_text import Head, section_lines, split_sections
from cuedeck.ledger.records.short_ids import Named

_NO_DAY = "0000-01-01"
"""Day assumed for facts without a head."""


def without(text: str, ids: Collection[str]) -> str:
    """Return a compaction record's text, or a long memory, without the facts from some
    records.

    A fact with another named source stays, in its wording: all its sources are equal
    except for case, plural, articles and punctuation. A summary of several records is
    removed with any of them. A head without facts is removed, too; every other line
    stays, and a text without such facts is returned unchanged.
    """
    gone = Named(ids)
    blocks = read_blocks(text)
    if any(block.first for block in blocks):
        return text_of(_cut_block(block, gone) for block in blocks)
    return _cut_sections(text, gone)


def fact_lines_of(text: str, ids: Collection[str]) -> set[int]:
    """Return the lines of a long memory, counted from 1, with facts that `without`
    would remove.
    """
    gone = Named(ids)
    found: set[int] = set()
    number = 1
    for item in parse_items(text.split("\n"), _NO_DAY, _NO_DAY):
        after = number + 1
        if isinstance(item, Fact):
            after += item.text.count("\n")
            if left_of(item, gone) is None:
                found.update(range(number, after))
        number = after
    return found


def left_of(fact: Fact, gone: Named) -> Fact | None:
    """Return a fact without some of its sources; None if it must be removed."""
    sources = tuple(mark for mark in fact.sources if mark not in gone)
    if len(sources) == len(fact.sources):
        return fact
    if fact.is_joint or not sources:
        return None
    return replace(fact, sources=sources)


def _cut_block(block: Block, gone: Named) -> Block:
    if not block.items:
        return block._replace(text=_cut_sections(block.text, gone))
    items = _left(block.items, gone)
    if items == block.items:
        return block
    return with_items(items)


def _cut_sections(text: str, gone: Named) -> str:
    kept: list[str] = []
    for head, lines in split_sections(text.split("\n")):
        kept += _cut_section(head, lines, gone)
    return "\n".join(kept)


def _cut_section(head: Head | None, lines: Sequence[str], gone: Named) -> Sequence[str]:
    first, last, body = _NO_DAY, _NO_DAY, lines
    if head:
        first, last, body = head.first, head.last, lines[1:]
    items = parse_items(body, first, last)
    left = _left(items, gone)
    if left == tuple(items):
        return lines
    if head and any(isinstance(item, Fact) for item in left):
        return section_lines(left, head.sessions, head.category)
    return list(fact_lines(left, first, last))


def _left(items: Sequence[Item], gone: Named) -> tuple[Item, ...]:
    left: list[Item] = []
    for item in items:
        kept = left_of(item, gone) if isinstance(item, Fact) else item
        if kept is not None:
            left.append(kept)
    return tuple(left)
