"""Source files read with tree-sitter: their definitions and their imports."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from cuedeck.model.file import Diagnostic, Import, Symbol
from cuedeck.parse.code.bounded_parse import misfit, parser_of, read_tree
from cuedeck.parse.code.definitions import Definitions
from cuedeck.parse.code.import_statements import read_imports
from cuedeck.parse.code.source_text import Text
from cuedeck.parse.languages import language_of_text
from cuedeck.parse.languages.base import Language
from cuedeck.parse.languages.rules import Rules

__all__ = ["Code", "read_code"]


class Code(NamedTuple):
    """The definitions and imports of a source file."""

    language: str
    """Name of its language."""
    symbols: tuple[Symbol, ...]
    """Sorted by first line, then longest first, then by name."""
    imports: tuple[Import, ...]
    """In the order of the text."""
    diagnostics: tuple[Diagnostic, ...]


def read_code(path: str, text: str) -> Code | None:
    """Return the definitions and imports of a source file, or None if its language is not known.

    No text raises: a file that cannot be read has no symbols and no imports, and a diagnostic.
    """
    language = language_of_text(path, text)
    if language is None:
        return None
    parser = parser_of(language.grammar)
    if parser is None:
        message = f"no grammar for {language.title} is installed; the file has an outline of lines"
        hint = f"`pip install {language.grammar.package}` in the environment of CueDeck"
        return _unread(path, language, "no-grammar", message, hint)
    data, rows = text.encode(errors="replace"), text.split("\n")
    rules = _rules(language.definitions)
    reason = misfit(data, rows, "//" in rules.comments)
    if reason:
        message = f"{reason}: symbols and imports are not read"
        return _unread(path, language, "minified", message, "leave generated files out of the workspace")
    root = read_tree(parser, data)
    if root is None:
        message = f"too little of it parses as {language.title}: symbols and imports are not read"
        return _unread(path, language, "syntax", message, "give it the suffix of its language, or exclude it")
    definitions = Definitions(Text(data, rows, rules))
    symbols = tuple(definitions.read(root))
    imports = read_imports(path, language.imports, data, root, definitions.imports)
    found: tuple[Diagnostic, ...] = ()
    line = definitions.fault
    if line and language.reports_syntax_errors:
        message = f"line {line} does not parse as {language.title}; definitions around it may be missing"
        found = (Diagnostic(path, line, "info", "syntax", message, "save the file once it is whole"),)
    return Code(language.name, symbols, imports, found)


@cache
def _rules(make: Callable[[], Rules]) -> Rules:
    return make()


def _unread(path: str, language: Language, code: str, message: str, hint: str) -> Code:
    return Code(language.name, (), (), (Diagnostic(path, 0, "info", code, message, hint),))
