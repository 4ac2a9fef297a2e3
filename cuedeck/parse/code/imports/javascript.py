"""Imports of JavaScript and TypeScript: statements, `export … from`, `require` and `import()`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING

from cuedeck.model.file import Import
from cuedeck.parse.code.keyword_scan import MAX_WORDS
from cuedeck.parse.code.node_path import line_of, text_of

if TYPE_CHECKING:
    from tree_sitter import Node

_CALLS = tuple(re.compile(word + rb"\s*\(") for word in (b"import", b"require"))
NODES = frozenset({"import_statement", "export_statement", "call_expression"})


def nested(data: bytes) -> Iterator[tuple[int, int]]:
    """Yield where `import()` and `require()` may be called."""
    for call in _CALLS:
        for found in islice(call.finditer(data), MAX_WORDS):
            yield found.start(), found.start() + 6


def read(node: Node, path: str) -> Iterator[Import]:
    """Yield what one statement or call imports."""
    line = line_of(node)
    if node.type == "call_expression":
        yield from _call(node, line)
        return
    exported = node.type == "export_statement"
    source = node.child_by_field_name("source")
    if source is None:
        clause = next((child for child in node.named_children if child.type == "import_require_clause"), None)
        source = clause.child_by_field_name("source") if clause is not None else None
    if source is None:
        return
    names = tuple(_names(node))
    if exported and not names:
        names = ("*",)
    yield Import(_literal(source), names, line, exported)


def _call(node: Node, line: int) -> Iterator[Import]:
    function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    if function is None or arguments is None or function.text not in (b"require", b"import"):
        return
    first = arguments.named_child(0)
    if first is not None and first.type in ("string", "template_string") and first.named_child_count <= 1:
        yield Import(_literal(first), (), line, False)


def _names(node: Node) -> Iterator[str]:
    """Yield the names a statement takes, as they are called in the module they come from."""
    for child in node.named_children:
        kind = child.type
        if kind in ("import_clause", "named_imports", "export_clause"):
            for part in child.named_children:
                if part.type == "identifier":
                    yield "default"
                elif part.type == "namespace_import":
                    yield "*"
                elif part.type == "named_imports":
                    yield from _specifiers(part)
            yield from _specifiers(child)
        elif kind == "namespace_export":
            yield "*"


def _specifiers(node: Node) -> Iterator[str]:
    for part in node.named_children:
        if part.type in ("import_specifier", "export_specifier"):
            name = part.child_by_field_name("name")
            if name is not None:
                yield _literal(name)


def _literal(node: Node) -> str:
    return text_of(node).strip("\"'`")
