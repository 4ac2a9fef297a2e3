from __future__ import annotations

import pytest

from cuedeck.graph.anchors import find_anchor, near_anchor
from cuedeck.model.file import File
from cuedeck.parse.parse_file import parse_file

DOC = """\
# Guide

## Login Flow

One. ^first

### Errors

## Error Handling & More

## Logout

### Errors

Two. ^second
"""

SOURCE = """\
import os


class Login:
    def verify(self):
        return 1

    @property
    def user(self):
        return 2

    @user.setter
    def user(self, value):
        pass


def verify():
    return 3


class Logout:
    def leave(self):
        return 4

    def user(self):
        return 5
"""


def parse_doc(text: str = DOC) -> File:
    return parse_file("docs/x.md", text.encode())


def parse_source(text: str = SOURCE) -> File:
    return parse_file("src/x.py", text.encode())


def anchor_spans(file: File, anchor: str) -> list[tuple[int, int]]:
    return [(place.start, place.end) for place in find_anchor(file, anchor)]


@pytest.mark.parametrize(
    "anchor",
    [
        "Login Flow",
        "login-flow",
        "LoginFlow",
        "login flow",
        "LOGIN_FLOW",
        "Login  Flow",
    ],
)
def test_heading_is_found_by_text_or_slug_ignoring_case_blanks_and_hyphens(
    anchor: str,
) -> None:
    """`#LoginFlow` for the heading `Login Flow` is the spelling of the seed
    documents.
    """
    (place,) = find_anchor(parse_doc(), anchor)
    assert (place.start, place.end, place.name) == (3, 8, anchor)


@pytest.mark.parametrize(
    "anchor", ["Error Handling & More", "error-handling--more", "error-handling-more"]
)
def test_heading_with_punctuation_is_found_by_every_common_slug(anchor: str) -> None:
    assert anchor_spans(parse_doc(), anchor) == [(9, 10)]


def test_section_includes_its_subsections() -> None:
    assert anchor_spans(parse_doc(), "Guide") == [(1, 15)]


@pytest.mark.parametrize(
    ("anchor", "span"),
    [
        ("Errors", (7, 8)),
        ("errors", (7, 8)),
        ("ERRORS", (7, 8)),
        ("errors-1", (13, 15)),
    ],
)
def test_the_first_of_equal_headings_counts(anchor: str, span: tuple[int, int]) -> None:
    assert anchor_spans(parse_doc(), anchor) == [span]


def test_path_of_headings_selects_one_of_repeated_headings() -> None:
    """Earlier tools stopped at the first `#`."""
    assert anchor_spans(parse_doc(), "Logout#Errors") == [(13, 15)]
    assert anchor_spans(parse_doc(), "Guide#LoginFlow#errors") == [(7, 8)]
    assert anchor_spans(parse_doc(), "#Logout#Errors") == [(13, 15)]


def test_slug_of_a_repeated_lower_case_heading_means_the_first() -> None:
    file = parse_doc("# setup\n\n# setup\n")
    assert anchor_spans(file, "setup") == [(1, 2)]
    assert anchor_spans(file, "setup-1") == [(3, 3)]


def test_every_candidate_of_an_ambiguous_heading_resolves_to_its_own_place() -> None:
    file = parse_doc("# a\n\n# A\n\n# a-1\n\n# a-1\n\n# a_B\n\n# A-b\n\n# A-b\n")
    for anchor in ("`A`", "ab"):
        places = find_anchor(file, anchor)
        assert len(places) > 1
        assert [anchor_spans(file, place.name) for place in places] == [
            [(place.start, place.end)] for place in places
        ]


@pytest.mark.parametrize(
    ("heading", "anchor"),
    [
        ("`code` heading & more!", "`code` heading & more!"),
        ("*Emph* and **strong**", "*Emph* and **strong**"),
        ("The [login](../src/auth.py) of `x`", "The [login](../src/auth.py) of `x`"),
        ("The [login](../src/auth.py) of `x`", "the login of `x`"),
        ("a\\_b ~~c~~", "a\\_b ~~c~~"),
        ("*", "*"),
        ("---", "---"),
    ],
)
def test_heading_is_found_with_its_markup(heading: str, anchor: str) -> None:
    (place,) = find_anchor(parse_doc(f"# Guide\n\n## {heading}\n\ntext\n"), anchor)
    assert (place.start, place.end, place.name) == (3, 5, anchor)


