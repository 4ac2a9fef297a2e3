"""A graph as it is to be drawn: boxes, arrows and what stands beside them."""

from __future__ import annotations

from typing import Literal, NamedTuple

State = Literal["shown", "left-out", "dead", "plain"]


class Box(NamedTuple):
    """One node to draw."""

    address: str
    kind: str
    """`card`, `doc`, `source`, `binary`, `folder`, or `dead` for a target that does not exist."""
    depth: int
    """Distance from the root, or -1 when the drawing is not of a walk."""
    tokens: int
    """Size shown (or, when left out, the size it would have had); 0 when unknown."""
    state: State
    view: str
    """`full`, `section`, `outline`, `line`, or empty."""


class Arrow(NamedTuple):
    """One typed link to draw, from address to address."""

    source: str
    target: str
    edge: str
    """`refs`, `depends_on`, …"""


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
