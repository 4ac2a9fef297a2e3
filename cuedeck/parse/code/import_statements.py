"""The imports of a file, in the order of its text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cuedeck.model.file import Import
from cuedeck.parse.languages.base import ImportReader

if TYPE_CHECKING:
    from tree_sitter import Node

MAX_IMPORTS = 5_000
_MAX_ANCESTORS = 4
"""Nodes from a keyword upwards that are checked for the statement it belongs to."""


def read_imports(
    path: str, reader: ImportReader, data: bytes, root: Node, statements: Sequence[Node]
) -> tuple[Import, ...]:
    """Return the imports of a file in the order of its text.

    `statements` are the import nodes that the walk over the definitions met. Imports in function bodies are found by
    their keywords.
    """
    nodes = {node.start_byte: node for node in statements}
    for start, end in reader.find_nested(data):
        if len(nodes) >= MAX_IMPORTS:
            break
        node = _statement_at(root, start, end, reader.nested_nodes)
        if node is not None:
            nodes.setdefault(node.start_byte, node)
    places = sorted(nodes)[:MAX_IMPORTS]
    found = (each for place in places for each in reader.read(nodes[place], path))
    # A broken statement may have an empty name, or one that extends over the rest of the file.
    return tuple(each for each in found if each.spec and "\n" not in each.spec and all(each.names))


def _statement_at(root: Node, start: int, end: int, kinds: frozenset[str]) -> Node | None:
    """Return the node of one of these types that contains a byte range closely, or None."""
    node = root.descendant_for_byte_range(start, end)
    for _ in range(_MAX_ANCESTORS):
        if node is None or node.type in kinds:
            break
        node = node.parent
    return node if node is not None and node.type in kinds else None
