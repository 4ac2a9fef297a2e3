"""Source files read with tree-sitter: what they define and what they import."""

from __future__ import annotations

from typing import NamedTuple

from cuedeck.model.file import Diagnostic, Import, Symbol
from cuedeck.parse.code.bounded_parse import misfit, read_tree
from cuedeck.parse.code.definitions import Definitions
from cuedeck.parse.code.grammars import GRAMMARS, language_of, parser_of
from cuedeck.parse.code.imports import read_imports
from cuedeck.parse.code.source_text import Text
from cuedeck.parse.code.tables import RULES

__all__ = ["Code", "read_code"]

_WITH_MACROS = ("c", "cpp")
"""Macros that are not expanded look like errors, and every second header has some."""


class Code(NamedTuple):
    """What a source file defines and imports."""

    language: str
    """A key of `grammars.GRAMMARS`."""
    symbols: tuple[Symbol, ...]
    """By first line, the longer before what it holds, then by name."""
    imports: tuple[Import, ...]
    """In the order of their places."""
    diagnostics: tuple[Diagnostic, ...]


def read_code(path: str, text: str) -> Code | None:
    """Read a source file; None when its name tells no language. Every text has an answer."""
    language = language_of(path, text)
    if not language:
        return None
    title = GRAMMARS[language].title
    parser = parser_of(language)
    if parser is None:
        message = f"no grammar for {title} is installed; the file has an outline of lines"
        return _without(path, language, "no-grammar", message, _install(language))
    data, rows = text.encode(errors="replace"), text.split("\n")
    rules = RULES[language]
    reason = misfit(data, rows, "//" in rules.comments)
    if reason:
        message = f"{reason}: symbols and imports are not read"
        return _without(path, language, "minified", message, "leave generated files out of the workspace")
    root = read_tree(parser, data)
    if root is None:
        message = f"too little of it parses as {title}: symbols and imports are not read"
        return _without(path, language, "syntax", message, "give it the suffix of its language, or exclude it")
    definitions = Definitions(Text(data, rows, rules))
    symbols = tuple(definitions.read(root))
    imports = read_imports(path, language, data, root, definitions.imports)
    line = 0 if language in _WITH_MACROS else definitions.fault
    found: tuple[Diagnostic, ...] = ()
    if line:
        message = f"line {line} does not parse as {title}; definitions around it may be missing"
        found = (Diagnostic(path, line, "info", "syntax", message, "save the file once it is whole"),)
    return Code(language, symbols, imports, found)


def _install(language: str) -> str:
    """Return the command that installs the grammar of a language, whichever way CueDeck itself was installed."""
    package = GRAMMARS[language].module.replace("_", "-")
    return f"`pip install {package}` in the environment of CueDeck"


def _without(path: str, language: str, code: str, message: str, hint: str) -> Code:
    return Code(language, (), (), (Diagnostic(path, 0, "info", code, message, hint),))
