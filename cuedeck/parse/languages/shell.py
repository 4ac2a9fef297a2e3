"""Shell scripts, read as Bash."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from cuedeck.model.file import Import
from cuedeck.parse.languages.base import (
    FUNCTION,
    UPPER,
    Language,
    Rule,
    Rules,
    Scope,
    alike,
    keywords,
    line_of,
    text_of,
)

if TYPE_CHECKING:
    from tree_sitter import Node

_LEAD = rb"(?:.*(?:[{;&|(]|\b(?:then|do|else)))?[ \t]*"
"""What precedes a command that is not the first on its line."""
_EXPANSIONS = ("$", "`")
_QUOTED = r"^\"([^\"]*)\""


_RULES = Rules(
    definitions={
        "function_definition": FUNCTION,
        "variable_assignment": Rule("constant", body="", only=UPPER),
    },
    scopes={
        "declaration_command": Scope(wraps=True),
        **alike("if_statement elif_clause else_clause list", Scope()),
    },
    imports=("command",),
    comments=("#",),
)


def _read(node: Node) -> Iterator[Import]:
    """Yield the script that `source` or `.` reads; variables for its folder are kept as
    written.
    """
    if text_of(node.child_by_field_name("name")) not in ("source", "."):
        return
    spec = _without_quotes(text_of(node.child_by_field_name("argument")))
    if not spec or "\n" in spec or spec.startswith("<("):
        return
    # A single variable may name any file; the output of a command is not a file.
    has_expansion = any(sign in spec for sign in _EXPANSIONS)
    if "/" in spec or not has_expansion:
        yield Import(spec, (), line_of(node))


def _without_quotes(word: str) -> str:
    quote = word[:1]
    if quote not in ("", "'", '"'):
        return word
    if word[-1:] == quote:
        return word[1:-1]
    return re.sub(_QUOTED, r"\1", word)


LANGUAGES = (
    Language(
        name="bash",
        title="Bash",
        suffixes=(".sh", ".bash"),
        file_names=("PKGBUILD",),
        grammar="tree_sitter_bash",
        rules=_RULES,
        read=_read,
        find_nested=keywords((b"source ", b". "), _LEAD),
        nested_nodes=frozenset({"command"}),
        resolver="shell",
    ),
)
