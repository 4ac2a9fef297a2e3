"""The definitions of a syntax tree. Only nodes that may contain some are visited."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.model.file import Symbol
from cuedeck.parse.code.source_text import Text, last_line
from cuedeck.parse.languages.base import Rule, Scope, line_of, packed_of, reach, text_of

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


MAX_DEPTH = 32
"""Classes that are nested deeper are not entered: their names would be longer than
their text.
"""
MAX_SYMBOLS = 10_000
_MAX_SCOPES = 200
_ERROR = "ERROR"

_TYPE = re.compile(r"(?:[&*]|'\w+\s|(?:mut|dyn|const)\s|\s)*(?:::|\w+::)*(\w+)")
_RECEIVER = re.compile(r"(\w+)\s*(?:\[[^\]]*\])?[\s,)]*$")


class _Place(NamedTuple):
    """A node whose children are visited, and the context from its ancestors."""

    node: Node
    prefix: str = ""
    methods: bool = False
    depth: int = 0
    """Number of classes around it."""
    scopes: int = 0
    wrapper: Node | None = None
    """The node around a definition that belongs to it if it contains no other."""
    mark: Node | None = None
    """The first decorator or attribute before that wrapper."""
    shared: bool = False
    """True if the wrapper contains more than one definition."""
    broken: bool = False
    """True inside an error node: it may contain an unclosed body, whose variables are
    no constants.
    """


class Definitions:
    """One walk over the tree of a file. It does not recurse: a tree may be as deep as
    its file is long.
    """

    def __init__(self, text: Text) -> None:
        self.imports: list[Node] = []
        """The import nodes that the walk met."""
        self.fault = 0
        """The first line with a syntax error outside function bodies; 0 if there is
        none.
        """
        self._text = text
        self._rules = text.rules
        self._found: list[Symbol] = []
        self._stack: list[_Place] = []

    def read(self, root: Node) -> Sequence[Symbol]:
        """Return the definitions, sorted by first line, then longest first, then by
        name.
        """
        if root.type == _ERROR:
            self._enter_fault(root, _Place(root))
        else:
            self._stack.append(_Place(root))
        while self._stack and len(self._found) < MAX_SYMBOLS:
            self._visit(self._stack.pop())
        found = self._found[:MAX_SYMBOLS]
        return sorted(
            found, key=lambda symbol: (symbol.start, -symbol.end, symbol.name)
        )

    def _visit(self, place: _Place) -> None:
        entries = self._rules.entries
        children = place.node.named_children
        place, alone = self._check_wrapper(place, children)
        mark = place.mark
        for node in children:
            kind = node.type
            entry = entries.get(kind)
            if entry is None:
                if kind == _ERROR:
                    self._enter_fault(node, place)
                if mark is not None and not alone and not kind.endswith("comment"):
                    mark = None
                continue
            rule, scope, imports, marks = entry
            if marks:
                mark = mark or node
                continue
            if imports:
                self.imports.append(node)
            defines = rule is not None and self._define(node, rule, place, mark)
            if scope is not None and not defines:
                self._enter(node, scope, place, mark)
            if not alone:
                mark = None

    def _check_wrapper(
        self, place: _Place, children: Sequence[Node]
    ) -> tuple[_Place, bool]:
        if place.wrapper is None:
            return place, False
        holding = self._rules.holding
        count = sum(child.type in holding for child in children)
        if count < 2:
            return place, True
        return place._replace(shared=True), False

    def _enter_fault(self, node: Node, place: _Place) -> None:
        line = line_of(node)
        self.fault = min(self.fault or line, line)
        if place.scopes >= _MAX_SCOPES:
            return
        scopes = place.scopes + 1
        self._stack.append(
            place._replace(
                node=node, scopes=scopes, wrapper=None, mark=None, broken=True
            )
        )

    def _enter(
        self, node: Node, scope: Scope, place: _Place, mark: Node | None
    ) -> None:
        body = reach(node, scope.body)
        depth = place.depth + bool(scope.prefix)
        if body is None or place.scopes >= _MAX_SCOPES or depth > MAX_DEPTH:
            return
        owner = _owner(node, scope)
        if owner is None:
            return
        prefix = f"{place.prefix}{owner}." if owner else place.prefix
        methods = scope.methods or (place.methods and not scope.prefix)
        if scope.target is not None:
            methods = bool(owner)
        wrapper = None
        if scope.wraps:
            wrapper = node if place.shared else place.wrapper or node
        mark = mark if wrapper is not None else None
        scopes = place.scopes + 1
        self._stack.append(
            _Place(
                body, prefix, methods, depth, scopes, wrapper, mark, broken=place.broken
            )
        )

    def _define(self, node: Node, rule: Rule, place: _Place, mark: Node | None) -> bool:
        chosen = None
        if rule.choose:
            chosen = reach(node, rule.choose)
        if chosen is not None:
            rule = rule.choices.get(chosen.type, rule)
        if place.broken and rule.kind == "constant":
            return False
        names = names_of(node, rule, place.wrapper or node, self._text.data)
        for name, at in names:
            symbol = self._symbol(node, rule, place, mark, name, at)
            self._found.append(symbol)
            if rule.members and place.depth < MAX_DEPTH:
                inner = _Place(node, f"{symbol.name}.", True, place.depth + 1)
                self._enter_members(node, rule.members, inner)
        return bool(names)

    def _enter_members(self, node: Node, members: str, place: _Place) -> None:
        body = reach(node, members)
        if body is not None:
            self._stack.append(place._replace(node=body))
        if not node.has_error:
            return
        for child in node.named_children:
            if child.is_error:
                self._enter_fault(child, place)

    def _symbol(
        self,
        node: Node,
        rule: Rule,
        place: _Place,
        mark: Node | None,
        name: str,
        at: Node,
    ) -> Symbol:
        outer = node if place.wrapper is None or place.shared else place.wrapper
        prefix = place.prefix
        kind = rule.kind
        receiver = (
            _RECEIVER.search(text_of(reach(node, rule.owner))) if rule.owner else None
        )
        if receiver:
            prefix = f"{receiver[1]}."
        if kind == "function" and (place.methods or rule.owner or "." in name):
            kind = "method"
        first = outer if mark is None or outer.start_byte < mark.start_byte else mark
        start = line_of(first)
        head = line_of(at)
        end = last_line(outer)
        body = None
        if rule.body:
            body = reach(node, rule.body)
        signature = self._text.signature(node, outer, body, rule, at)
        doc = self._text.doc(body, start, head)
        return Symbol(prefix + name, kind, start, end, signature, head, doc)


def _owner(node: Node, scope: Scope) -> str | None:
    """Return the name of the type that a scope belongs to; empty if it has none, None
    if the scope is not entered.
    """
    if scope.target is not None:
        return target_of(reach(node, scope.prefix), scope.target)
    if not scope.prefix:
        return ""
    name = text_of(reach(node, scope.prefix))
    found = _TYPE.match(name)
    if found is None:
        return ""
    if scope.methods:
        return found[1]
    return qualified(name)
