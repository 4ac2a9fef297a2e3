"""The value that describes a programming language: its files, its grammar, its
definitions and its imports; and helpers of the language modules.

A definition is described by a rule for the nodes of a type, and a node that contains
definitions by a scope. Lookups by suffix import every language, so that the patterns of
import readers are compiled at their first use, and the grammar is loaded by the parser.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from cuedeck.model.file import Import

if TYPE_CHECKING:
    from tree_sitter import Node

UPPER = re.compile(r"_{0,2}[A-Z][A-Z0-9_]+")


class Rule(NamedTuple):
    """How a node of one type is read as a definition. Paths are those of
    `nodes.reach`.
    """

    kind: str
    """`class`, `function`, `type` or `constant`; a function in a class becomes a
    method.
    """
    name: str = "name"
    """Path to the name, or `=` and the name itself; a node without a name is not a
    definition.
    """
    body: str = "body"
    """Path to the node that ends the signature; empty if the signature is the whole
    node.
    """
    tail: str = ""
    """Path to the last node of the signature, in grammars without a node that ends it.
    """
    members: str = ""
    """Path to the node whose children are the members; empty if members are not listed.
    """
    owner: str = ""
    """Path to the type of a method that is defined outside that type."""
    many: bool = False
    """True if the name field may repeat; each name is a definition."""
    patterns: bool = False
    """True if the name may be a destructuring pattern that binds several names."""
    target: re.Pattern[str] | None = None
    """Pattern of the name without white space; its groups, joined by dots, are the
    name.
    """
    own: str = ""
    """Path to the name that counts if no group of `target` matched."""
    chain: str = ""
    """Type of the child that defines its first child and may end with another of that
    type: `A = B = 1`.
    """
    only: re.Pattern[str] | None = None
    """Pattern that the whole name must match."""
    given: re.Pattern[bytes] | None = None
    """Pattern in the text before the name that admits every name, such as `static`."""
    unless: re.Pattern[bytes] | None = None
    """Pattern in the text after the name that makes it no definition, such as `=
    require(`.
    """
    choose: str = ""
    """Path to the node whose type selects a rule of `choices`; this rule applies if
    there is none for it.
    """
    choices: Mapping[str, Rule] = {}


CLASS = Rule("class", members="body")
FUNCTION = Rule("function")
_Entry = TypeVar("_Entry")


def alike(kinds: str, entry: _Entry) -> dict[str, _Entry]:
    """Return the entries of node types that are read in the same way."""
    return dict.fromkeys(kinds.split(), entry)


CLASSES_AND_METHODS: Mapping[str, Rule] = {
    **alike("class_declaration interface_declaration record_declaration", CLASS),
    **alike("method_declaration constructor_declaration", FUNCTION),
}
"""The node types that the grammars of C# and Java share."""


def static_constant(given: bytes) -> Rule:
    """Return the rule of a field that is a constant: its name is in upper case, or
    `given` is before the name.
    """
    return Rule("constant", body="", only=UPPER, given=re.compile(given))


class Scope(NamedTuple):
    """A node whose children are read as if they were its siblings."""

    body: str = ""
    """Path to the node with the children; empty if it is the node itself."""
    prefix: str = ""
    """Path to the name that qualifies the names inside."""
    target: re.Pattern[str] | None = None
    """Pattern of the text at `prefix` without white space; its groups are the type of
    the methods inside.
    """
    methods: bool = False
    """True if the functions inside are methods of the type at `prefix`."""
    wraps: bool = False
    """True if the node belongs to its only definition: decorators, `export`, `const`.
    """


class DefinitionRule(NamedTuple):
    """Everything that applies to the nodes of one type."""

    rule: Rule | None
    scope: Scope | None
    """Used if the rule finds no definition."""
    imports: bool
    """True if the import reader of the language reads the node."""
    mark: bool
    """True for decorators, attributes and annotations: part of the lines of a
    definition, not of its signature.
    """


@dataclass(frozen=True)
class Rules:
    """The rules of a language, by node type; nodes of other types are skipped."""

    definitions: Mapping[str, Rule]
    scopes: Mapping[str, Scope]
    imports: Sequence[str]
    """Nodes that the import reader of the language reads."""
    marks: Sequence[str] = ()
    """Decorators, attributes and annotations: part of the lines of a definition, not of
    its signature.
    """
    sign: bytes = b"@"
    """First bytes of every mark."""
    comments: tuple[str, ...] = ("//",)
    """Prefixes of line comments; `//` implies that `/* */` is a comment."""
    docstrings: bool = False
    """True if the doc comment is a string at the start of the body."""
    lifetimes: bool = False
    """True if a single quote begins a character or a lifetime, never a string."""

    @cached_property
    def entries(self) -> Mapping[str, DefinitionRule]:
        """Everything that applies to the nodes of each type."""
        kinds = (*self.definitions, *self.scopes, *self.imports, *self.marks)
        return {kind: self._entry(kind) for kind in kinds}

    def _entry(self, kind: str) -> DefinitionRule:
        rule = self.definitions.get(kind)
        scope = self.scopes.get(kind)
        return DefinitionRule(rule, scope, kind in self.imports, kind in self.marks)

    @cached_property
    def holding(self) -> frozenset[str]:
        """The node types with a rule or a scope."""
        return frozenset((*self.definitions, *self.scopes))


class Language(NamedTuple):
    """A programming language, or a dialect with a grammar of its own."""

    name: str
    """Unique; also the info string of its fenced code blocks in Markdown."""
    title: str
    """The name in messages."""
    suffixes: tuple[str, ...]
    """In lower case, with their dots. A suffix belongs to one language."""
    grammar: str
    """Module of its tree-sitter grammar; after a colon, the function that returns it if
    that is not `language`.
    """
    rules: Rules
    read: Callable[[Node], Iterator[Import]]
    """Yields the imports of one node."""
    find_nested: Callable[[bytes], Iterable[tuple[int, int]]] | None = None
    """Returns the byte ranges of keywords that may begin an import inside a function
    body, which the walk over the definitions does not find.
    """
    nested_nodes: frozenset[str] = frozenset()
    """Types of the nodes that such a keyword may belong to."""
    resolver: str = ""
    """How its imports are resolved to files: a key of `STRATEGIES` in
    `graph.imports.import_resolver`; empty if they are only listed.
    """
    file_names: tuple[str, ...] = ()
    """Base names of files without a suffix of the language."""
    dialect: Callable[[str, str], str] | None = None
    """Returns the name of the language of a path and a text, for suffixes that dialects
    share.
    """
    reports_syntax_errors: bool = True
    """False if valid files often do not parse, such as those with unexpanded macros."""


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
