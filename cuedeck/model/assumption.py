"""Assumptions: machine-checkable beliefs about a project, and the results of checking
them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

STATUSES = ("active", "invalidated", "resolved")
"""`active`: holds or is not checked; `invalidated`: the check fails.

`resolved`: fails and a person has dealt with it.
"""


class Shape(NamedTuple):
    """Syntax of one kind of check."""

    needed: tuple[str, ...]
    choice: tuple[str, ...] = ()
    """Keys; exactly one of them must be given."""
    optional: tuple[str, ...] = ()
    spelling: str = ""
    """Syntax on the command line: a regular expression whose groups are the keys."""
    example: str = ""

    @property
    def keys(self) -> tuple[str, ...]:
        return (*self.needed, *self.choice, *self.optional)


_WORDING = r"(?P<path>[^:]+):(?P<text>.+)"
SHAPES: Mapping[str, Shape] = {
    "file_exists": Shape(("path",), spelling="(?P<path>.+)", example="src/app.py"),
    "file_absent": Shape(("path",), spelling="(?P<path>.+)", example="src/old.py"),
    "contains": Shape(
        ("path",), ("text", "regex"), spelling=_WORDING, example="src/api.py:router.get"
    ),
    "not_contains": Shape(
        ("path",), ("text", "regex"), spelling=_WORDING, example="src/api.py:GraphQL"
    ),
    "dependency": Shape(
        ("name",), optional=("path",), spelling="(?P<name>.+)", example="react"
    ),
    "config": Shape(
        ("path", "key"),
        optional=("equals",),
        spelling="(?P<path>[^:]+):(?P<key>[^=]+)(?:=(?P<equals>.*))?",
        example="config.toml:database.engine=postgresql",
    ),
    "doc_says": Shape(
        ("address", "text"),
        spelling="(?P<address>(?:card:)?[^:]+):(?P<text>.+)",
        example="docs/api.md#Style:uses REST",
    ),
}
"""Syntax of each kind of check, by kind."""


class Check(NamedTuple):
    """The check of an assumption."""

    kind: str
    values: Mapping[str, Any]
    """Values by the keys of the shape."""

    def word(self, key: str) -> str:
        """Return a text value; empty if the key is missing or its value is not text."""
        value = self.values.get(key, "")
        return value if isinstance(value, str) else ""


@dataclass(frozen=True, slots=True)
class Assumption:
    """One assumption, as a person wrote it."""

    id: str
    text: str
    impact: str
    """The part of the work that depends on it, in words: `the auth implementation`."""
    affects: tuple[str, ...]
    """Addresses."""
    check: Check | None
    """None if the assumption cannot be checked by a machine."""
    line: int
    """First line in the file; 0 if unknown."""


class Verdict(NamedTuple):
    """Result of checking an assumption."""

    holds: bool
    """False also if the check could not be made."""
    evidence: str
    """The text found, or no longer found, with its place; empty if there is a fault."""
    fault: str
    """Reason why the check could not be made; empty if it was made."""
    path: str = ""
    """File of the evidence, found or expected; empty if the evidence has no single
    place.
    """
    line: int = 0
    """Line in that file; 0 if unknown."""

    @property
    def where(self) -> str:
        """`path:line`, only the path if the line is unknown, or an empty string."""
        if self.line:
            return f"{self.path}:{self.line}"
        return self.path

    @property
    def fails(self) -> bool:
        """Return whether the check was made and the assumption does not hold."""
        return not self.holds and not self.fault