def test_headings_that_differ_in_markup_only_are_ambiguous_unless_spelled_exactly() -> (
    None
):
    file = parse_doc("# a\\*b\n\n# ab\n")
    assert anchor_spans(file, "a*b") == [(1, 2)]
    assert len(anchor_spans(file, "`ab`")) == 2


@pytest.mark.parametrize("anchor", ["", "#", "Nothing", " ", "-"])
def test_unknown_anchor_finds_nothing(anchor: str) -> None:
    assert anchor_spans(parse_doc(), anchor) == []


def test_block_is_found_by_its_id() -> None:
    assert anchor_spans(parse_doc(), "^first") == [(5, 5)]
    assert anchor_spans(parse_doc(), "^none") == []


def test_heading_that_looks_like_a_block_is_a_heading_without_such_a_block() -> None:
    file = parse_doc("## ^caret\n\nx\n\n## ^first\n\nOne. ^first\n")
    assert anchor_spans(file, "^caret") == anchor_spans(file, "caret") == [(1, 4)]
    assert anchor_spans(file, "^first") == [(7, 7)]
    assert anchor_spans(file, "first") == [(5, 7)]


@pytest.mark.parametrize(
    ("anchor", "span", "name"),
    [
        ("L2", (2, 2), "L2"),
        ("L2-L4", (2, 4), "L2-L4"),
        ("L2-4", (2, 4), "L2-L4"),
        ("l2-l4", (2, 4), "L2-L4"),
        ("L22-", (22, 26), "L22-L26"),
        ("L22-L99", (22, 26), "L22-L26"),
        ("L1-", (1, 26), "L1-L26"),
    ],
)
def test_lines_are_found_and_have_a_canonical_name(
    anchor: str, span: tuple[int, int], name: str
) -> None:
    (place,) = find_anchor(parse_source(), anchor)
    assert ((place.start, place.end), place.name) == (span, name)


@pytest.mark.parametrize(
    "anchor", ["L0", "L27", "L27-", "L9-L3", "L27-L99", "L", "L1x"]
)
def test_lines_beyond_the_end_of_the_file_are_not_found(anchor: str) -> None:
    assert anchor_spans(parse_source(), anchor) == []


def test_heading_that_looks_like_a_line_is_a_heading() -> None:
    file = parse_doc("# Layers\n\n## L1\n\nOverview.\n\n## L2\n")
    assert anchor_spans(file, "L1") == [(3, 6)]
    assert anchor_spans(file, "L3") == [(3, 3)]


def test_symbol_is_found_by_its_whole_name_and_by_a_unique_tail() -> None:
    assert anchor_spans(parse_source(), "Login.verify") == [(5, 6)]
    assert anchor_spans(parse_source(), "Login::verify") == [(5, 6)]
    (place,) = find_anchor(parse_source(), "leave")
    assert place.name == "Logout.leave"


def test_method_is_found_by_the_prototype_it_is_assigned_to() -> None:
    file = parse_file(
        "x.js",
        b"Reply.prototype.send = function () {\n}\nother.send = function () {}\n",
    )
    assert [
        (place.start, place.end, place.name)
        for place in find_anchor(file, "Reply.prototype.send")
    ] == [(1, 2, "Reply.send")]


def test_tail_of_several_names_is_ambiguous() -> None:
    assert {place.name for place in find_anchor(parse_source(), "user")} == {
        "Login.user",
        "Logout.user",
    }


def test_property_and_its_setter_are_one_place() -> None:
    assert anchor_spans(parse_source(), "Login.user") == [(8, 14)]


def test_binary_file_has_no_anchors() -> None:
    file = parse_file("x.png", b"\x89PNG\0\0")
    assert anchor_spans(file, "L1") == []
    assert anchor_spans(file, "^a") == []


def test_nearest_anchor_is_suggested() -> None:
    assert near_anchor(parse_doc(), "LoginFlows") == "Login Flow"
    assert near_anchor(parse_source(), "Login.verfy") == "Login.verify"
    assert near_anchor(parse_doc(), "^frist") == "^first"
    assert near_anchor(parse_doc(), "zzzzzz") == ""
