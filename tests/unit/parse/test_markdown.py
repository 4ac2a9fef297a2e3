"""Sections, links, blocks and code spans of Markdown."""

from __future__ import annotations

import time
from textwrap import dedent

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cuedeck.parse.markdown import (
    MAX_HEADINGS,
    ParsedMarkdown,
    parse_markdown,
    read_code_spans,
)
from cuedeck.parse.text_decoding import count_lines

SYNTAX = st.lists(
    st.sampled_from(
        [
            "# ", "## ", "### ", "\n", "\n\n", "a", "b c", "é", "> ", "- ", "1. ", "    ", "```\n", "===\n", "---\n",
            "|",
        ]
        + [
            "[[", "]]", "[", "](", ")", "`", "<!--", "-->", "<b>", "*", "_", "\\", "^id", "@doc/a", "@ref[", "!",
            "\t",
        ]
        + ["<", ">", "[^1]", ": ", "\u2028", "\x0b"]
    )
).map("".join)  # fmt: skip


def read(text: str, first: int = 1) -> ParsedMarkdown:
    return parse_markdown(dedent(text), first)


def ranges(page: ParsedMarkdown) -> list[tuple[str, int, int]]:
    return [(section.title, section.start, section.end) for section in page.sections]


def test_a_section_runs_to_the_line_before_its_equal_or_better() -> None:
    """A range used to end at the next heading of any level, and to include that
    heading's line.
    """
    page = read("# API\n\n## Login\nx\n### Deep\ny\n## Logout\nz\n\n# Other\nlast\n")
    assert ranges(page) == [
        ("API", 1, 9),
        ("Login", 3, 6),
        ("Deep", 5, 6),
        ("Logout", 7, 9),
        ("Other", 10, 11),
    ]
    assert [section.parent for section in page.sections] == [-1, 0, 1, 0, -1]
    assert [section.level for section in page.sections] == [1, 2, 3, 2, 1]


def test_levels_may_be_skipped() -> None:
    page = read("### deep\n# top\n#### far\n## near\n")
    assert [section.parent for section in page.sections] == [-1, -1, 1, 1]


def test_a_hash_in_code_is_no_heading() -> None:
    """`# comment` in a fence and `#hashtag` were listed as headings."""
    page = read(
        "# A\n```sh\n# comment\n```\n    # indented\n\n~~~\n## x\n~~~\n#hashtag\n`# no`\n"
    )
    assert ranges(page) == [("A", 1, 11)]


def test_closing_hashes_are_no_part_of_the_title() -> None:
    """`A ##` kept its hashes."""
    assert ranges(read("## A ##\n# C#\n")) == [("A", 1, 1), ("C#", 2, 2)]


def test_underlined_headings_count() -> None:
    """Setext headings were ignored."""
    page = read("text\n\nFirst\nline\n=====\n\nSecond\n---\nend")
    assert ranges(page) == [("First line", 3, 9), ("Second", 7, 9)]


def test_headings_in_quotes_and_lists_divide_nothing_but_take_a_slug() -> None:
    page = read("# A\n> # A\n\n- # A\n\n# A\n")
    assert [
        (section.slug, section.start, section.end) for section in page.sections
    ] == [("a", 1, 5), ("a-3", 6, 6)]


def test_titles_are_text_without_markup() -> None:
    page = read(
        "# The *big* `cue` [link](x.md) [[a|b]] &amp; ![pic](y.png) <i>x</i>\n# ![Logo](l.png)\n"
    )
    assert [section.title for section in page.sections] == [
        "The big cue link b & x",
        "Logo",
    ]
    assert [section.slug for section in page.sections] == ["the-big-cue-link-b---x", ""]
    assert page.title == "The big cue link b & x"


def test_lines_count_from_the_place_of_the_body() -> None:
    page = read("# A\n[[b]]\n^c\n", first=10)
    assert ranges(page) == [("A", 10, 12)]
    assert page.links[0].line == 11
    assert page.blocks[0][1:] == (11, 11)


def test_odd_separators_end_no_line() -> None:
    page = read("a\u2028b\x0bc\x0cd\u0085e\n\n# H\n[[x]] @doc/é\n")
    assert ranges(page) == [("H", 3, 4)]
    assert [link.line for link in page.links] == [4, 4]


@pytest.mark.parametrize(
    "text",
    [
        "$$ [[1, 2], [3, 4]] $$ [[ok]]", "A = [[1, 2], [3, 4]] and [[ok]]", "$$\n[[1, 2],\n\n[[no]]]\n$$\n[[ok]]",
        "a $x = [[no]]$ b, [[ok]]", "$@doc/no$ [[ok]]", "%% [[no]] [a](b.md) %% [[ok]]",
        "%%\n[[no]]\n\n@doc/no\n%%\n[[ok]]", "a <!-- [[no]] --> [[ok]]", "<!--\n\n[[no]]\n-->\n\n[[ok]]",
        "costs $5, [[ok]] or $10", "\\$a [[ok]] b$", "`$HOME` [[ok]] `$PATH`", "100%% [[ok]]\n\n5%% x",
        "~~~\n%%\n~~~\n[[ok]]\n\n~~~\n%%\n~~~", "| a |\n|---|\n| [[ok\\|label]] |", "![[ok|100]]",
    ],
)  # fmt: skip
def test_formulas_comments_and_code_hold_no_links(text: str) -> None:
    assert [link.ref for link in read(text).links] == ["ok"]


