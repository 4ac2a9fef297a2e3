"""Imports of shell scripts: what `source` and `.` read, with the variables of its folder as written."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from cuedeck.model.file import Import
from cuedeck.parse.code.keyword_scan import find_words
from cuedeck.parse.code.node_path import line_of, text_of

if TYPE_CHECKING:
    from tree_sitter import Node

NODES = frozenset({"command"})
_LEAD = re.compile(rb"(?:.*(?:[{;&|(]|\b(?:then|do|else)))?[ \t]*")
_EXPANSIONS = ("$", "`")
_QUOTED = re.compile(r"^\"([^\"]*)\"")


def nested(data: bytes) -> Iterator[tuple[int, int]]:
    """Yield where a script may be sourced in a function or under a condition."""
    return find_words(data, (b"source ", b". "), _LEAD)


def read(node: Node, path: str) -> Iterator[Import]:
    """Yield the script a command reads."""
    if text_of(node.child_by_field_name("name")) not in ("source", "."):
        return
    spec = text_of(node.child_by_field_name("argument"))
    if spec[:1] in "\"'":
        spec = spec[1:-1] if spec[-1:] == spec[:1] else _QUOTED.sub(r"\1", spec)
    # A variable alone may be any file, and the output of a command is none.
    known = "/" in spec or not any(sign in spec for sign in _EXPANSIONS)
    if spec and known and "\n" not in spec and not spec.startswith("<("):
        yield Import(spec, (), line_of(node), False)
