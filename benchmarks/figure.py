"""A measured figure with its floor and its bar, and a table of figures."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple


class Figure(NamedTuple):
    """One row of the table."""

    row: str
    what: str
    docs: int
    value: float
    unit: str
    floor: float | None
    """The floor in the same unit, measured in the same run."""
    bar: str = ""
    met: bool | None = None
    """Whether the bar is met; None without a bar."""
    note: str = ""

    @property
    def ratio(self) -> float | None:
        """Return the ratio of the value to the floor; for a rate, the ratio of the
        floor to the value.
        """
        if not self.floor or not self.value:
            return None
        return (
            self.floor / self.value
            if self.unit.endswith("/s")
            else self.value / self.floor
        )

    def against(self, most: float) -> Figure:
        """Return the figure with the bar that its ratio is at most `most`."""
        ratio = self.ratio
        return self._replace(
            bar=f"≤ {most:g}x", met=ratio is not None and ratio <= most
        )

    def at_least(self, least: float) -> Figure:
        """Return the figure with the bar that its value is at least `least`."""
        return self._replace(bar=f"≥ {least:,g} {self.unit}", met=self.value >= least)

    def below(self, most: float) -> Figure:
        """Return the figure with the bar that its value is below `most`."""
        return self._replace(bar=f"< {most:,g} {self.unit}", met=self.value < most)

    def as_json(self) -> dict[str, Any]:
        """Return the figure as plain values with its ratio."""
        return {**self._asdict(), "ratio": self.ratio}


def quantile(values: Sequence[float], share: float) -> float:
    """Return the smallest value that at least this share of the values does not
    exceed.
    """
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]


_COLUMNS: tuple[tuple[str, bool, Callable[[Figure], str]], ...] = (
    ("row", False, lambda figure: figure.row),
    ("what", False, lambda figure: figure.what),
    ("docs", True, lambda figure: f"{figure.docs:,}"),
    ("measured", True, lambda figure: f"{_number(figure.value)} {figure.unit}"),
    (
        "floor",
        True,
        lambda figure: (
            "" if figure.floor is None else f"{_number(figure.floor)} {figure.unit}"
        ),
    ),
    (
        "ratio",
        True,
        lambda figure: "" if figure.ratio is None else f"{figure.ratio:.1f}x",
    ),
    ("bar", True, lambda figure: figure.bar),
    (
        "",
        False,
        lambda figure: "" if figure.met is None else "met" if figure.met else "MISSED",
    ),
    ("note", False, lambda figure: figure.note),
)
"""Heading, whether the column is right-aligned, and the function that makes a cell."""


def format_table(figures: Sequence[Figure]) -> str:
    """Return the figures as aligned text."""
    cells = [[heading for heading, _, _ in _COLUMNS]]
    cells += [[cell(figure) for _, _, cell in _COLUMNS] for figure in figures]
    widths = [max(len(row[at]) for row in cells) for at in range(len(_COLUMNS))]
    lines = []
    for row in cells:
        padded = (
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, (_, right, _) in zip(row, widths, _COLUMNS, strict=True)
        )
        lines.append("  ".join(padded).rstrip())
    return "\n".join(lines) + "\n"


def _number(value: float) -> str:
    return (
        f"{value:,.0f}"
        if value >= 1000
        else f"{value:.1f}"
        if value >= 10
        else f"{value:.2f}"
    )
