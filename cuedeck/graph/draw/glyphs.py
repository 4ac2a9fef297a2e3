"""Marks of boxes in the SVG picture: the shape shows the kind, the area the tokens."""

from __future__ import annotations

from collections.abc import Callable
from math import pi, sqrt

SMALLEST = 4.0
"""Radius of the smallest visible mark, in SVG user units."""
LARGEST = 17.5
_CROSS = 6.0
"""Half the width of a cross."""


def radius(tokens: int, most: int) -> float:
    """Return the radius of a circle with an area proportional to `tokens` / `most`,
    within bounds.
    """
    if tokens <= 0 or most <= 0:
        return SMALLEST
    size = LARGEST * sqrt(tokens / most)
    return max(SMALLEST, min(LARGEST, size))


def mark(kind: str, size: float, x: float, y: float) -> str:
    """Return the mark of `kind` centred at (x, y), with the area of a circle of radius
    `size`.
    """
    return _FORMS.get(kind, _circle)(size, x, y)


def _circle(size: float, x: float, y: float) -> str:
    return f'<circle class="mark" cx="{x:.1f}" cy="{y:.1f}" r="{size:.1f}"/>'


def _square(size: float, x: float, y: float) -> str:
    side = size * sqrt(pi)
    left = x - side / 2
    top = y - side / 2
    corner = size / 4
    return (
        f'<rect class="mark" x="{left:.1f}" y="{top:.1f}"'
        f' width="{side:.1f}" height="{side:.1f}" rx="{corner:.1f}"/>'
    )


def _diamond(size: float, x: float, y: float) -> str:
    half = size * sqrt(pi / 2)
    left = x - half
    right = x + half
    top = y - half
    bottom = y + half
    return (
        f'<path class="mark" d="M{x:.1f} {top:.1f}L{right:.1f} {y:.1f}'
        f'L{x:.1f} {bottom:.1f}L{left:.1f} {y:.1f}Z"/>'
    )


def _cross(size: float, x: float, y: float) -> str:
    left = x - _CROSS
    right = x + _CROSS
    top = y - _CROSS
    bottom = y + _CROSS
    return (
        f'<path class="cross" d="M{left:.1f} {top:.1f}L{right:.1f} {bottom:.1f}'
        f'M{left:.1f} {bottom:.1f}L{right:.1f} {top:.1f}"/>'
    )


_FORMS: dict[str, Callable[[float, float, float], str]] = {
    "card": _square,
    "doc": _circle,
    "source": _diamond,
    "dead": _cross,
}
