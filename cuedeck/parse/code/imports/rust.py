"""Imports of Rust: `use` trees laid flat, and the modules a file declares."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from cuedeck.model.file import Import
from cuedeck.parse.code.keyword_scan import find_words
from cuedeck.parse.code.node_path import line_of, packed_of

if TYPE_CHECKING:
    from tree_sitter import Node

NODES = frozenset({"use_declaration"})
_LEAD = re.compile(rb"[ \t]*(?:pub\b.*)?")
_MAX_AROUND = 100


def nested(data: bytes) -> Iterator[tuple[int, int]]:
    """Yield where `use` may stand in the body of a function."""
    return find_words(data, (b"use ",), _LEAD)


def read(node: Node, path: str) -> Iterator[Import]:
    """Yield what one declaration takes, a path each; inline modules count as part of the file they stand in."""
    line = line_of(node)
    public = any(child.type == "visibility_modifier" for child in node.named_children[:1])
    around = _modules_around(node)
    if node.type != "use_declaration":
        name = packed_of(node.child_by_field_name("name"))
        if name and node.child_by_field_name("body") is None:
            spec = f"mod:{'::'.join((*around, name))}" if node.type == "mod_item" else name
            yield Import(spec, (), line, public)
        return
    merged: dict[str, dict[str, None]] = {}
    for start, name in _leaves(node.child_by_field_name("argument")):
        names = merged.setdefault(_from_file(start, around) if around else start, {})
        if name:
            names[name] = None
    for spec, names in merged.items():
        yield Import(spec, tuple(names), line, public)


def _modules_around(node: Node) -> Sequence[str]:
    """Return the names of the inline modules a node stands in, the outermost first."""
    found: list[str] = []
    above = node.parent
    for _ in range(_MAX_AROUND):
        if above is None:
            break
        if above.type == "mod_item":
            found.append(packed_of(above.child_by_field_name("name")))
        above = above.parent
    return found[::-1]


def _from_file(path: str, around: Sequence[str]) -> str:
    """Return a path as the file's own module would write it: `super` of an inline module is the file."""
    parts = path.split("::")
    if parts[0] == "self":
        return "::".join(("self", *around, *parts[1:]))
    ups = next((at for at, part in enumerate(parts) if part != "super"), len(parts))
    if not ups:
        return path
    rest = parts[ups:]
    if ups > len(around):
        return "::".join((*parts[: ups - len(around)], *rest))
    return "::".join(("self", *around[: len(around) - ups], *rest))


def _leaves(tree: Node | None) -> Iterator[tuple[str, str]]:
    """Yield path and last segment of each leaf of a `use` tree."""
    stack: list[tuple[Node, str]] = [(tree, "")] if tree is not None else []
    while stack:
        node, prefix = stack.pop()
        kind = node.type
        if kind == "scoped_use_list":
            start = node.child_by_field_name("path")
            inner = node.child_by_field_name("list")
            if inner is not None:
                stack.append((inner, _join(prefix, packed_of(start)) if start is not None else prefix))
        elif kind == "use_list":
            stack += [(child, prefix) for child in reversed(node.named_children) if not child.is_extra]
        elif kind == "use_as_clause":
            inner = node.child_by_field_name("path")
            if inner is not None:
                stack.append((inner, prefix))
        elif kind == "use_wildcard":
            yield _join(prefix, packed_of(node).rstrip("*").rstrip().removesuffix("::")), "*"
        elif kind == "self":
            head, _, last = prefix.rpartition("::")
            yield (head, last) if head else (last, "")
        else:
            head, _, last = _join(prefix, packed_of(node)).rpartition("::")
            yield (head, last) if head else (last, "")


def _join(prefix: str, text: str) -> str:
    return f"{prefix}::{text}" if prefix and text else prefix or text
