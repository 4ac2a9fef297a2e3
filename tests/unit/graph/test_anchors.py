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


def doc(text: str = DOC) -> File:
    return parse_file("docs/x.md", text.encode())


def source(text: str = SOURCE) -> File:
    return parse_file("src/x.py", text.encode())


def spans(file: File, anchor: str) -> list[tuple[int, int]]:
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
def test_a_heading_is_found_by_text_slug_and_without_case_blanks_or_hyphens(
    anchor: str,
) -> None:
    """`#LoginFlow` for the heading `Login Flow` is the spelling of the seed
    documents.
    """
    (place,) = find_anchor(doc(), anchor)
    assert (place.start, place.end, place.name) == (3, 8, anchor)


@pytest.mark.parametrize(
    "anchor", ["Error Handling & More", "error-handling--more", "error-handling-more"]
)
def test_a_heading_with_signs_is_found_by_every_slug_people_write(anchor: str) -> None:
    assert spans(doc(), anchor) == [(9, 10)]


def test_a_section_holds_its_subsections() -> None:
    assert spans(doc(), "Guide") == [(1, 15)]


def test_a_repeated_heading_is_ambiguous_and_its_candidates_tell_it_apart() -> None:
    places = find_anchor(doc(), "Errors")
    assert [place.name for place in places] == ["errors", "errors-1"]
    assert [spans(doc(), place.name) for place in places] == [[(7, 8)], [(13, 15)]]


def test_a_path_of_headings_tells_repeated_headings_apart() -> None:
    """Earlier tools stopped at the first `#`."""
    assert spans(doc(), "Logout#Errors") == [(13, 15)]
    assert spans(doc(), "Guide#LoginFlow#errors") == [(7, 8)]
    assert spans(doc(), "#Logout#Errors") == [(13, 15)]


@pytest.mark.parametrize(
    "anchor", ["Errors#Logout", "Nowhere#Errors", "Login Flow#Logout"]
)
def test_a_path_of_headings_must_hold_in_its_order(anchor: str) -> None:
    assert spans(doc(), anchor) == []


def test_a_heading_with_a_hash_in_it_is_found() -> None:
    assert spans(doc("# Languages\n\n## C# and F#\n\ntext\n"), "C# and F#") == [(3, 5)]


def test_what_is_spelled_exactly_goes_before_what_only_looks_alike() -> None:
    file = doc("# API\n\n# Api\n\n# a-pi\n")
    assert spans(file, "API") == [(1, 2)]
    assert spans(file, "Api") == [(3, 4)]
    assert spans(file, "a-pi") == [(5, 5)]
    assert len(spans(file, "aPi")) == 3


def test_the_slug_of_a_repeated_lower_case_heading_means_the_first() -> None:
    file = doc("# setup\n\n# setup\n")
    assert spans(file, "setup") == [(1, 2)]
    assert spans(file, "setup-1") == [(3, 3)]


