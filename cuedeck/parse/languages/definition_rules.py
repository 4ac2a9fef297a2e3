"""Rules for the nodes of a syntax tree that are definitions, and for those that contain
definitions.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

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
CLASSES_AND_METHODS: Mapping[str, Rule] = {
    "class_declaration": CLASS,
    "interface_declaration": CLASS,
    "record_declaration": CLASS,
    "method_declaration": FUNCTION,
    "constructor_declaration": FUNCTION,
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
