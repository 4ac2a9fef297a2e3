"""Inline code of Markdown."""

from __future__ import annotations

from cuedeck.parse.markdown import read_code_spans


def test_inline_code_is_read_with_its_lines_and_fences_are_not() -> None:
    text = "# `A` of it\n\nSee ``b `c` d`` and\n`é.f`.\n\n```\n`g`\n```\n\n    `h`\n\n- `i`\n| `j` |\n"
    assert read_code_spans(text) == [(1, "A"), (3, "b `c` d"), (4, "é.f"), (12, "i"), (13, "j")]


def test_lines_count_from_where_the_text_begins_in_its_file() -> None:
    assert read_code_spans("\n`a`\n", 5) == [(6, "a")]


def test_text_without_code_has_none() -> None:
    assert read_code_spans("# A\n\n[b](c.md) `open\n") == []