def test_every_candidate_of_an_ambiguous_heading_leads_to_its_own_place() -> None:
    file = doc("# A\n\n# A\n\n# a\n\n# !\n\n# !\n")
    for anchor in ("A", "!"):
        places = find_anchor(file, anchor)
        assert [spans(file, place.name) for place in places] == [
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
def test_a_heading_is_found_as_it_is_written_with_its_markup(
    heading: str, anchor: str
) -> None:
    (place,) = find_anchor(doc(f"# Guide\n\n## {heading}\n\ntext\n"), anchor)
    assert (place.start, place.end, place.name) == (3, 5, anchor)


def test_headings_that_only_markup_tells_apart_are_ambiguous_unless_spelled_exactly() -> (
    None
):
    file = doc("# a\\*b\n\n# ab\n")
    assert spans(file, "a*b") == [(1, 2)]
    assert len(spans(file, "`ab`")) == 2


@pytest.mark.parametrize("anchor", ["", "#", "Nothing", " ", "-"])
def test_an_anchor_that_fits_nothing_finds_nothing(anchor: str) -> None:
    assert spans(doc(), anchor) == []


def test_a_block_is_found_by_its_id() -> None:
    assert spans(doc(), "^first") == [(5, 5)]
    assert spans(doc(), "^none") == []


def test_a_heading_that_looks_like_a_block_is_a_heading_unless_there_is_such_a_block() -> (
    None
):
    file = doc("## ^caret\n\nx\n\n## ^first\n\nOne. ^first\n")
    assert spans(file, "^caret") == spans(file, "caret") == [(1, 4)]
    assert spans(file, "^first") == [(7, 7)]
    assert spans(file, "first") == [(5, 7)]


def test_a_repeated_block_id_is_ambiguous() -> None:
    places = find_anchor(doc("one ^a\n\ntwo ^a\n"), "^a")
    assert [place.name for place in places] == ["L1", "L3"]


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
def test_lines_are_found_and_named_canonically(
    anchor: str, span: tuple[int, int], name: str
) -> None:
    (place,) = find_anchor(source(), anchor)
    assert ((place.start, place.end), place.name) == (span, name)


@pytest.mark.parametrize(
    "anchor", ["L0", "L27", "L27-", "L9-L3", "L27-L99", "L", "L1x"]
)
def test_lines_the_file_does_not_have_are_not_found(anchor: str) -> None:
    assert spans(source(), anchor) == []


def test_a_heading_that_looks_like_a_line_is_a_heading() -> None:
    file = doc("# Layers\n\n## L1\n\nOverview.\n\n## L2\n")
    assert spans(file, "L1") == [(3, 6)]
    assert spans(file, "L3") == [(3, 3)]


def test_a_symbol_is_found_by_its_whole_name_and_by_a_unique_tail() -> None:
    assert spans(source(), "Login.verify") == [(5, 6)]
    assert spans(source(), "Login::verify") == [(5, 6)]
    (place,) = find_anchor(source(), "leave")
    assert place.name == "Logout.leave"


def test_a_method_is_found_by_the_prototype_it_is_assigned_to() -> None:
    file = parse_file(
        "x.js",
        b"Reply.prototype.send = function () {\n}\nother.send = function () {}\n",
    )
    assert [
        (place.start, place.end, place.name)
        for place in find_anchor(file, "Reply.prototype.send")
    ] == [(1, 2, "Reply.send")]


def test_a_whole_name_goes_before_a_tail() -> None:
    assert spans(source(), "verify") == [(17, 18)]


def test_a_tail_of_several_names_is_ambiguous() -> None:
    assert {place.name for place in find_anchor(source(), "user")} == {
        "Login.user",
        "Logout.user",
    }


def test_a_property_and_its_setter_are_one_place() -> None:
    assert spans(source(), "Login.user") == [(8, 14)]


def test_definitions_of_one_name_far_apart_are_ambiguous_by_their_lines() -> None:
    places = find_anchor(
        source("def a():\n    pass\n\ndef b():\n    pass\n\ndef a():\n    pass\n"), "a"
    )
    assert [place.name for place in places] == ["L1-L2", "L7-L8"]


def test_a_source_without_symbols_has_lines_only() -> None:
    file = parse_file("src/x.lua", b"function verify() end\n")
    assert spans(file, "verify") == []
    assert spans(file, "L1") == [(1, 1)]


def test_a_binary_file_has_no_parts() -> None:
    file = parse_file("x.png", b"\x89PNG\0\0")
    assert spans(file, "L1") == []
    assert spans(file, "^a") == []


def test_an_empty_file_has_one_line_as_its_own_address_says() -> None:
    assert spans(doc(""), "L1") == spans(doc(""), "L1-") == [(1, 1)]
    assert spans(doc(""), "L2") == []


def test_a_miss_names_what_comes_near() -> None:
    assert near_anchor(doc(), "LoginFlows") == "Login Flow"
    assert near_anchor(source(), "Login.verfy") == "Login.verify"
    assert near_anchor(doc(), "^frist") == "^first"
    assert near_anchor(doc(), "zzzzzz") == ""
