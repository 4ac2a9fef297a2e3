"""A graph prepared for drawing: boxes, arrows and the facts of the legend."""

from __future__ import annotations

from typing import Literal, NamedTuple

State = Literal["shown", "related", "left-out", "dead", "plain"]
"""`related` marks nodes that a scene shows although no ref leads to them."""
WRITTEN = frozenset(("refs", "depends_on", "affects", "decided_in"))
"""Edges written by people; all others are derived from file contents and history."""
ABOUT = frozenset(("mentions", "recorded_in"))
"""Edges that only mention their target; a target without other incoming edges can be
the root of a tree.
"""


class Box(NamedTuple):
    """One node to draw."""

    address: str
    kind: str
    """`card`, `doc`, `source`, `binary`, `folder`, the kind of a ledger entry, or
    `dead` for a missing target.
    """
    depth: int = -1
    """Distance from the root; -1 if the walk did not reach the node."""
    tokens: int = 0
    """Tokens shown, or the tokens it would have needed if left out; 0 if unknown."""
    state: State = "plain"
    view: str = ""
    """`full`, `section`, `outline`, `line`, or empty."""
    title: str = ""
    """Title of a card, or the words of a ledger entry; empty for any other node."""


class Arrow(NamedTuple):
    """One typed link to draw, from address to address."""

    source: str
    target: str
    edge: str
    """`refs`, `depends_on`, `affects`, `decided_in`, `mentions`, `recorded_in`,
    `imports`, `tests`, `cochange`, …
    """
    line: int = 0
    """Line of the source file that contains the link; 0 if unknown."""
    commits: int = 0
    """Number of commits that support the edge."""


class Drawing(NamedTuple):
    """All data of a drawing; the order of the tuples is the drawing order."""

    title: str
    boxes: tuple[Box, ...]
    arrows: tuple[Arrow, ...]
    budget: int = 0
    """Token limit; 0 if the drawing is not of a scene."""
    tokens: int = 0
    """Tokens used of the budget."""
    cycles: tuple[tuple[str, ...], ...] = ()
    """Each cycle as a closed path: first and last address are equal."""
    left_out: int = 0
    """Number of files omitted for lack of room."""
    records_left_out: int = 0
    """Number of records omitted for lack of room that mention a node of the drawing."""
