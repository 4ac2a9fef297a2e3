"""Helpers to read nodes of a syntax tree, and to find keywords in a text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node

MAX_KEYWORDS = 5_000
"""Occurrences of one keyword that are looked up in a file; each costs a descent into
the tree.
"""
_MAX_DECLARATORS = 50


def reach(node: Node, path: str) -> Node | None:
    """Return the node that a path leads to, or None. The empty path leads to the node
    itself.

    Steps are separated by dots. A step is a field name or a node type; `a|b` is the
    first of them that exists; `a*` follows nested declarators in the field `a` to the
    innermost, `a>b` to the first of type `b`.
    """
    if not path:
        return node
    if path.isalpha():
        return node.child_by_field_name(path) or _child_of_type(node, path)
    found: Node | None = node
    for step in path.split("."):
        if found is None:
            return None
        if step.endswith("*"):
            found = _declarator(found, step[:-1], "")
        elif ">" in step:
            found = _declarator(found, *step.split(">"))
        else:
            found = _first_child(found, step)
    return found


def text_of(node: Node | None) -> str:
    """Return the text of a node; empty for None."""
    if node is None:
        return ""
    return (node.text or b"").decode(errors="replace")


def packed_of(node: Node | None) -> str:
    """Return the text of a node without white space; empty for None."""
    return "".join(text_of(node).split())


def line_of(node: Node) -> int:
    """Return the number of the first line of a node, counted from 1."""
    return node.start_point[0] + 1


def keywords(
    words: tuple[bytes, ...], lead: bytes = rb".*"
) -> Callable[[bytes], Iterator[tuple[int, int]]]:
    """Return a function that yields the half-open byte ranges of keywords that are not
    at the start of a line.

    The text of the line before the keyword must match the pattern `lead`. Whether an
    occurrence is an import, the syntax tree decides.
    """

    def find(data: bytes) -> Iterator[tuple[int, int]]:
        pattern = re.compile(lead)
        for word in words:
            at = data.find(word)
            for _ in range(MAX_KEYWORDS):
                if at < 0:
                    break
                start = data.rfind(b"\n", 0, at) + 1
                if at > start and pattern.fullmatch(data, start, at):
                    yield at, at + len(word)
                at = data.find(word, at + len(word))

    return find


def _first_child(node: Node, step: str) -> Node | None:
    for name in step.split("|"):
        found = node.child_by_field_name(name) or _child_of_type(node, name)
        if found is not None:
            return found
    return None


def _child_of_type(node: Node, kind: str) -> Node | None:
    return next((child for child in node.children if child.type == kind), None)


def _declarator(node: Node, field: str, kind: str) -> Node | None:
    """Follow nested declarators, which wrap the declared name in its type from the
    outside in.
    """
    found = node.child_by_field_name(field)
    for _ in range(_MAX_DECLARATORS):
        if found is None or found.type == kind:
            return found
        inner = (
            found.child_by_field_name(field) if found.type != "operator_cast" else None
        )
        if inner is None and found.type in (
            "parenthesized_declarator",
            "reference_declarator",
        ):
            inner = found.named_child(found.named_child_count - 1)
        if inner is None:
            break
        found = inner
    return None if kind else found
