"""Imports of Go: a package each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from cuedeck.model.file import Import
from cuedeck.parse.code.node_path import line_of, text_of

if TYPE_CHECKING:
    from tree_sitter import Node


def read(node: Node, path: str) -> Iterator[Import]:
    """Yield the packages of one declaration."""
    for child in node.named_children:
        specs = child.named_children if child.type == "import_spec_list" else [child]
        for spec in specs:
            target = spec.child_by_field_name("path") if spec.type == "import_spec" else None
            if target is None:
                continue
            name = spec.child_by_field_name("name")
            names = ("*",) if name is not None and name.type == "dot" else ()
            yield Import(text_of(target).strip('"`'), names, line_of(spec), False)
