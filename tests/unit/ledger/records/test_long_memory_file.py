"""LONGMEMORY.md as parts: nothing of it is lost, and only headings of summaries begin a
block.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cuedeck.ledger.records.fact import Fact, by_time
from cuedeck.ledger.records.long_memory_file import (
    TITLE,
    format_block,
    parse_long_memory,
    rebuild,
)

LINES = st.lists(
    st.sampled_from(
        ["", "text", "## Summary (2026-11-01)", "## Summary (2026-11-01 to 2026-11-20)", "## Hand", "  ## Summary (x)",
         "- fact [f1df838f]", "\r", "# T", "## Summary (2026-11-01)\r"]
    ),
    max_size=12,
)  # fmt: skip


@given(LINES)
def test_the_parts_joined_are_the_file(lines: list[str]) -> None:
    text = "\n".join(lines)
    assert "".join(part.text for part in parse_long_memory(text)) == text


def test_a_file_of_the_original_gives_its_blocks() -> None:
    text = f'{TITLE}\n\n## Summary (2026-11-21)\n\nsummary 1: fixed\nsecond line é "q"\n\nsummary 2: ...\n'
    title, block = parse_long_memory(text)
    assert (title.text, title.day) == (TITLE, "")
    assert (block.day, block.facts) == ("2026-11-21", ())
    assert "second line" in block.text


@pytest.mark.parametrize(
    "line",
    [
        "  ## Summary (2026-11-21)",
        "## Summary (yesterday)",
        "### Summary (2026-11-21)",
        "## Summary",
    ],
)
def test_a_line_like_a_heading_ends_no_block(line: str) -> None:
    text = TITLE + format_block("2026-11-01", f"before\n{line}\nbehind")
    assert len(parse_long_memory(text)) == 2


def test_empty_lines_before_a_heading_go_with_it() -> None:
    last_block = format_block("2026-11-02", "b")
    text = TITLE + format_block("2026-11-01", "a") + last_block
    title, _, last = parse_long_memory(text)
    assert title.text + last.text == TITLE + last_block


def fact(number: int, day: int) -> Fact:
    date = f"2026-{1 + day // 28:02}-{1 + day % 28:02}"
    return Fact(f"fact {number} {'x' * 40}", (f"{number:08x}",), date)


@given(st.lists(st.integers(0, 300), max_size=40), st.integers(200, 6_000))
def test_e13_rebuilt_memory_fits_and_keeps_the_newest_facts_in_order(
    days: list[int], limit: int
) -> None:
    facts = [fact(number, day) for number, day in enumerate(days)]
    hand = format_block("2026-06-01 to 2026-06-02", "- a [f1df838f]\nby hand")
    rebuilt = rebuild(f"prose\n{hand}", facts, limit)
    assert len(rebuilt.text) <= limit
    blocks = parse_long_memory(rebuilt.text)
    assert blocks[0].text == "prose\n"
    assert [each.day for each in blocks] == sorted(each.day for each in blocks)
    kept = [each for block in blocks for each in block.facts]
    dropped = [each for block in rebuilt.dropped for each in block.facts]
    assert sorted([*kept, *dropped], key=str) == sorted(facts, key=str)
    assert not kept or not dropped or max(map(by_time, dropped)) <= by_time(kept[0])
    again = rebuild(rebuilt.text, kept, limit)
    assert again.dropped == ()
    assert ("by hand" in rebuilt.text) != any(
        "by hand" in b.text for b in rebuilt.dropped
    )
