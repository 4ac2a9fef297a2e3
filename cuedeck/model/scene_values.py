"""The values a scene is made of, from the first visit to the finished text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

Tier = Literal["explicit", "related"]
View = Literal["full", "section", "outline", "line"]
Span = tuple[int, int]
"""First and last line, 1-based and inclusive."""


class Target(NamedTuple):
    """What a ref points at: a file, or lines of it."""

    address: str
    """Canonical: the path, or path and anchor as the author wrote it."""
    path: str
    kind: str
    """A `Kind`, or `folder`."""
    start: int
    end: int
    whole: bool
    """True when the whole file is meant."""


class Unresolved(NamedTuple):
    """A ref that leads nowhere, or to several places."""

    ref: str
    source: str
    """Path of the file that holds the ref."""
    line: int
    form: str
    """`Link.form`."""
    reason: str
    """`missing`, `anchor`, `ambiguous`, `outside`, `unreadable`; the last has the path as its one candidate."""
    suggestion: str
    candidates: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Visit:
    """One node reached by the walk."""

    address: str
    path: str
    kind: str
    tier: Tier
    depth: int
    via: str | None
    """Address of the visit that led here; None for the root."""
    edge: str | None
    why: str
    spans: tuple[Span, ...]
    """Lines this visit is about and no nearer visit already has."""
    whole: bool
    """True when the visit means its whole file."""
    parts: tuple[Span, ...]
    """Lines inside it that other links point at."""
    wants_full: bool
    """True when the author asked for the whole text."""
    pinned: bool
    ranks: tuple[tuple[str, int], ...] = ()
    """Of a related visit: its rank by each signal that knows it, by name."""

    def __hash__(self) -> int:
        # Visits are looked up by the thousand; these tell most of them apart.
        return hash((self.address, self.spans, self.parts))

    @property
    def lines(self) -> Span:
        """First and last line of the visit."""
        return self.spans[0][0], self.spans[-1][1]


class Shown(NamedTuple):
    """A visit as the scene shows it."""

    visit: Visit
    view: View
    head: str
    """Heading line and reason."""
    body: str
    """Fenced text with the blank line behind it; empty for a line view."""
    entry: str
    """Its line of the map."""
    tokens: int
    """Of head and body."""
    lines: Span
    reduced: bool
    """True when pressure of the budget made the view smaller than planned."""


class LeftOut(NamedTuple):
    """A visit for which no view fits."""

    address: str
    tier: Tier
    depth: int
    tokens: int
    """Of its text in full."""
    reason: str
    show: str
    """The whole command that prints it."""


class Block(NamedTuple):
    """A capped part of the scene."""

    name: str
    tokens: int
    cap: int


@dataclass(frozen=True, slots=True)
class Scene:
    """A finished scene: the text and everything that explains it."""

    text: str
    card: str
    """Address of the root card, or empty when no card is active."""
    budget: int
    tokens: int
    encoding: str
    receipt: str
    """sha256 (hex) over the inputs that made the text."""
    visits: tuple[Shown, ...]
    blocks: tuple[Block, ...]
    left_out: tuple[LeftOut, ...]
    unresolved: tuple[Unresolved, ...]
    missing: tuple[str, ...] = ()
    """Inputs that could not be read, in words for a person."""
