"""Prose of Markdown texts."""

from __future__ import annotations

from cuedeck.parse.prose import ProseBlock, read_prose


def texts(body: str) -> list[str]:
    return [block.text for block in read_prose(body)]


def test_blocks_are_in_text_order_with_their_levels() -> None:
    body = "# T\n\nOne *two* `three`.\nFour.\n\n- a\n  - b\n\n## U\n\nEnd.\n"
    assert read_prose(body) == [
        ProseBlock("heading", "T", 1),
        ProseBlock("paragraph", "One two `three`. Four."),
        ProseBlock("item", "a", 1),
        ProseBlock("item", "b", 2),
        ProseBlock("heading", "U", 2),
        ProseBlock("paragraph", "End."),
    ]


def test_code_html_images_and_footnotes_are_left_out() -> None:
    body = (
        "```python\ncode\n```\n\n<div>\nhtml\n</div>\n\n![alt](x.png)\n\n"
        "Text[^1] <b>bold</b>.\n\n[^1]: foot\n"
    )
    assert texts(body) == ["Text bold."]


def test_badges_and_navigation_are_left_out() -> None:
    body = (
        "[![build](b.svg)](ci) [![docs](d.svg)](doc)\n\n"
        "[Docs](d) | [Issues](i) | [Chat](c)\n\n"
        "- [Install](#install)\n- [Use](#use)\n\n"
        "Read the [guide](g) before you start.\n"
    )
    assert texts(body) == ["Read the guide before you start."]


def test_an_item_that_links_to_another_file_stays() -> None:
    assert texts("- [Install](install.md)\n") == ["Install"]


def test_a_table_is_its_header_row() -> None:
    assert read_prose("| a | b |\n|---|---|\n| 1 | 2 |\n") == [
        ProseBlock("table", "a | b")
    ]


def test_directives_and_marks_of_alerts_are_left_out() -> None:
    body = "/// note\nInside.\n///\n\n::: tip\n\n> [!NOTE]\n> Quoted.\n\n## H { #h }\n"
    assert texts(body) == ["Inside.", "Quoted.", "H"]


def test_an_item_with_several_paragraphs_is_kept_once() -> None:
    assert texts("- one\n\n  two\n- three\n") == ["one", "two", "three"]


def test_the_placeholder_of_a_secret_stays() -> None:
    assert texts("Use <secret:github-token:1> and <https://a.b>.\n") == [
        "Use <secret:github-token:1> and https://a.b."
    ]
