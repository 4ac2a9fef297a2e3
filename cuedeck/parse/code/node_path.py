"""Ways from a node of a syntax tree to others."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node

_MAX_DECLARATORS = 50


def reach(node: Node, path: str) -> Node | None:
    """Return the node a path leads to; None when there is none. The empty path leads to the node itself.

    Steps are joined by dots. A step is a field name or a node type, `a|b` the first of them there is;
    `a*` follows a field of declarators to the innermost, `a>b` as far as a node of type `b`.
    """
    if not path:
        return node
    if path.isalpha():
        return node.child_by_field_name(path) or _of_type(node, path)
    found: Node | None = node
    for step in path.split("."):
        if found is None:
            return None
        if step.endswith("*"):
            found = _declared(found, step[:-1], "")
        elif ">" in step:
            found = _declared(found, *step.split(">"))
        else:
            found = _step(found, step)
    return found


def text_of(node: Node | None) -> str:
    """Return the text of a node; empty for None."""
    return (node.text or b"").decode(errors="replace") if node is not None else ""


def packed_of(node: Node | None) -> str:
    """Return the text of a node without blanks; empty for None."""
    return "".join(text_of(node).split())


def line_of(node: Node) -> int:
    """Return the number of the line a node begins on."""
    return node.start_point[0] + 1


def _step(node: Node, step: str) -> Node | None:
    for name in step.split("|"):
        found = node.child_by_field_name(name) or _of_type(node, name)
        if found is not None:
            return found
    return None


def _of_type(node: Node, kind: str) -> Node | None:
    return next((child for child in node.children if child.type == kind), None)


def _declared(node: Node, field: str, kind: str) -> Node | None:
    """Follow declarators, which lie in each other from the outside of a type to the name."""
    found = node.child_by_field_name(field)
    for _ in range(_MAX_DECLARATORS):
        if found is None or found.type == kind:
            return found
        inner = found.child_by_field_name(field) if found.type != "operator_cast" else None
        if inner is None and found.type in ("parenthesized_declarator", "reference_declarator"):
            inner = found.named_child(found.named_child_count - 1)
        if inner is None:
            break
        found = inner
    return None if kind else found
