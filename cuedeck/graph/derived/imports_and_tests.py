"""Import edges between source files, and edges from tests to the source that they test."""

from __future__ import annotations

from collections.abc import Container, Iterable

from cuedeck.graph.counterparts import Pairs, is_test, stem
from cuedeck.graph.imports import Resolver
from cuedeck.model.diagram import Arrow
from cuedeck.model.file import File

_SCRIPTS = ("ts", "tsx", "mts", "cts", "js", "jsx", "mjs", "cjs", "vue", "svelte")
"""Suffixes of the JavaScript family, whose languages test one another."""


def code_arrows(files: Iterable[File], known: Container[str], resolver: Resolver, pairs: Pairs) -> list[Arrow]:
    """Return an arrow for each import between `known` files, with its line.

    An import of a source by a test has the edge `tests`. A test that imports no file of its own stem is assigned to the
    nearest source with this stem in the same language, without a line.

    Order: that of the files, then of their lines.
    """
    arrows: list[Arrow] = []
    for file in files:
        if file.path in known:
            own = _imported(file, known, resolver)
            arrows += own.values()
            pair = _tested(file.path, own, known, pairs)
            arrows += [Arrow(file.path, pair, "tests")] if pair else ()
    return arrows


def _imported(file: File, known: Container[str], resolver: Resolver) -> dict[str, Arrow]:
    arrows: dict[str, Arrow] = {}
    testing = is_test(file.path)
    for path, _, line, _ in resolver.resolve(file):
        if path in known and path not in arrows:
            edge = "tests" if testing and not is_test(path) else "imports"
            arrows[path] = Arrow(file.path, path, edge, line)
    return arrows


def _tested(path: str, imported: Iterable[str], known: Container[str], pairs: Pairs) -> str:
    """Return the source that a test matches by stem alone.

    Empty if the test imports that stem or `path` is not a test.
    """
    if not is_test(path) or any(stem(other) == stem(path) for other in imported):
        return ""
    fits = (other for other in pairs.of(path) if other in known and not is_test(other))
    return next((other for other in fits if _language(other) == _language(path)), "")


def _language(path: str) -> str:
    suffix = path.rpartition(".")[2].casefold()
    return _SCRIPTS[0] if suffix in _SCRIPTS else suffix
