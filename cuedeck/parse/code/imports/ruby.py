"""Imports of Ruby: calls of `require`, `require_relative`, `load` and `autoload` with a literal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from cuedeck.model.file import Import
from cuedeck.parse.code.keyword_scan import find_words
from cuedeck.parse.code.node_path import line_of, reach, text_of

if TYPE_CHECKING:
    from tree_sitter import Node

NODES = frozenset({"call"})
_CALLS = ("require", "require_relative", "load", "autoload")


def nested(data: bytes) -> Iterator[tuple[int, int]]:
    """Yield where a file may be required in a method."""
    return find_words(data, (b"require",))


def read(node: Node, path: str) -> Iterator[Import]:
    """Yield the file a call requires."""
    method = text_of(node.child_by_field_name("method"))
    arguments = node.child_by_field_name("arguments")
    if method not in _CALLS or arguments is None or node.child_by_field_name("receiver") is not None:
        return
    literal = next((child for child in arguments.named_children if child.type == "string"), None)
    content = reach(literal, "string_content") if literal is not None and literal.named_child_count == 1 else None
    if content is not None:
        text = text_of(content)
        spec = f"./{text}" if method == "require_relative" else text
        yield Import(spec, (), line_of(node), False)
