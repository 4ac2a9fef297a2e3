"""Imports of Python, also in functions and under conditions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from cuedeck.model.file import Import
from cuedeck.parse.code.keyword_scan import find_words
from cuedeck.parse.code.node_path import line_of, text_of

if TYPE_CHECKING:
    from tree_sitter import Node

NODES = frozenset({"import_statement", "import_from_statement"})


def nested(data: bytes) -> Iterator[tuple[int, int]]:
    """Yield where imports may stand that are not at the top."""
    return find_words(data, (b"import",))


def read(node: Node, path: str) -> Iterator[Import]:
    """Yield what one statement imports."""
    exported = path.rpartition("/")[2] == "__init__.py"
    line = line_of(node)
    names = tuple(map(_name, node.children_by_field_name("name")))
    if node.type == "import_statement":
        for name in names:
            yield Import(name, (), line, exported)
        return
    module = node.child_by_field_name("module_name")
    if module is None:
        return
    if any(child.type == "wildcard_import" for child in node.named_children):
        names = ("*",)
    yield Import("".join(text_of(module).split()), names, line, exported)


def _name(node: Node) -> str:
    if node.type == "aliased_import":
        node = node.child_by_field_name("name") or node
    return "".join(text_of(node).split())
