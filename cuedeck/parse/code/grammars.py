"""Which grammar reads a file, and the parser of a language once it is needed."""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.model.languages import language_of_path

if TYPE_CHECKING:
    from tree_sitter import Parser


class Grammar(NamedTuple):
    """A language as people call it, and where its grammar is found."""

    title: str
    module: str
    function: str = "language"


GRAMMARS = {
    "python": Grammar("Python", "tree_sitter_python"),
    "javascript": Grammar("JavaScript", "tree_sitter_javascript"),
    "typescript": Grammar("TypeScript", "tree_sitter_typescript", "language_typescript"),
    "tsx": Grammar("TypeScript", "tree_sitter_typescript", "language_tsx"),
    "go": Grammar("Go", "tree_sitter_go"),
    "rust": Grammar("Rust", "tree_sitter_rust"),
    "java": Grammar("Java", "tree_sitter_java"),
    "c": Grammar("C", "tree_sitter_c"),
    "cpp": Grammar("C++", "tree_sitter_cpp"),
    "csharp": Grammar("C#", "tree_sitter_c_sharp"),
    "ruby": Grammar("Ruby", "tree_sitter_ruby"),
    "php": Grammar("PHP", "tree_sitter_php", "language_php"),
    "bash": Grammar("Bash", "tree_sitter_bash"),
}
_CPP = re.compile(
    r"^[ \t]*(?:class \w|namespace\b|template *<|using \w+ *=|(?:public|private|protected):)", re.MULTILINE
)


def language_of(path: str, text: str) -> str:
    """Return the language of a file by its name, and of a header by its text: C++ shares `.h` with C.

    A key of `GRAMMARS`; empty when it is not known.
    """
    language = language_of_path(path)
    return "cpp" if language == "c" and path.endswith(".h") and _CPP.search(text) else language


@cache
def parser_of(language: str) -> Parser | None:
    """Return the parser of a language; None when no grammar that fits is installed."""
    grammar = GRAMMARS[language]
    try:
        from tree_sitter import Language, Parser

        return Parser(Language(getattr(import_module(grammar.module), grammar.function)()))
    except (ImportError, AttributeError, ValueError):
        # An old wheel may lack the function, one of another age speaks another version.
        return None
