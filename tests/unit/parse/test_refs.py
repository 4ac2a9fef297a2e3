from __future__ import annotations

import pytest

from cuedeck.model.diagnostic import Diagnostic
from cuedeck.model.errors import Invalid
from cuedeck.model.file import Link
from cuedeck.parse.frontmatter import split_front_matter
from cuedeck.parse.refs import parse_refs, read_back


def read(yaml: str) -> tuple[tuple[Link, ...], tuple[Diagnostic, ...]]:
    return parse_refs("x.md", split_front_matter("x.md", f"---\n{yaml}\n---\n"))


def test_refs_keep_their_order_and_lines() -> None:
    links, found = read("refs:\n  - docs/b.md#H\n\n  - '[[a|x]]'\n  - src/a.py")
    assert [(link.ref, link.line, link.form) for link in links] == [
        ("docs/b.md#H", 3, "refs"),
        ("a", 5, "refs"),
        ("src/a.py", 6, "refs"),
    ]
    assert found == ()


def test_a_single_ref_needs_no_list() -> None:
    assert [link.ref for link in read("refs: docs/a.md")[0]] == ["docs/a.md"]
    assert read("refs: {ref: a.md, pin: yes}")[0] == (
        Link("a.md", 2, "refs", "", True),
    )


def test_a_ref_with_a_line_break_is_one_that_leads_nowhere() -> None:
    links, found = read('refs: ["dead\\n## y", {ref: "a\\nb.md"}]')
    assert [link.ref for link in links] == [r"dead\n## y", r"a\nb.md"]
    assert found == ()


@pytest.mark.parametrize(
    "text",
    [
        "https://a.b", "frobnicate:widget.py", "a\nb.md", "a\x85b.md", "#", "", "x" * 1_001,
    ],
)  # fmt: skip
def test_a_text_that_would_be_no_ref_is_refused(text: str) -> None:
    with pytest.raises(Invalid):
        read_back(text)


def test_a_text_is_read_back_as_the_ref_it_would_be() -> None:
    assert [read_back(text) for text in ("docs/a.md", "[[a|x]]", "/b:c.py")] == [
        "docs/a.md",
        "a",
        "/b:c.py",
    ]


def test_no_refs_are_no_fault() -> None:
    assert read("title: x") == read("refs:") == read("refs: []") == ((), ())


def test_a_mapping_asks_for_a_view_and_pins() -> None:
    (link,), found = read("refs:\n  - ref: docs/x.md\n    view: full\n    pin: true")
    assert link == Link("docs/x.md", 3, "refs", "full", True)
    assert found == ()


def test_an_invalid_ref_is_reported_with_its_line_and_hides_no_other() -> None:
    links, found = read(
        "refs:\n  - [[a]]\n  - https://x.y/z\n  -\n  - {to: x}\n  - {ref: [x]}\n"
        "  - {ref: b, view: half}\n  - {ref: c, pin: maybe}\n  - {ref: d, pinned: true}"
    )
    assert [link.ref for link in links] == ["b", "c", "d"]
    assert {each.code for each in found} == {"bad-ref"}
    assert [each.line for each in found] == [3, 4, 5, 6, 7, 8, 9, 10]
    assert "quotes" in found[0].hint
