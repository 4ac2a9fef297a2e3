"""What the tables of a language are made of: which nodes define something, and which ones hold definitions."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

UPPER = re.compile(r"_{0,2}[A-Z][A-Z0-9_]+")


class Rule(NamedTuple):
    """How a node that defines something is read. The paths are those of `nodes.reach`."""

    kind: str
    """`class`, `function`, `type` or `constant`; a function in a class becomes a method."""
    name: str = "name"
    """Path to the name, or `=` and the name itself; a node without a name defines nothing."""
    body: str = "body"
    """Path to what the head ends before; empty when all of the text is the head."""
    tail: str = ""
    """Path to the last node of the head, where nothing else tells its end."""
    members: str = ""
    """Path to the node whose children are its members; empty when nothing in it is listed."""
    owner: str = ""
    """Path to the type a method belongs to, when it stands outside of that type."""
    many: bool = False
    """True when the name field is there more than once, and each is a definition."""
    patterns: bool = False
    """True when the name may be a pattern that binds several."""
    target: re.Pattern[str] | None = None
    """What the text of the name has to look like without blanks; its groups, joined by dots, are the name."""
    own: str = ""
    """Path to the name of its own that counts where `target` has no group."""
    chain: str = ""
    """Type of the child that defines its first child, and may end with another of its type: `A = B = 1`."""
    only: re.Pattern[str] | None = None
    """What the name has to look like."""
    given: re.Pattern[bytes] | None = None
    """What before the name makes it count whatever the name looks like: `static`."""
    unless: re.Pattern[bytes] | None = None
    """What behind the name makes it no definition: `= require(`."""
    choose: str = ""
    """Path to the node whose type picks the rule to be read by instead, if there is one for it."""
    choices: Mapping[str, Rule] = {}


class Scope(NamedTuple):
    """A node whose children are looked at as if they stood where it stands."""

    body: str = ""
    """Path to the node with the children; empty when it is the node itself."""
    prefix: str = ""
    """Path to what the names inside begin with."""
    target: re.Pattern[str] | None = None
    """What the text at `prefix` has to look like without blanks; its groups are the type of the methods inside."""
    methods: bool = False
    """True when functions inside are methods of the type that `prefix` names."""
    wraps: bool = False
    """True when its text belongs to the one definition in it: decorators, `export`, `const`."""


class DefinitionRule(NamedTuple):
    """What is done with a node of one type."""

    rule: Rule | None
    scope: Scope | None
    """Looked at when the rule finds no definition."""
    imports: bool
    """True when the module of `imports` reads it."""
    mark: bool
    """True for decorators, attributes and annotations: part of the range, not of the head."""


class Rules(NamedTuple):
    """The tables of a language."""

    entries: Mapping[str, DefinitionRule]
    """By node type; every other node is passed over."""
    holding: frozenset[str]
    """The types that have a rule or a scope."""
    marks: frozenset[str]
    sign: bytes
    """What every mark inside of a definition begins with."""
    comments: tuple[str, ...]
    """What a comment to the end of the line begins with; with `//` there is `/* */`, too."""
    docstrings: bool
    """True when the doc comment is a string at the start of the body."""
    lifetimes: bool
    """True when a single quote begins a character or a lifetime, never a string."""


def compose(
    definitions: Mapping[str, Rule],
    scopes: Mapping[str, Scope],
    imports: Sequence[str],
    *,
    marks: Sequence[str] = (),
    sign: bytes = b"@",
    comments: tuple[str, ...] = ("//",),
    docstrings: bool = False,
    lifetimes: bool = False,
) -> Rules:
    """Return the tables of a language, one entry a node type."""
    entries = {
        kind: DefinitionRule(definitions.get(kind), scopes.get(kind), kind in imports, kind in marks)
        for kind in (*definitions, *scopes, *imports, *marks)
    }
    return Rules(entries, frozenset((*definitions, *scopes)), frozenset(marks), sign, comments, docstrings, lifetimes)
