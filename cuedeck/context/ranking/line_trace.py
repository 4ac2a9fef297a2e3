"""Trace of the lines that a commit added to a file: their line numbers in the present
file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

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
        found = self._certain(wanted)
        if not found:
            return ()
        for at in range(1, len(wanted)):
            self._continue(found, wanted, at, at - 1)
        for at in range(len(wanted) - 2, -1, -1):
            self._continue(found, wanted, at, at + 1)
        return tuple(sorted({self._numbers[place] for place in found.values()}))

    def _certain(self, wanted: Sequence[int]) -> dict[int, int]:
        """Return the place of each wanted sum that both sides contain equally often, by
        its index in `wanted`.
        """
        asked = Counter(wanted)
        seen: Counter[int] = Counter()
        found: dict[int, int] = {}
        for at, sum_ in enumerate(wanted):
            places = self._places.get(sum_, ())
            if len(places) == asked[sum_] <= _MOST_EQUAL:
                found[at] = places[seen[sum_]]
                seen[sum_] += 1
        return found

    def _continue(
        self, found: dict[int, int], wanted: Sequence[int], at: int, neighbour: int
    ) -> None:
        if at in found or neighbour not in found:
            return
        place = found[neighbour] + at - neighbour
        if 0 <= place < len(self._sums) and self._sums[place] == wanted[at]:
            found[at] = place


def merge_lines(
    lines: Sequence[int], worths: Mapping[int, float], *, gap: int, widest: int
) -> list[tuple[float, tuple[int, int]]]:
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
    found: list[tuple[float, tuple[int, int]]] = []
    for group in groups:
        if group[-1] - group[0] >= widest:
            group = _best_window(group, worths, widest)
        worth = sum(worths.get(line, 0.0) for line in group)
        lines_range = (group[0], group[-1])
        found.append((worth, lines_range))
    return found


def _best_window(
    group: Sequence[int], worths: Mapping[int, float], widest: int
) -> list[int]:
    """Return the lines of the window with the greatest worth."""
    best = -1.0
    window: Sequence[int] = ()
    total = 0.0
    end = 0
    for start, first in enumerate(group):
        while end < len(group) and group[end] < first + widest:
            total += worths.get(group[end], 0.0)
            end += 1
        rounded = round(total, 6)
        if rounded > best:
            best = rounded
            window = group[start:end]
        total -= worths.get(first, 0.0)
    return list(window)
