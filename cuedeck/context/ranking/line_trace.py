"""Trace of the lines that a commit added to a file: their line numbers in the present
file.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence

from cuedeck.model.scene_values import Span

_MOST_EQUAL = 3
"""Maximum number of equal lines of a commit that are found by their number."""


class PresentLines:
    """Lines of a present file, in which the added lines of commits are looked up.

    `sums` has the `line_sum` of each line; 0 marks a line that is too short to
    identify.
    """

    def __init__(self, sums: Sequence[int]) -> None:
        self._numbers = [number for number, sum_ in enumerate(sums, 1) if sum_]
        self._sums = [sum_ for sum_ in sums if sum_]
        self._places: dict[int, list[int]] = {}
        """Indexes of each sum."""
        for place, sum_ in enumerate(self._sums):
            self._places.setdefault(sum_, []).append(place)

    def trace(self, added: Sequence[int]) -> tuple[int, ...]:
        """Return the sorted line numbers at which added lines are in the file; `added`
        has their sums in order.

        A sum that occurs equally often on both sides, at most `_MOST_EQUAL` times, is
        certain. Any other added line counts only where it continues such a line in the
        same order, so that common lines scatter no matches over the file.
        """
        wanted = [sum_ for sum_ in added if sum_]
        indexes: dict[int, list[int]] = {}
        for at, sum_ in enumerate(wanted):
            indexes.setdefault(sum_, []).append(at)
        found: dict[int, int] = {}
        """Place of each found line, by its index in `wanted`."""
        for sum_, asked in indexes.items():
            places = self._places.get(sum_, ())
            if len(places) == len(asked) <= _MOST_EQUAL:
                found.update(zip(asked, places, strict=True))
        if not found:
            return ()
        self._continue(found, wanted, 1)
        self._continue(found, wanted, -1)
        return tuple(sorted({self._numbers[place] for place in found.values()}))

    def _continue(
        self, found: dict[int, int], wanted: Sequence[int], step: int
    ) -> None:
        for at in range(len(wanted))[::step]:
            place = found.get(at - step)
            if place is None or at in found:
                continue
            place += step
            is_inside = 0 <= place < len(self._sums)
            if is_inside and self._sums[place] == wanted[at]:
                found[at] = place


def merge_lines(
    lines: Sequence[int], worths: Mapping[int, float], *, gap: int, widest: int
) -> list[tuple[float, Span]]:
    """Return ranges that cover lines with at most `gap` lines between them, each with
    the worth of its lines.

    A range wider than `widest` is cut to the window of that width with the greatest
    worth, the first of equal ones. Order: by line.
    """
    groups: list[list[int]] = []
    for line in lines:
        if groups and line - groups[-1][-1] <= gap:
            groups[-1].append(line)
        else:
            groups.append([line])
    return [_best_window(group, worths, widest) for group in groups]


def _best_window(
    group: Sequence[int], worths: Mapping[int, float], widest: int
) -> tuple[float, Span]:
    windows: list[tuple[float, Span]] = []
    for at, first in enumerate(group):
        end = bisect_left(group, first + widest)
        inside = group[at:end]
        worth = sum(worths.get(line, 0.0) for line in inside)
        windows.append((worth, (first, inside[-1])))
    return max(windows, key=lambda window: round(window[0], 6))
