"""Imports and tests as arrows between files."""

from __future__ import annotations

from importing import source

from cuedeck.graph.counterparts import Pairs
from cuedeck.graph.derived import code_arrows
from cuedeck.graph.imports import Resolver
from cuedeck.model.diagram import Arrow
from cuedeck.model.file import File, Import
from cuedeck.parse.languages import import_strategy


def arrows(*files: File, without: str = "") -> list[Arrow]:
    paths = [file.path for file in files]
    known = [path for path in paths if path != without]
    return code_arrows(files, known, Resolver(paths, [], import_strategy), Pairs(known))


def takes(path: str, *specs: str) -> File:
    return source(path, *(Import(spec, (), line, False) for line, spec in enumerate(specs, 3)))


def test_an_import_is_an_arrow_with_its_first_line() -> None:
    found = arrows(takes("shop/a.py", "shop.b", "shop.c", "shop.b", "json"), takes("shop/b.py"), takes("shop/c.py"))
    assert found == [Arrow("shop/a.py", "shop/b.py", "imports", 3), Arrow("shop/a.py", "shop/c.py", "imports", 4)]


def test_what_a_test_imports_is_tested_unless_it_is_of_the_tests_too() -> None:
    found = arrows(
        takes("shop/a.py"), takes("tests/test_page.py", "shop.a", "tests.desk"), takes("tests/desk.py", "shop.a")
    )
    assert found == [
        Arrow("tests/test_page.py", "shop/a.py", "tests", 3),
        Arrow("tests/test_page.py", "tests/desk.py", "imports", 4),
        Arrow("tests/desk.py", "shop/a.py", "tests", 3),
    ]


def test_a_test_that_imports_nothing_of_its_name_is_of_the_nearest_source_of_it() -> None:
    found = arrows(takes("a/cart.go"), takes("a/cart_test.go"), takes("z/cart.go"), takes("a/cart.py"))
    assert found == [Arrow("a/cart_test.go", "a/cart.go", "tests")]


def test_a_test_that_imports_the_source_of_its_name_is_of_no_other() -> None:
    found = arrows(takes("a/cart.ts"), takes("z/cart.ts"), takes("a/cart.test.ts", "../z/cart"))
    assert found == [Arrow("a/cart.test.ts", "z/cart.ts", "tests", 3)]


def test_a_test_of_another_language_is_no_test_of_a_source_but_scripts_are_one_language() -> None:
    assert arrows(takes("web/cart.ts"), takes("tests/test_cart.py")) == []
    assert arrows(takes("web/cart.ts"), takes("web/cart.test.jsx")) == [
        Arrow("web/cart.test.jsx", "web/cart.ts", "tests")
    ]


def test_files_that_are_not_known_have_no_arrow() -> None:
    files = (takes("shop/a.py", "shop.b"), takes("shop/b.py", "shop.c"), takes("shop/c.py"))
    assert arrows(*files, without="shop/b.py") == []
