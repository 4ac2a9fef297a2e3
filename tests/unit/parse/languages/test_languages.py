"""The registry of languages, and a language that is added by one module."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from cuedeck.graph.imports import Resolver
from cuedeck.graph.imports.import_resolver import STRATEGIES
from cuedeck.model.file import Import
from cuedeck.parse import fence, languages
from cuedeck.parse.code import parser_of, read_code
from cuedeck.parse.languages import (
    import_strategy,
    language_of_path,
    language_of_suffix,
    language_of_text,
)
from cuedeck.parse.parse_file import parse_file

TOY = '''
"""Toy: files of Go whose imports are paths of other files."""

from cuedeck.model.file import Import
from cuedeck.parse.languages.base import Language, Rule, Rules, line_of, text_of


def _read(node):
    for spec in node.named_children:
        yield Import(text_of(spec.child_by_field_name("path")).strip('"'), (), line_of(node))


LANGUAGES = (
    Language(
        name="toy",
        title="Toy",
        suffixes=(".toy",),
        file_names=("Toyfile",),
        grammar="tree_sitter_go",
        rules=Rules({"function_declaration": Rule("function")}, {}, ["import_declaration"]),
        read=_read,
        resolver="c",
    ),
)
'''
TOY_SOURCE = """package a

import "lib/b.toy"

// F adds one.
func F(a int) int { return a + 1 }
"""


@pytest.fixture
def add_module(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[[str, str], None]]:
    """Return a function that puts a module into the package of languages for one
    test.
    """
    added: list[str] = []

    def add(name: str, source: str) -> None:
        (tmp_path / f"{name}.py").write_text(source, "utf-8")
        added.append(name)
        languages.registry.cache_clear()

    monkeypatch.setattr(languages, "__path__", [*languages.__path__, str(tmp_path)])
    yield add
    languages.registry.cache_clear()
    for name in added:
        sys.modules.pop(f"{languages.__name__}.{name}", None)
        vars(languages).pop(name, None)


def test_one_module_adds_a_language(add_module: Callable[[str, str], None]) -> None:
    add_module("toy", TOY)
    found = read_code("a.toy", TOY_SOURCE)
    assert found is not None
    assert [
        (each.name, each.kind, each.signature, each.doc) for each in found.symbols
    ] == [("F", "function", "func F(a int) int", "F adds one.")]
    assert found.imports == (Import("lib/b.toy", (), 3),)
    file = parse_file("src/a.toy", TOY_SOURCE.encode())
    assert (file.symbols, file.imports) == (found.symbols, found.imports)
    resolver = Resolver(["src/a.toy", "src/lib/b.toy"], [], import_strategy)
    assert [each.path for each in resolver.resolve(file)] == ["src/lib/b.toy"]
    assert fence.language_of("a.toy") == "toy"
    assert language_of_path("x/Toyfile") == language_of_path("a.toy")


def test_a_removed_language_is_unknown() -> None:
    assert read_code("a.toy", TOY_SOURCE) is None
    assert Resolver(["a.toy"], [], import_strategy).names("a.toy") == ()


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("a/b.PY", "python"), ("a.pyi", "python"), ("a.d.mts", "typescript"), ("a.h", "c"), ("a.hxx", "cpp"),
        ("x/Rakefile", "ruby"), ("PKGBUILD", "bash"), ("a.md", ""), ("Makefile", ""), (".py", ""), ("py", ""),
    ],
)  # fmt: skip
def test_the_path_of_a_file_gives_its_language(path: str, name: str) -> None:
    found = language_of_path(path)
    assert (found.name if found is not None else "") == name
    assert (read_code(path, "") is None) == (not name)


def test_the_text_of_a_header_gives_its_dialect() -> None:
    texts = {"int f(void);\n": "c", "namespace a { }\n": "cpp", "\tclass A;\n": "cpp"}
    found = {text: language_of_text("a.h", text) for text in texts}
    assert {
        text: each.name for text, each in found.items() if each is not None
    } == texts
    assert language_of_text("a.c", "namespace a { }\n") == language_of_suffix(".c")


def test_every_language_has_an_installed_grammar() -> None:
    assert [
        name
        for name, each in languages.languages().items()
        if parser_of(each.grammar) is None
    ] == []


def test_names_and_suffixes_are_unique_and_strategies_exist() -> None:
    found = list(languages.languages().values())
    keys = Counter(key for each in found for key in (*each.suffixes, *each.file_names))
    assert [key for key, times in keys.items() if times > 1] == []
    assert all(
        suffix.startswith(".") and suffix == suffix.lower()
        for each in found
        for suffix in each.suffixes
    )
    assert {each.resolver for each in found if each.resolver} == set(STRATEGIES)
    modules = [
        name
        for name in vars(languages)
        if hasattr(getattr(languages, name), "LANGUAGES")
    ]
    assert sum(len(getattr(languages, name).LANGUAGES) for name in modules) == len(
        found
    )
