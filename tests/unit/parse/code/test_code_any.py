"""Properties of the code reader that hold for every language."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest
from code_reading import code, names
from hypothesis import given
from hypothesis import strategies as st

from cuedeck.model.errors import install_hint
from cuedeck.parse.code import MAX_BYTES, MAX_NESTING, MAX_ROW, parser_of
from cuedeck.parse.code.definitions import MAX_DEPTH, MAX_SYMBOLS
from cuedeck.parse.languages import languages

PATHS = [f"a{language.suffixes[0]}" for language in languages().values()]


@pytest.fixture
def without_java(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setitem(sys.modules, "tree_sitter_java", None)
    parser_of.cache_clear()
    yield
    parser_of.cache_clear()


@pytest.mark.usefixtures("without_java")
def test_a_missing_grammar_is_a_note() -> None:
    found = code("A.java", "class A {}\n")
    assert (found.symbols, found.imports) == ((), ())
    assert [tuple(each) for each in found.diagnostics] == [
        (
            "A.java",
            0,
            "info",
            "no-grammar",
            "no grammar for Java is installed; the file has an outline of lines",
            install_hint("languages"),
        )
    ]
    assert names("a.py", "def f(): ...\n") == ["f"]


@pytest.mark.parametrize(
    ("path", "text", "line"),
    [
        ("a.py", "x = 1\n\ndef (\n", 3), ("a.go", "package a\n((((\n", 2), ("a.ts", "let a\nclass {{\n", 2),
    ],
)  # fmt: skip
def test_a_syntax_error_is_a_note(path: str, text: str, line: int) -> None:
    found = code(path, text).diagnostics
    assert [(each.line, each.level, each.code) for each in found] == [
        (line, "info", "syntax")
    ]
    assert (
        found[0].hint
        == "correct the syntax, or ignore this if the file is being edited"
    )


def test_a_fault_inside_of_a_body_hides_no_definition_and_is_no_note() -> None:
    found = code("a.rs", 'fn a() { str![[r#"x"#]] ; let = ; }\nfn b() {}\n')
    assert ([each.name for each in found.symbols], found.diagnostics) == (
        ["a", "b"],
        (),
    )


def test_macros_of_c_are_no_faults() -> None:
    found = code(
        "a.h", "BEGIN_DECLS\nEXPORT int f(void) THROW;\nint g(void);\nEND_DECLS\n"
    )
    assert found.diagnostics == ()
    assert "g" in [each.name for each in found.symbols]


def test_order_is_by_line_then_size_then_name() -> None:
    found = code("a.js", "class A { b() {} a() {} }\nlet d, c\n").symbols
    assert [each.name for each in found] == ["A", "A.a", "A.b", "c", "d"]


def test_a_doc_is_cut() -> None:
    found = (
        code("a.go", f"package a\n\n// {'word ' * 100}\nfunc F() {{}}\n").symbols[0].doc
    )
    assert len(found) == 200
    assert found.endswith("…")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("x=1;" * MAX_ROW, "a line of 20,000 characters"),
        (("x" * 400 + "\n") * 20, "lines of 381 characters on average"),
        ("x = 1\ny = 2\n" * 600, "the same lines repeated many times"),
        (
            "".join(f"a{at} = ((((((((((\n" for at in range(60)),
            f"brackets nested more than {MAX_NESTING} deep",
        ),
        (
            "".join(f"x{at} = 'some text of a long file'\n" for at in range(20_000)),
            f"larger than {MAX_BYTES:,} bytes",
        ),
    ],
)
def test_generated_files_have_no_symbols(text: str, reason: str) -> None:
    found = code("a.py", text)
    assert (found.symbols, found.imports) == ((), ())
    assert [(each.line, each.level, each.code) for each in found.diagnostics] == [
        (0, "info", "minified")
    ]
    assert found.diagnostics[0].message == f"{reason}: symbols and imports are not read"


def test_many_comments_that_never_end_are_put_aside() -> None:
    text = "".join(f"/* {at}\n" for at in range(2_000))
    assert [each.message for each in code("a.go", text).diagnostics] == [
        "comments without an end: symbols and imports are not read"
    ]
    assert names("a.js", "let a = ['x/*', 'y/*'] /* c */\n" * 9 + "let b\n") == [
        *"a" * 9,
        "b",
    ]


# Each took a parser seconds or a stack frame a bracket.
HOSTILE = {
    "brackets": "(" * 100_000 + ")" * 100_000,
    "open brackets": "(" * 1_000_000,
    "open lists": "a=[[[[" * 166_000,
    "open lists in rows": "a=[[[[\n" * 142_000,
    "blocks": "{\n" * 50_000 + "}\n" * 50_000,
    "functions": "function f() {\n" * 30_000 + "}\n" * 30_000,
    "classes": "class A {\n" * 50_000 + "}\n" * 50_000,
    "comments": "/*\n" * 10_000,
    "comparisons": "a<b\n" * 200_000,
    "quotes": "'\"\n" * 300_000,
}


@pytest.mark.parametrize("path", ["a.py", "a.ts"])
@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_texts_are_put_aside(path: str, text: str) -> None:
    assert [each.code for each in code(path, text).diagnostics] == ["minified"]


def test_nesting_that_is_read_ends_somewhere() -> None:
    rows = [" " * at + f"class A{at}:" for at in range(90)]
    found = names("a.py", "\n".join([*rows, " " * 90 + "pass"]))
    assert len(found) == MAX_DEPTH + 1
    deep = "".join(f"mod m{at} {{\n" for at in range(400)) + "fn f() {}\n" + "}\n" * 400
    assert names("a.rs", deep) == []


def test_the_number_of_symbols_ends_somewhere() -> None:
    assert (
        len(names("a.py", "".join(f"A{at} = 1\n" for at in range(MAX_SYMBOLS + 5))))
        == MAX_SYMBOLS
    )


@pytest.mark.parametrize("path", PATHS)
def test_empty_texts_and_odd_characters_are_read(path: str) -> None:
    for text in ("", "\n", "\0", "\ud800", "\x0c", "\ufeff", "é" * 10):
        assert code(path, text).symbols == ()


WORDS = """
class def fn func function struct impl interface enum type const static import from use mod require export default
namespace package public ( ) { } [ ] < > : ; , . = => -> " ' ` # // /* */ /// /** @ #[ ]] \\ \0 é A Bc D_E 1
"""
PIECES = st.sampled_from([*WORDS.split(), "\n", "\n\n", "    ", "<?php ", "'''"])


@given(st.sampled_from(PATHS), st.lists(PIECES, max_size=60))
def test_no_text_raises(path: str, pieces: list[str]) -> None:
    text = " ".join(pieces)
    found = code(path, text)
    last = text.count("\n") + 1
    for each in found.symbols:
        assert 1 <= each.start <= each.head <= each.end <= last
        assert each.name
        assert "\n" not in each.name + each.signature + each.doc
    assert [each.line for each in found.imports] == sorted(
        each.line for each in found.imports
    )
    assert list(found.symbols) == sorted(
        found.symbols, key=lambda each: (each.start, -each.end, each.name)
    )
    assert found == code(path, text)
