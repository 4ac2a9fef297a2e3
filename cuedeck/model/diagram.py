"""A graph as it is to be drawn: boxes, arrows and what stands beside them."""

from __future__ import annotations

from typing import Literal, NamedTuple

State = Literal["shown", "related", "left-out", "dead", "plain"]
"""`related` is what a scene shows although nobody linked it."""
WRITTEN = frozenset(("refs", "depends_on", "affects", "decided_in"))
"""Edges that people write; all others follow from what files hold and how they changed."""
ABOUT = frozenset(("mentions", "recorded_in"))
"""Edges of what is merely said of something; nothing hangs below it."""


class Box(NamedTuple):
    """One node to draw."""

    address: str
    kind: str
    """`card`, `doc`, `source`, `binary`, `folder`, the kind of a ledger's entry; `dead` for what does not exist."""
    depth: int
    """Distance from the root, or -1 when no walk led there."""
    tokens: int
    """Size shown (or, when left out, the size it would have had); 0 when unknown."""
    state: State
    view: str
    """`full`, `section`, `outline`, `line`, or empty."""
    title: str = ""
    """Title of a card; empty for any other node."""


class Arrow(NamedTuple):
    """One typed link to draw, from address to address."""

    source: str
    target: str
    edge: str
    """`refs`, `depends_on`, `affects`, `decided_in`, `mentions`, `recorded_in`, `imports`, `tests`, `cochange`, …"""
    line: int = 0
    """Line of the source file that makes it one; 0 when none is known."""
    commits: int = 0
    """Commits that make it one."""


class Drawing(NamedTuple):
    """Everything a drawing shows; order is the order of drawing."""

    title: str
    boxes: tuple[Box, ...]
    arrows: tuple[Arrow, ...]
    budget: int
    """Token limit, or 0 when the drawing is not of a scene."""
    tokens: int
    """Tokens used of the budget."""
    cycles: tuple[tuple[str, ...], ...]
    """Each cycle as a closed path: first and last address are equal."""
    left_out: int = 0
    """Files that would belong into it and found no room."""
    records_left_out: int = 0
    """Records that name something of it and found no room."""
