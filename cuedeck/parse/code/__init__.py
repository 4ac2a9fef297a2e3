"""Source files read with tree-sitter: their definitions and their imports.

This package walks the syntax trees of all languages; `languages` contains the rules of
each language.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.model.diagnostic import Diagnostic
from cuedeck.model.file import Import, Symbol
from cuedeck.parse.code.definitions import Definitions
from cuedeck.parse.code.source_text import Text
from cuedeck.parse.code.syntax_tree import parser_of, read_tree, rejection_reason
from cuedeck.parse.languages import language_of_text
from cuedeck.parse.languages.base import ImportReader, Language
from cuedeck.parse.languages.definition_rules import Rules

if TYPE_CHECKING:
    from tree_sitter import Node

__all__ = ["Code", "read_code"]

MAX_IMPORTS = 5_000
_MAX_ANCESTORS = 4
"""Nodes from a keyword upwards that are checked for the statement it belongs to."""


class Code(NamedTuple):
    """The definitions and imports of a source file."""

    symbols: tuple[Symbol, ...]
    """Sorted by first line, then longest first, then by name."""
    imports: tuple[Import, ...]
    """In the order of the text."""
    diagnostics: tuple[Diagnostic, ...]


def read_code(path: str, text: str, language: Language | None = None) -> Code | None:
    """Return the definitions and imports of a source file, or None if its language is
    not known; by default, its path and text tell its language.

    No text raises: a file that cannot be read has no symbols and no imports, and a
    diagnostic.
    """
    language = language or language_of_text(path, text)
    if language is None:
        return None
    parser = parser_of(language.grammar)
    if parser is None:
        message = f"no grammar for {language.title} is installed; the file has an outline of lines"
        hint = f"`pip install {language.grammar.package}` in the environment of CueDeck"
        return _unread(path, "no-grammar", message, hint)
    data, rows = text.encode(errors="replace"), text.split("\n")
    rules = _rules(language.definitions)
    reason = rejection_reason(data, rows, "//" in rules.comments)
    if reason:
        message = f"{reason}: symbols and imports are not read"
        return _unread(
            path, "minified", message, "exclude generated files from the workspace"
        )
    root = read_tree(parser, data)
    if root is None:
        message = f"most of it is not valid {language.title}: symbols and imports are not read"
        return _unread(
            path,
            "syntax",
            message,
            "rename it to the suffix of its language, or exclude it",
        )
    definitions = Definitions(Text(data, rows, rules))
    symbols = tuple(definitions.read(root))
    imports = _read_imports(language.imports, data, root, definitions.imports)
    found: tuple[Diagnostic, ...] = ()
    line = definitions.fault
    if line and language.reports_syntax_errors:
        message = f"line {line} does not parse as {language.title}; definitions around it may be missing"
        found = (
            Diagnostic(
                path,
                line,
                "info",
                "syntax",
                message,
                "correct the syntax, or ignore this if the file is being edited",
            ),
        )
    return Code(symbols, imports, found)


@cache
def _rules(make: Callable[[], Rules]) -> Rules:
    return make()


def _unread(path: str, code: str, message: str, hint: str) -> Code:
    return Code((), (), (Diagnostic(path, 0, "info", code, message, hint),))


def _read_imports(
    reader: ImportReader, data: bytes, root: Node, statements: Sequence[Node]
) -> tuple[Import, ...]:
    """Return the imports of a file in the order of its text.

    `statements` are the import nodes that the walk over the definitions met. Imports in
    function bodies are found by their keywords.
    """
    nodes = {node.start_byte: node for node in statements}
    for start, end in reader.find_nested(data) if reader.find_nested else ():
        if len(nodes) >= MAX_IMPORTS:
            break
        node = _statement_at(root, start, end, reader.nested_nodes)
        if node is not None:
            nodes.setdefault(node.start_byte, node)
    places = sorted(nodes)[:MAX_IMPORTS]
    found = (each for place in places for each in reader.read(nodes[place]))
    # A broken statement may have an empty name, or one that extends over the rest of
    # the file.
    return tuple(
        each
        for each in found
        if each.spec and "\n" not in each.spec and all(each.names)
    )


def _statement_at(
    root: Node, start: int, end: int, kinds: frozenset[str]
) -> Node | None:
    node = root.descendant_for_byte_range(start, end)
    for _ in range(_MAX_ANCESTORS):
        if node is None or node.type in kinds:
            break
        node = node.parent
    if node is not None and node.type in kinds:
        return node
    return None
