"""LONGMEMORY.md as parts: nothing of it is lost, and only headings of summaries begin a
block.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cuedeck.ledger.records.long_memory_file import (
    TITLE,
    format_block,
    parse_long_memory,
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
    assert (title.text, title.first) == (TITLE, "")
    assert (block.first, block.last) == ("2026-11-21", "2026-11-21")
    assert block.body == ("summary 1: fixed", 'second line é "q"', "", "summary 2: ...")


def test_a_block_is_formatted_as_the_original_formats_it() -> None:
    assert (
        format_block("2026-11-21", "2026-11-21", "text")
        == "\n\n## Summary (2026-11-21)\n\ntext\n"
    )
    assert "## Summary (2026-11-01 to 2026-11-21)\n" in format_block(
        "2026-11-01", "2026-11-21", "text"
    )


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
    text = TITLE + format_block("2026-11-01", "2026-11-01", f"before\n{line}\nbehind")
    assert parse_long_memory(text)[1].body == ("before", line, "behind")


def test_empty_lines_before_a_heading_go_with_it() -> None:
    text = (
        TITLE
        + format_block("2026-11-01", "2026-11-01", "a")
        + format_block("2026-11-02", "2026-11-02", "b")
    )
    title, _, last = parse_long_memory(text)
    assert title.text + last.text == TITLE + format_block(
        "2026-11-02", "2026-11-02", "b"
    )
