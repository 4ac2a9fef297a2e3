"""Values of a scene, from the first visit to the finished text."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

Tier = Literal["explicit", "related"]
View = Literal["full", "section", "outline", "line"]
TASK = "task:"
"""Address of the root of a scene without a card; no file has it."""
Span = tuple[int, int]
"""First and last line, 1-based and inclusive."""


class Target(NamedTuple):
    """The resolved target of a ref: a file or a range of its lines."""

    address: str
    """Canonical address: the path, or path and anchor as the author wrote it."""
    path: str
    kind: str
    """A `Kind`, `folder`, or the kind of a ledger entry, whose address is also its path
    here.
    """
    start: int
    end: int
    whole: bool
    """True for a whole file."""


class Unresolved(NamedTuple):
    """A ref with no target or several."""

    ref: str
    source: str
    """Path of the file that contains the ref."""
    line: int
    form: str
    """`Link.form`."""
    reason: str
    """`missing`, `anchor`, `ambiguous`, `outside`, or why a target is not followed.

    An `unreadable` file is the only candidate. A ledger entry is not followed if it is
    `superseded`, `rejected` or `secret`; its successor is the only candidate.
    """
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
    """Address of the visit whose link led here; None for the root."""
    edge: str | None
    why: str
    spans: tuple[Span, ...]
    """Lines of this visit that no nearer visit covers."""
    whole: bool
    """True if the visit covers its whole file."""
    parts: tuple[Span, ...]
    """Lines inside the visit that other links point at."""
    wants_full: bool = False
    """True if the author asked for the whole text."""
    pinned: bool = False
    ranks: tuple[tuple[str, int], ...] = ()
    """For a related visit: its rank by each signal that ranked it, by signal name."""
    bodies: tuple[Span, ...] = field(default=(), compare=False)
    """Further lines to show if not all have room, most valuable first."""
    text: str = ""
    """For a ledger entry: its text, whose secrets are not masked; for a folder: its
    overview.
    """
    overview: str = ""
    """Smaller view of a long `text`; empty if it has none."""

    def __hash__(self) -> int:
        # Visits are hashed thousands of times; these three fields distinguish most of
        # them.
        return hash((self.address, self.spans, self.parts))

    @property
    def lines(self) -> Span:
        """First and last line of the visit."""
        return self.spans[0][0], self.spans[-1][1]


class Shown(NamedTuple):
    """A visit as rendered in the scene."""

    visit: Visit
    view: View
    head: str
    """Heading line and reason."""
    body: str
    """Fenced text with the blank line after it; empty for a line view."""
    entry: str
    """Line of the visit in the map."""
    tokens: int
    """Tokens of head and body."""
    lines: Span
    cost: int = 0
    """Tokens of head, body and entry."""
    reduced: bool = False
    """True if the budget made the view smaller than planned."""


class LeftOut(NamedTuple):
    """A visit for which no view fits."""

    address: str
    tier: Tier
    depth: int
    tokens: int
    """Tokens of the full text."""
    reason: str
    show: str
    """The complete command that prints it."""


class Mentioned(NamedTuple):
    """A ledger entry that a block shows because it points at a visit or matches the
    card.
    """

    address: str
    depth: int
    """Distance from the root: one more than the depth of that visit, because the walk
    does not lead to the entry.
    """
    via: str
    """Address of that visit."""
    edge: str
    """`affects`, `on`, `mentions` or `decided_in` of the entry; `refs` for the
    successor of a linked entry.

    `text` if the words of the card match, `check` if the check of an assumption fails.
    """
    why: str


class Block(NamedTuple):
    """A part of the scene with its own token cap."""

    name: str
    tokens: int
    cap: int
    entries: tuple[Mentioned, ...] = ()
    """The ledger entries in it, in order."""


@dataclass(frozen=True, slots=True)
class Scene:
    """A finished scene: its text and the data that explains it."""

    text: str
    card: str
    """Address of the root card; empty if no card is active."""
    budget: int
    tokens: int
    encoding: str
    receipt: str
    """sha256 (hex) of the inputs of the text."""
    visits: tuple[Shown, ...]
    blocks: tuple[Block, ...]
    left_out: tuple[LeftOut, ...]
    unresolved: tuple[Unresolved, ...]
    missing: tuple[str, ...] = ()
    """Descriptions of the inputs that could not be read."""