def test_mentions_and_links_are_in_text_order() -> None:
    page = read(
        "é @doc/a [[b]] @ref[c d] [e](f.md) `@doc/no` <!-- @doc/no -->\n\n    @doc/no\n\n[@doc/no](g.md)\n"
    )
    assert [link.ref for link in page.links] == ["a", "b", "c d", "f.md", "g.md"]


@pytest.mark.parametrize(
    ("text", "block"),
    [
        ("para\ntwo ^x\n\nother", ("x", 1, 2)), ("para\ntwo\n^x\n", ("x", 1, 2)), ("para\ntwo\n\n^x\n", ("x", 1, 2)),
        ("- a\n- b ^x\n- c\n", ("x", 2, 2)), ("- a\n- b ^x\n  - c\n  - d\n- e\n", ("x", 2, 4)),
        ("- a ^x\n\n- b\n", ("x", 1, 1)), ("- a\n- b\n\n^x\n", ("x", 1, 2)),
        ("| a |\n|---|\n| b |\n\n^x\n", ("x", 1, 3)), ("```\ncode\n```\n\n^x\n", ("x", 1, 3)),
        ("> a\n> b ^x\n", ("x", 1, 2)), ("> a\n> b\n\n^x-1_y\n", ("x-1_y", 1, 2)), ("# H\n\n^x\n", ("x", 3, 3)),
    ],
)  # fmt: skip
def test_a_block_is_named_at_its_end_or_after_it(
    text: str, block: tuple[str, int, int]
) -> None:
    assert read(text).blocks == (block,)


@pytest.mark.parametrize(
    "text",
    [
        "a^x", "para ^x more", "mid ^x\nof it", "`a\nb ^x\n`", "p\n\n    code ^x", "```\n^x\n```\n",
        "<div>\nx ^x\n</div>\n", "x ^a.b",
    ],
)  # fmt: skip
def test_a_caret_elsewhere_names_nothing(text: str) -> None:
    assert read(text).blocks == ()


@pytest.mark.parametrize(
    "unit", ["[[a](", "[[a]](.", "[[", "`", "@ref[", "[a](", "^a ", "<!--", "> ", "![["]
)
def test_hostile_text_is_read_in_fair_time(unit: str) -> None:
    begin = time.perf_counter()
    read(unit * (50_000 // len(unit)))
    assert time.perf_counter() - begin < 2


@given(SYNTAX)
@example("# a\n## b\n# c")
def test_sections_nest_and_lie_in_the_text(text: str) -> None:
    page = parse_markdown(text)
    for section in page.sections:
        assert 1 <= section.start <= section.end <= max(count_lines(text), 1)
        if section.parent >= 0:
            outer = page.sections[section.parent]
            assert outer.level < section.level
            assert outer.start < section.start and section.end <= outer.end
    assert [section.start for section in page.sections] == sorted(
        section.start for section in page.sections
    )
    slugs = [section.slug for section in page.sections]
    assert len(set(slugs)) == len(slugs)


@given(SYNTAX)
def test_links_and_blocks_lie_in_the_text_in_order(text: str) -> None:
    page = parse_markdown(text)
    lines = count_lines(text)
    assert all(1 <= link.line <= lines and link.ref for link in page.links)
    assert all(1 <= block.start <= block.end <= lines for block in page.blocks)
    assert [link.line for link in page.links] == sorted(
        link.line for link in page.links
    )


def test_the_number_of_headings_ends_somewhere() -> None:
    page = parse_markdown("# a\n" * (MAX_HEADINGS + 5) + "[b](b.md)\n")
    assert (len(page.sections), len(page.links)) == (MAX_HEADINGS, 1)


def test_inline_code_is_read_with_its_lines_and_fences_are_not() -> None:
    text = "# `A` of it\n\nSee ``b `c` d`` and\n`é.f`.\n\n```\n`g`\n```\n\n    `h`\n\n- `i`\n| `j` |\n"
    assert read_code_spans(text) == [
        (1, "A"),
        (3, "b `c` d"),
        (4, "é.f"),
        (12, "i"),
        (13, "j"),
    ]


def test_lines_count_from_where_the_text_begins_in_its_file() -> None:
    assert read_code_spans("\n`a`\n", 5) == [(6, "a")]


def test_text_without_code_has_none() -> None:
    assert read_code_spans("# A\n\n[b](c.md) `open\n") == []
