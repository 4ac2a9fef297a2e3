"""The names that a syntax node defines."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from cuedeck.parse.languages.definition_rules import Rule
from cuedeck.parse.languages.syntax_nodes import packed_of, reach, text_of

if TYPE_CHECKING:
    from tree_sitter import Node

MAX_NAME = 200
_MAX_CHAIN = 16
_MAX_BOUND = 100
_LOOKAHEAD = 200
"""Bytes after a name in which `unless` is searched."""

_ARGUMENTS = re.compile(r"<[^<>]*>|(?<=\w)\[[^\[\]]*\]")
_OPERATOR = re.compile(r"\boperator\b.*", re.DOTALL)
_PLAIN = re.compile(r"[\w.$#?!]+")


def names_of(
    node: Node, rule: Rule, whole: Node, data: bytes
) -> Sequence[tuple[str, Node]]:
    """Return the defined names, each with its node; `whole` is the node of the
    statement.
    """
    if not rule.name:
        return ()
    if rule.name.startswith("="):
        return ((rule.name[1:], node),)
    if rule.target is not None:
        return _assigned_name(node, rule, rule.target)
    nodes = _nodes(node, rule)
    if rule.unless is not None and nodes:
        end = nodes[0].end_byte
        if rule.unless.match(data, end, end + _LOOKAHEAD):
            return ()
    if rule.patterns:
        nodes = _bound_names(nodes)
    names = []
    for each in nodes:
        name = qualified(text_of(each))
        if not name or name == "_" or len(name) > MAX_NAME:
            continue
        is_allowed = rule.only is None or rule.only.fullmatch(name) is not None
        if is_allowed or _is_marked(each, rule, whole, data):
            names.append((name, each))
    return names


def _is_marked(node: Node, rule: Rule, whole: Node, data: bytes) -> bool:
    if rule.given is None:
        return False
    return rule.given.search(data, whole.start_byte, node.start_byte) is not None


def _assigned_name(
    node: Node, rule: Rule, target: re.Pattern[str]
) -> Sequence[tuple[str, Node]]:
    """Return the name that an assignment defines: its target, or the own name of the
    assigned value.
    """
    at = reach(node, rule.name)
    name = target_of(at, target)
    if name == "":
        at = reach(node, rule.own)
        name = text_of(at)
    if not name or at is None or len(name) > MAX_NAME:
        return ()
    return ((name, at),)


def target_of(node: Node | None, target: re.Pattern[str]) -> str | None:
    """Return the name of an assignment target; empty if it has none, None if the node
    is not such a target.
    """
    found = target.fullmatch(packed_of(node))
    if found is None:
        return None
    return ".".join(filter(None, found.groups()))


def qualified(text: str) -> str:
    """Return a name in the form of symbols: parts joined by dots, without quotes and
    type arguments.
    """
    if _PLAIN.fullmatch(text):
        return text
    if text[:1] in "\"'`":
        return " ".join(text.strip("\"'`").split())
    found = _OPERATOR.search(text)
    if found:
        # `operator bool() const` becomes `operator bool`, but `operator()` keeps its
        # parentheses.
        last = " ".join(found[0].split())
        if not last.startswith("operator()"):
            last = last.partition("(")[0]
        return f"{qualified(text[: found.start()])}.{last}".lstrip(".")
    shorter = _ARGUMENTS.sub("", text)
    while shorter != text:
        text, shorter = shorter, _ARGUMENTS.sub("", shorter)
    return "".join(text.replace("::", ".").split()).strip(".")


def _nodes(node: Node, rule: Rule) -> Sequence[Node]:
    if rule.many:
        return [
            each for each in node.children_by_field_name(rule.name) if each.is_named
        ]
    if rule.chain:
        found: list[Node] = []
        inner = node.named_child(0)
        while (
            inner is not None and inner.type == rule.chain and len(found) < _MAX_CHAIN
        ):
            left = inner.named_child(0)
            if left is not None:
                found.append(left)
            inner = inner.named_child(inner.named_child_count - 1)
        return found
    one = reach(node, rule.name)
    if one is None:
        return []
    return [one]


def _bound_names(nodes: Sequence[Node]) -> Sequence[Node]:
    """Return the names that destructuring patterns such as `{ a, b: [c] = d }` bind."""
    found: list[Node] = []
    stack = list(nodes)
    while stack and len(found) < _MAX_BOUND:
        node = stack.pop()
        if not node.type.endswith("_pattern") or not node.named_child_count:
            found.append(node)
        elif node.type in ("object_pattern", "array_pattern", "rest_pattern"):
            stack += reversed(node.named_children)
        else:
            inner = node.child_by_field_name("value") or node.child_by_field_name(
                "left"
            )
            if inner is not None:
                stack.append(inner)
    return found
