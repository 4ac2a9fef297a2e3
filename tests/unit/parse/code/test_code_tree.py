"""Texts that are not of their language, and how much work they are worth."""

from __future__ import annotations

import random

import pytest
from code_reading import code
from tree_sitter import Parser

from cuedeck.parse.code import MAX_WORK, MIN_BYTES, parser_of, read_tree
from cuedeck.parse.languages import languages

WORDS = """
class def fn func struct impl import from use if else for while return try ( ) { } [ ] < > : ; , . = => -> + - * / & |
! ? a B foo bar_baz 0 1 0x1f
"""
TOKENS = WORDS.split()
ROWS = 1_200


def junk(words: list[str], rows: int = ROWS) -> str:
    choose = random.Random(1).choice
    return "".join(
        " ".join(choose(words) for _ in range(12)) + "\n" for _ in range(rows)
    )


@pytest.fixture
def little_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lower the limit of work, so that small texts exceed it and tests run faster."""
    monkeypatch.setattr("cuedeck.parse.code.MAX_WORK", MAX_WORK // 10)


def parser(language: str) -> Parser:
    found = parser_of(languages()[language].grammar)
    assert found is not None
    return found


@pytest.mark.usefixtures("little_work")
@pytest.mark.parametrize(
    "path", ["a.ts", "a.js", "a.c", "a.cpp", "a.cs", "a.rb", "a.rs"]
)
def test_a_file_of_another_language_is_excluded(path: str) -> None:
    found = code(path, junk(TOKENS, ROWS * 2))
    assert (found.symbols, found.imports) == ((), ())
    assert [(each.line, each.level, each.code) for each in found.diagnostics] == [
        (0, "info", "syntax")
    ]
    assert found.diagnostics[0].message.startswith("most of it is not valid ")


@pytest.mark.usefixtures("little_work")
@pytest.mark.parametrize(
    ("path", "row"),
    [
        ("a.sh", "(a{at})(b)(c)*d&e<f>(g)\n"),
        ("a.js", "{at:08x}: 4f2a 0e1 9c3b 77d0  ....ab..\n"),
        ("a.cs", "{at},2,3,4\n"),
    ],
    ids=[
        "looked at over and over", "taken back over and over", "one fault after the other",
    ],
)  # fmt: skip
def test_every_kind_of_work_counts(path: str, row: str) -> None:
    text = "".join(row.format(at=at) for at in range(ROWS * 3))
    assert [each.line for each in code(path, text).diagnostics] == [0]


@pytest.mark.usefixtures("little_work")
def test_long_texts_that_parse_are_read() -> None:
    found = code(
        "a.ts",
        "".join(
            f"export function f{at}(a: number) {{ return [a, {at}] }}\n"
            for at in range(ROWS)
        ),
    )
    assert (len(found.symbols), found.diagnostics) == (ROWS, ())


def test_faults_between_definitions_hide_none() -> None:
    found = code(
        "a.ts", "".join(f"function f{at}() {{ return a b }}\n\n" for at in range(ROWS))
    )
    assert len(found.symbols) == ROWS


@pytest.mark.usefixtures("little_work")
def test_a_parser_that_was_stopped_reads_the_next_text() -> None:
    text = "".join(f"def f{at}(): return 'é{at}'\n" for at in range(ROWS))
    before = code("a.py", text)
    assert (
        read_tree(
            parser("python"),
            junk(["é(", "[{", "x", ":", "@", "=", ")"], ROWS * 4).encode(),
        )
        is None
    )
    assert code("a.py", text) == before


def test_the_same_text_takes_the_same_work(monkeypatch: pytest.MonkeyPatch) -> None:
    text = junk(TOKENS, 500).encode()
    assert len(text) > MIN_BYTES

    def is_read(most: int) -> bool:
        monkeypatch.setattr("cuedeck.parse.code.MAX_WORK", most)
        return read_tree(parser("go"), text) is not None

    low, high = 0, MAX_WORK
    for _ in range(8):
        middle = (low + high) // 2
        low, high = (low, middle) if is_read(middle) else (middle, high)
    assert [is_read(low), is_read(high)] * 2 == [False, True] * 2


def test_a_text_read_in_pieces_has_the_tree_of_the_whole() -> None:
    text = "".join(
        f"# é{at}\ndef f{at}(a='ü'):\n    '''ä\n\n    {at}'''\n" for at in range(ROWS)
    ).encode()
    found = read_tree(parser("python"), text)
    whole = parser("python").parse(text).root_node
    assert found is not None
    assert (str(found), found.end_point) == (str(whole), whole.end_point)
    assert [each.text for each in found.children] == [
        each.text for each in whole.children
    ]
