"""The value that describes a programming language: its files, its grammar, its
definitions and its imports.

Lookups by suffix import every language. What only a file of that language needs is
therefore made late: the rules by a function, the patterns of import readers by `re` at
their first use, the grammar by the parser.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.model.file import Import, ImportStrategy
from cuedeck.parse.languages.definition_rules import Rules

if TYPE_CHECKING:
    from tree_sitter import Node


class Grammar(NamedTuple):
    """A tree-sitter grammar in a Python package."""

    module: str
    function: str = "language"
    """Function of the module that returns the grammar."""

    @property
    def package(self) -> str:
        """Name of the package that installs the module."""
        return self.module.replace("_", "-")


class ImportReader(NamedTuple):
    """How the imports of a language are read."""

    read: Callable[[Node], Iterator[Import]]
    """Yields the imports of one node."""
    find_nested: Callable[[bytes], Iterable[tuple[int, int]]] | None = None
    """Returns the byte ranges of keywords that may begin an import inside a function
    body, which the walk over the definitions does not find.
    """
    nested_nodes: frozenset[str] = frozenset()
    """Types of the nodes that such a keyword may belong to."""


class Language(NamedTuple):
    """A programming language, or a dialect with a grammar of its own."""

    name: str
    """Unique; also the info string of its fenced code blocks in Markdown."""
    title: str
    """The name in messages."""
    suffixes: tuple[str, ...]
    """In lower case, with their dots. A suffix belongs to one language."""
    grammar: Grammar
    definitions: Callable[[], Rules]
    imports: ImportReader
    resolver: ImportStrategy | None = None
    """How its imports are resolved to files; None if they are only listed."""
    file_names: tuple[str, ...] = ()
    """Base names of files without a suffix of the language."""
    dialect: Callable[[str, str], str] | None = None
    """Returns the name of the language of a path and a text, for suffixes that dialects
    share.
    """
    reports_syntax_errors: bool = True
    """False if valid files often do not parse, such as those with unexpanded macros."""
