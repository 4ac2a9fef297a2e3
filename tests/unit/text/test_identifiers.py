"""Identifiers of a text: their parts, and the lines that contain one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cuedeck.text.identifiers import (
    find_lines,
    last_step,
    read_identifiers,
    split_identifier,
)

SPELLINGS = (
    "missing-backlink",
    "missing_backlink",
    "missingBacklink",
    "MissingBacklink",
    "MISSING_BACKLINK",
)


@pytest.mark.parametrize("name", SPELLINGS)
def test_every_spelling_has_the_same_parts(name: str) -> None:
    assert split_identifier(name) == ("missing", "backlink")


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("print0", ("print0",)),
        ("HTTPServer", ("http", "server")),
        ("_private", ("private",)),
        ("base64Encode", ("base64", "encode")),
        ("dotall", ("dotall",)),
        ("größe_ändern", ("größe", "ändern")),
    ],
)
def test_parts_end_where_the_case_changes(name: str, parts: tuple[str, ...]) -> None:
    assert split_identifier(name) == parts


@pytest.mark.parametrize("searched", SPELLINGS)
@pytest.mark.parametrize("written", SPELLINGS)
def test_a_name_is_found_in_every_spelling(searched: str, written: str) -> None:
    assert find_lines(
        f"first\nx = ({written})\nlast\n", split_identifier(searched)
    ) == [2]


@pytest.mark.parametrize(
    ("text", "is_found"),
    [
        ("test_missing_backlink_rule", True),
        ("newMissingBacklinkRule", True),
        ("MissingBacklinks", True),
        ("--missing-backlink=yes", True),
        ("missing backlink", False),
        ("missing_backlinked", False),
        ("unmissing_backlink", False),
    ],
)
def test_a_compound_is_found_where_its_parts_begin_and_end(
    text: str, is_found: bool
) -> None:
    assert bool(find_lines(text, ("missing", "backlink"))) is is_found


@pytest.mark.parametrize(
    ("text", "is_found"),
    [
        ("is_tagless", True),
        ("findTagless", True),
        ("--tagless", True),
        ("taglessness", False),
        ("taglesss", False),
    ],
)
def test_a_single_word_is_found_within_compounds_but_not_within_words(
    text: str, is_found: bool
) -> None:
    assert bool(find_lines(text, ("tagless",))) is is_found


def test_the_plural_of_a_single_word_is_another_word() -> None:
    assert find_lines("invoke\ninvokes\n", ("invoke",)) == [1]


def test_a_line_with_two_occurrences_is_one_line() -> None:
    assert find_lines("a_b = a_b\n\nA_B\n", ("a", "b")) == [1, 3]


@given(st.text(st.sampled_from("abAB_-. \n0"), max_size=60))
def test_the_lines_found_are_lines_that_contain_the_word(text: str) -> None:
    rows = text.split("\n")
    found = find_lines(text, ("ab",))
    assert found == sorted(set(found))
    assert all("ab" in rows[line - 1].lower() for line in found)


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("the default value of it", ()),
        ("def lookup(name: str, deep=True):", ("lookup", "name", "deep")),
        ("call verify_token and DeadLink now", ("verify_token", "DeadLink")),
        ("  --dotall  Match newlines", ("dotall",)),
        ('if kind == "plain":', ("plain",)),
        ("See https://example.org/some_page/index.html", ()),
        ("A well-known fact about `print0`.", ("print0",)),
        ("self.cache.clear()", ("self", "cache", "clear")),
        ("An end. Another begins: here", ()),
    ],
)
def test_words_of_prose_are_no_identifiers(line: str, names: tuple[str, ...]) -> None:
    assert read_identifiers(line) == names


def test_a_very_long_line_is_read_at_its_beginning_only() -> None:
    assert read_identifiers(f"first_name {'x' * 500} last_name") == ("first_name",)


@pytest.mark.parametrize(
    ("name", "step"),
    [
        ("AppContext.push()", "push"),
        ("--missing-backlink", "missing-backlink"),
        ("auth::Login#verify", "verify"),
        ("`x`", "x"),
        ("()", ""),
    ],
)
def test_the_last_step_of_a_name(name: str, step: str) -> None:
    assert last_step(name) == step
