from __future__ import annotations

import warnings
from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cuedeck.parse.symbols import MAX_CONSTANT, python_symbols


def read(text: str) -> list[tuple[object, ...]]:
    found = python_symbols(dedent(text))
    assert found is not None
    return [tuple(symbol) for symbol in found]


def test_definitions_are_qualified_and_span_their_decorators() -> None:
    text = """\
    import x

    @x.deco(
        1)
    class Login(Base, metaclass=M):
        LIMIT = 3

        @property
        def verify(self) -> bool:
            def inner(): ...
            class Local: ...
            return True

        class Deep:
            async def go(self): ...

    def free(): ...
    """
    assert read(text) == [
        ("Login", "class", 3, 15, "class Login(Base, metaclass=M)"),
        ("Login.verify", "method", 8, 12, "def verify(self) -> bool"),
        ("Login.Deep", "class", 14, 15, "class Deep"),
        ("Login.Deep.go", "method", 15, 15, "async def go(self)"),
        ("free", "function", 17, 17, "def free()"),
    ]


def test_definitions_under_conditions_count() -> None:
    text = """\
    if A:
        def f(): ...
    elif B:
        X_Y: int = 1
    try:
        class C:
            if D:
                def m(self): ...
    except* E:
        def g(): ...
    finally:
        Z1 = 2
    """
    assert [row[:3] for row in read(text)] == [
        ("f", "function", 2),
        ("X_Y", "constant", 4),
        ("C", "class", 6),
        ("C.m", "method", 8),
        ("g", "function", 10),
        ("Z1", "constant", 12),
    ]


@pytest.mark.parametrize(
    ("head", "signature"),
    [
        ("def f(a: 'x: y' = ':#', *, b=lambda x: x[1:2]) -> d[str, int]:  # c: d", None),
        ("def f(\n    a: int,  # first: x\n    *b,\n):", "def f(a: int, *b)"),
        ("def f(a=(1,)):", None),
        ("def f(  # why: because\n):", "def f()"),
        ("class C:  # x: y", None),
        ("async  def  f(é='ü') :", "async def f(é='ü')"),
        ("def f(a, /, b, *c, d={1: 2}, **e):", None),
        ("class C(A, b={1: 2}):", None),
    ],
)
def test_a_signature_is_the_head_on_one_line(head: str, signature: str | None) -> None:
    expected = signature or head.partition(":  #")[0].removesuffix(":")
    assert read(f"{head}\n    pass")[0][4] == expected


def test_constants_are_upper_case_and_cut() -> None:
    text = (
        "A1 = B_2 = [\n    1,  # one\n]\nT = 1\nlower = 2\nLong = 3\n_PRIVATE: int = 4\nA.B = 5\nLONG = "
        + "'x' + " * 40
        + "''\n"
    )
    found = read(text)
    assert [row[0] for row in found] == ["A1", "B_2", "_PRIVATE", "LONG"]
    assert found[0] == ("A1", "constant", 1, 3, "A1 = B_2 = [1]")
    signature = str(found[3][4])
    assert len(signature) == MAX_CONSTANT
    assert signature.endswith("…")


@pytest.mark.parametrize(
    "text",
    [
        "def (",
        "x = 1\0",
        "(" * 5_000,
        "-" * 50_000 + "1",
        "1+" * 50_000 + "1",
        "if a: pass\nel" * 3_000 + "if b: pass",
    ],
)
def test_what_cannot_be_parsed_has_no_symbols(text: str) -> None:
    assert python_symbols(text) is None


def test_warnings_of_the_compiler_stay_silent() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert [row[0] for row in read("def f():\n    return '\\d' is 1\n")] == ["f"]


@given(st.text("def clas()X:=\n #'\"@,[]*é1"))
def test_no_text_raises(text: str) -> None:
    for symbol in python_symbols(text) or ():
        assert 1 <= symbol.start <= symbol.end <= text.count("\n") + 1
        assert "\n" not in symbol.signature
