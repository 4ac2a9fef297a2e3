"""Assumptions: beliefs of a project that a machine can check, and what came of checking them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

STATUSES = ("active", "invalidated", "resolved")
"""It holds or nobody checks it; it fails; it fails and a person has dealt with it."""


class Shape(NamedTuple):
    """How a kind of check is written."""

    needed: tuple[str, ...]
    choice: tuple[str, ...] = ()
    """Keys of which there is exactly one."""
    optional: tuple[str, ...] = ()
    spelling: str = ""
    """On the command line, as a regular expression whose groups are the keys."""
    example: str = ""

    @property
    def keys(self) -> tuple[str, ...]:
        return (*self.needed, *self.choice, *self.optional)


_WORDING = r"(?P<path>[^:]+):(?P<text>.+)"
SHAPES: Mapping[str, Shape] = {
    "file_exists": Shape(("path",), spelling="(?P<path>.+)", example="src/app.py"),
    "file_absent": Shape(("path",), spelling="(?P<path>.+)", example="src/old.py"),
    "contains": Shape(("path",), ("text", "regex"), spelling=_WORDING, example="src/api.py:router.get"),
    "not_contains": Shape(("path",), ("text", "regex"), spelling=_WORDING, example="src/api.py:GraphQL"),
    "dependency": Shape(("name",), optional=("path",), spelling="(?P<name>.+)", example="react"),
    "config": Shape(
        ("path", "key"),
        optional=("equals",),
        spelling="(?P<path>[^:]+):(?P<key>[^=]+)(?:=(?P<equals>.*))?",
        example="config.toml:database.engine=postgresql",
    ),
    "doc_says": Shape(
        ("address", "text"), spelling="(?P<address>(?:card:)?[^:]+):(?P<text>.+)", example="docs/api.md#Style:uses REST"
    ),
}
"""Every kind of check; what each of them asks is a row of `memory.checks`."""


class Check(NamedTuple):
    """What a machine asks to find out whether an assumption holds."""

    kind: str
    values: Mapping[str, Any]
    """By the keys of its shape."""

    def word(self, key: str) -> str:
        """Return a value that is text; empty when it is not given."""
        value = self.values.get(key, "")
        return value if isinstance(value, str) else ""


@dataclass(frozen=True, slots=True)
class Assumption:
    """One belief, as a person wrote it."""

    id: str
    text: str
    impact: str
    """What it matters to, in words: `the auth implementation`."""
    affects: tuple[str, ...]
    """Addresses."""
    check: Check | None
    """None: no machine can tell."""
    line: int
    """Line of the file on which it begins; 0 when unknown."""


class Verdict(NamedTuple):
    """What checking an assumption gave."""

    id: str
    holds: bool
    """False also when there is a fault."""
    evidence: str
    """What was found, or is no longer found, with its place; empty when there is a fault."""
    fault: str
    """Why the check cannot be made; empty when it was made."""
    path: str = ""
    """Where that was found, or should be; empty when it is no one place."""
    line: int = 0
    """0 when unknown."""

    @property
    def where(self) -> str:
        """`path:line`, the path alone, or empty."""
        return f"{self.path}:{self.line}" if self.line else self.path

    @property
    def fails(self) -> bool:
        """Tell whether the check was made and the assumption does not hold."""
        return not self.holds and not self.fault
