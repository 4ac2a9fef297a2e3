from __future__ import annotations

import pytest
from code_reading import code, docs, imports, names, outline

from cuedeck.parse.code.source_text import MAX_CONSTANT, MAX_SIGNATURE


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
    assert outline("a.py", text) == [
        "Login class 3-15 class Login(Base, metaclass=M)",
        "Login.LIMIT constant 6-6 LIMIT = 3",
        "Login.verify method 8-12 def verify(self) -> bool",
        "Login.Deep class 14-15 class Deep",
        "Login.Deep.go method 15-15 async def go(self)",
        "free function 17-17 def free()",
    ]


def test_the_head_is_the_line_of_the_name() -> None:
    found = code("a.py", "@a\n@b(\n  1)\ndef f(): ...\nX_1 = 2\n").symbols
    assert [(each.start, each.head) for each in found] == [(1, 4), (5, 5)]


def test_definitions_under_conditions_count() -> None:
    text = """\
    if A:
        def f(): ...
    elif B:
        X_Y: int = 1
    else:
        def e(): ...
    try:
        class C:
            if D:
                def m(self): ...
    except* E:
        def g(): ...
    finally:
        Z1 = 2
    with w:
        def in_with(): ...
    """
    assert [row.split(" ")[:3] for row in outline("a.py", text)] == [
        ["f", "function", "2-2"],
        ["X_Y", "constant", "4-4"],
        ["e", "function", "6-6"],
        ["C", "class", "8-10"],
        ["C.m", "method", "10-10"],
        ["g", "function", "12-12"],
        ["Z1", "constant", "14-14"],
        ["in_with", "function", "16-16"],
    ]


@pytest.mark.parametrize(
    ("head", "signature"),
    [
        ("def f(a: 'x: y' = ':#', *, b=lambda x: x[1:2]) -> d[str, int]:  # c: d", None),
        ("def f(\n    a: int,  # first: x\n    *b,\n):", "def f(a: int, *b)"), ("def f(a=(1,)):", None),
        ("def f(  # why: because\n):", "def f()"), ("class C:  # x: y", None),
        ("async  def  f(é='ü') :", "async def f(é='ü')"), ("def f(a, /, b, *c, d={1: 2}, **e):", None),
        ("class C(A, b={1: 2}):", None), ("def f[T: int](a: T) -> T:", None),
        ("@deco('@')\ndef f(a='@'):", "def f(a='@')"),
    ],
)  # fmt: skip
def test_a_signature_is_the_head_on_one_line(head: str, signature: str | None) -> None:
    expected = signature or head.partition(":  #")[0].removesuffix(":")
    assert code("a.py", f"{head}\n    pass").symbols[0].signature == expected


def test_constants_are_upper_case_and_cut() -> None:
    text = (
        "A1 = B_2 = [\n    1,  # one\n]\nT = 1\nlower = 2\nLong = 3\n_PRIVATE: int = 4\nA.B = 5\nLONG = "
        + "'x' + " * 40
        + "''\n"
    )
    found = code("a.py", text).symbols
    assert [each.name for each in found] == ["A1", "B_2", "_PRIVATE", "LONG"]
    assert outline("a.py", text)[:2] == [
        "A1 constant 1-3 A1 = B_2 = [1]",
        "B_2 constant 1-3 A1 = B_2 = [1]",
    ]
    assert len(found[3].signature) == MAX_CONSTANT
    assert found[3].signature.endswith("…")


def test_a_long_signature_is_cut() -> None:
    found = (
        code("a.py", f"def f({', '.join(f'a{at}' for at in range(300))}): ...")
        .symbols[0]
        .signature
    )
    assert len(found) == MAX_SIGNATURE
    assert found.endswith("…")


def test_type_aliases_are_types() -> None:
    assert outline("a.py", "type Pair[T] = tuple[T, T]\n") == [
        "Pair type 1-1 type Pair[T] = tuple[T, T]"
    ]


def test_the_doc_is_the_first_paragraph_of_the_docstring() -> None:
    text = '''\
    class A:
        """Hold a
        thing.

        More of it.
        """
        LIMIT = 1
        "not a docstring of LIMIT"

        def raw(self):
            r\'\'\'Take \\d.\'\'\'

        def commented(self):
            # first this
            "One line"

        def long(self):
            """Starts well.

            Line after line of what nobody reads to its end.
            """

        def none(self): ...
        def assigned(self):
            x = """no"""
    '''
    assert docs("a.py", text) == {
        "A": "Hold a thing.",
        "A.LIMIT": "",
        "A.raw": "Take \\d.",
        "A.commented": "One line",
        "A.long": "Starts well.",
        "A.none": "",
        "A.assigned": "",
    }


def test_imports_are_found_everywhere() -> None:
    text = """\
    import os, sys as s
    from . import x as y, z
    from ..pkg.mod import (
        a,  # c
        b as c,
    )
    from .q import *
    from __future__ import annotations
    if TYPE_CHECKING:
        from foo import Bar
    try:
        import tomllib
    except ImportError:
        import tomli as tomllib
    def f():
        "we import nothing from here"
        import lazy.one
        if x: from late import a
    if z: import short
    """
    assert imports("a.py", text) == [
        ("os", "", 1),
        ("sys", "", 1),
        (".", "x z", 2),
        ("..pkg.mod", "a b", 3),
        (".q", "*", 7),
        ("foo", "Bar", 10),
        ("tomllib", "", 12),
        ("tomli", "", 14),
        ("lazy.one", "", 17),
        ("late", "a", 18),
        ("short", "", 19),
    ]


def test_valid_parts_of_a_broken_file_are_read() -> None:
    text = "import a\nclass A:\n  def f(self):\n    x = 1\n  def g(self, (:\n    pass\ndef h(): pass\nX_1 = 2\n"
    assert names("a.py", text) == ["A", "A.f", "h", "X_1"]
    assert outline("a.py", text)[0] == "A class 2-6 class A"
    assert imports("a.py", text) == [("a", "", 1)]
