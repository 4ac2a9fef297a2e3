"""The long memory: facts are in chronological order, the oldest are dropped first, and
the user's lines stay.
"""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from cuedeck.ledger.records.fact import Fact
from cuedeck.ledger.records.long_memory_blocks import (
    LARGEST,
    read_blocks,
    shrink,
    take_in,
    text_of,
)
from cuedeck.ledger.records.long_memory_file import TITLE, format_block


def fact(number: int, day: int, length: int = 40, sources: int = 1) -> Fact:
    date = f"2026-{1 + day // 28:02}-{1 + day % 28:02}"
    marks = tuple(f"{number * 10 + each:08x}" for each in range(sources))
    return Fact(f"fact {number} {'x' * length}", marks, date, date)


ROUNDS = st.lists(st.lists(st.integers(0, 300), max_size=8), max_size=5)


@given(ROUNDS)
def test_e13_blocks_are_in_chronological_order_whatever_the_order_of_facts(
    rounds: list[list[int]],
) -> None:
    blocks = read_blocks("")
    message: list[Fact] = []
    for turn, days in enumerate(rounds):
        new = [fact(100 * turn + number, day) for number, day in enumerate(days)]
        blocks = read_blocks(text_of(take_in(blocks, new)))
        message += new
    spans = [(block.first, block.last) for block in blocks if block.first]
    assert spans == sorted(spans)
    assert all(
        before[1] <= after[0] for before, after in zip(spans, spans[1:], strict=False)
    )
    found = [item for block in blocks for item in block.facts]
    assert sorted(found, key=str) == sorted(message, key=str)


@given(ROUNDS, st.integers(0, 2_000))
def test_shrunk_memory_fits_and_keeps_the_newest_facts(
    rounds: list[list[int]], chars: int
) -> None:
    message = [
        fact(100 * turn + number, day)
        for turn, days in enumerate(rounds)
        for number, day in enumerate(days)
    ]
    blocks = take_in(read_blocks("by hand\n"), message)
    shrunk = shrink(blocks, chars)
    assert len(text_of(shrunk.blocks)) <= max(chars, len("by hand\n"))
    kept = [item for block in shrunk.blocks for item in block.facts]
    dropped = Counter(message) - Counter(kept)
    assert Counter(kept) + dropped == Counter(message)
    if len(text_of(blocks)) <= chars:
        assert not dropped
    whole = [block for block in shrunk.blocks if block.facts][1:]
    dated = [block for block in blocks if block.facts]
    assert whole == dated[len(dated) - len(whole) :]
    assert text_of(shrunk.blocks).startswith("by hand\n")


def test_facts_with_several_sources_are_dropped_first_from_the_oldest_block() -> None:
    often, once = fact(1, 0, sources=3), fact(2, 1)
    blocks = take_in(read_blocks(""), [often, once, fact(3, 2)])
    shrunk = shrink(blocks, len(text_of(blocks)) - 1)
    kept = [item for block in shrunk.blocks for item in block.facts]
    assert often in kept and once not in kept


def test_block_that_grows_too_long_is_divided() -> None:
    blocks = take_in(
        read_blocks(""), [fact(number, number, 200) for number in range(40)]
    )
    assert len(blocks) > 2
    assert all(len(block.text) < LARGEST + 400 for block in blocks)


def test_lines_that_the_user_wrote_into_a_block_stay_in_place() -> None:
    text = TITLE + format_block(
        "2026-01-01", "2026-01-03", "- a [f1df838f]\nby hand\n- b [0a1b2c3d 01-03]"
    )
    blocks = take_in(read_blocks(text), [fact(7, 1)])
    assert text_of(blocks) == TITLE + format_block(
        "2026-01-01",
        "2026-01-03",
        f"- a [f1df838f]\nby hand\n- {fact(7, 1).text} [00000046 01-02]\n- b [0a1b2c3d 01-03]",
    )
    assert "by hand" in text_of(shrink(blocks, 60).blocks)


def test_fact_that_contains_a_heading_does_not_break_the_blocks() -> None:
    tricky = Fact(
        "a\n## Summary (2026-01-01)\nb", ("f1df838f",), "2026-02-01", "2026-02-01"
    )
    again = read_blocks(text_of(take_in(read_blocks(""), [tricky, fact(1, 40)])))
    assert [item for block in again for item in block.facts] == [tricky, fact(1, 40)]
