"""Queries that are searched as written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cuedeck.parse.literal_query import find_literal, read_literal
from cuedeck.text.fold_text import fold_text


@pytest.mark.parametrize(
    ("query", "literal"),
    [
        ("0.0.0.0", "0.0.0.0"), ("a->b", "a->b"), ("foo()", "foo()"), ("`--exclude-tag`", "--exclude-tag"),
        ("C++", "C++"), ("@decorator", "@decorator"), ('"quoted phrase"', "quoted phrase"), ("“token”", "token"),
        ("配置", "配置"), ("dead-link", ""), ("x86_64", ""), ("plain words", ""),
    ],
)  # fmt: skip
def test_text_with_punctuation_or_in_quotes_is_literal(
    query: str, literal: str
) -> None:
    assert read_literal(query) == literal


@pytest.mark.parametrize(
    ("literal", "text", "lines"),
    [
        ("0.0.0.0", "10.0.0.0\n0.0.0.0\n", [2]), ("0.1.4", "# v0.1.4\nsv0.1.4 10.1.4\n0.1.4", [1, 3]),
        ("quoted phrase", "a quoted\nphrase, Quoted  Phrase", [1, 2]),
        ("istanbul", "x\nİstanbul\nI\u0307STANBUL", [2, 3]), ("Straße", "STRASSE", [1]), ("配置", "修改配置文件", [1]),
        ("c++", "C+\nuse C++, not C", [2]),
    ],
)  # fmt: skip
def test_literal_is_found_in_any_case_and_with_any_marks(
    literal: str, text: str, lines: list[int]
) -> None:
    assert find_literal(text, [literal]) == lines


@given(st.text())
def test_a_folded_text_has_the_lines_of_the_text(text: str) -> None:
    assert fold_text(text).count("\n") == text.count("\n")
    assert fold_text(fold_text(text)) == fold_text(text)
