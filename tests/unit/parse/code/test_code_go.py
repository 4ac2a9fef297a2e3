from __future__ import annotations

from code_reading import docs, imports, outline


def test_methods_are_named_by_their_receiver() -> None:
    text = """\
    package a
    func (s *Set[K, V]) Add(key K) (int, error) {
    \tfunc() {}()
    }
    func (Set) Zero() {}
    func Free[T any](a int) {}
    """
    assert outline("a.go", text) == [
        "Set.Add method 2-4 func (s *Set[K, V]) Add(key K) (int, error)",
        "Set.Zero method 5-5 func (Set) Zero()",
        "Free function 6-6 func Free[T any](a int)",
    ]


def test_specs_are_single_or_grouped() -> None:
    text = """\
    package a
    const A = 1
    const (
    \tB, C = iota, 2
    \td
    )
    var (
    \te int
    \t_ = x
    )
    type S struct {
    \ta int
    }
    type I interface {
    \tM(a int) error
    \tfmt.Stringer
    }
    type Al = int
    type (
    \tF func()
    \tG struct{}
    )
    """
    assert outline("a.go", text) == [
        "A constant 2-2 const A = 1",
        "B constant 4-4 B, C = iota, 2",
        "C constant 4-4 B, C = iota, 2",
        "d constant 5-5 d",
        "e constant 8-8 e int",
        "S class 11-13 type S struct",
        "I class 14-17 type I interface",
        "I.M method 15-15 M(a int) error",
        "Al type 18-18 type Al = int",
        "F type 20-20 F func()",
        "G class 21-21 G struct",
    ]


def test_the_comment_above_is_the_doc() -> None:
    text = """\
    package a
    // S holds
    // things.
    //
    // More.
    type S struct{}
    //go:noinline
    // F runs.
    func F() {}
    const (
    \t// A is one.
    \tA = 1
    \tB = 2 // not above
    \tC = 3
    )
    """
    assert docs("a.go", text) == {
        "S": "S holds things.",
        "F": "F runs.",
        "A": "A is one.",
        "B": "",
        "C": "",
    }


def test_imports_are_packages() -> None:
    text = 'package a\nimport "fmt"\nimport (\n\tx "a/b" // c\n\t. "c"\n\t_ `d`\n)\n'
    assert imports("a.go", text) == [
        ("fmt", "", 2),
        ("a/b", "", 4),
        ("c", "*", 5),
        ("d", "", 6),
    ]
