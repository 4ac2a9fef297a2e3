"""The section of a scene that lists the occurrences of the task's identifiers."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from itertools import groupby

from cuedeck.context.ranking.occurrences import (
    LEAST_WORTH,
    Identifier,
    Line,
    Occurrences,
)
from cuedeck.context.scene.ledger_blocks import Fitted
from cuedeck.model.ports import Count
from cuedeck.model.scene_values import Shown
from cuedeck.parse.fence import GUTTER, fence, fold
from cuedeck.parse.secrets.mask import Mask
from cuedeck.text.identifiers import find_offsets, split_identifier

NAME = "occurrences"
MOST_TOKENS = 900
"""Maximum tokens of the section."""
_SHARE = 0.11
"""Maximum share of the budget."""
LEAST_TOKENS = 120
"""Minimum room for the section to appear."""
LONGEST_ROW = 200
"""Maximum characters of a row."""
_NAMES = 24
"""Maximum number of identifiers."""
_PER_NAME = 4
"""Maximum number of lines with text per identifier."""
_MOST_BY_NUMBER = 20
"""Maximum number of lines by number."""
_GAP = 3
"""Lines on both sides of a row that the row covers."""
_BEFORE = 60
"""Characters shown before an identifier that is too far to the right to be visible
otherwise.
"""
_OPENING = (
    "## Occurrences\n\n"
    "> Further lines with identifiers of the task or of the files above. “all”: CueDeck"
    " found no other line, except those shown above; `cuedeck find NAME` lists every"
    " line.\n\n"
)

_NUMBER = re.compile(rf"^ *(\d+){GUTTER}", re.MULTILINE)

Covered = Mapping[str, Collection[int]]
"""Line numbers that a scene shows, by path."""


class OccurrencesSection:
    """The section for one scene."""

    def __init__(
        self, found: Occurrences, budget: int, mask: Mask, count: Count
    ) -> None:
        self._found = found
        self._mask = mask
        self._count = count
        self.cap = min(MOST_TOKENS, int(budget * _SHARE)) if found.identifiers else 0
        """Maximum tokens of the section."""

    @property
    def fingerprint(self) -> str:
        """Hash of the occurrences, for the receipt."""
        return self._found.fingerprint

    def fit(self, shown: Sequence[Shown], room: int) -> Fitted:
        """Return the section for a scene that shows these files, within `room`
        tokens.
        """
        covered = covered_lines(shown, self._mask)
        cap = min(room, self.cap)
        found = self._found.identifiers
        return fit_occurrences(found, covered, cap, self._mask, self._count)


def covered_lines(shown: Sequence[Shown], mask: Mask) -> Covered:
    """Return the numbers of the lines that are shown of each file."""
    covered: dict[str, set[int]] = {}
    for each in shown:
        lines = covered.setdefault(each.visit.path, set())
        lines.update(map(int, _NUMBER.findall(each.body)))
        if each.view == "line" and each.visit.tier == "related":
            lines.add(each.lines[0])
    return covered


def fit_occurrences(
    found: Sequence[Identifier], covered: Covered, room: int, mask: Mask, count: Count
) -> Fitted:
    """Return the section with the most valuable lines that fit in `room` tokens;
    without text if none fits.

    `covered` are the lines shown elsewhere, which are neither listed nor counted.
    """
    cap = room
    nothing = Fitted(NAME, "", 0, max(cap, 0))
    if cap < LEAST_TOKENS or not found:
        return nothing
    free = cap - count.count(_OPENING) - count.count(fence(""))
    groups: list[Sequence[str]] = []
    listed: set[tuple[str, int]] = set()
    for identifier in found:
        if len(groups) == _NAMES:
            break
        if mask.plain(identifier.name) != identifier.name:
            continue
        rows, free = _fit_rows(identifier, covered, listed, free, mask, count)
        if rows:
            groups.append(rows)
    while groups:
        text = _OPENING + fence("\n".join(row for rows in groups for row in rows))
        tokens = count.count(_OPENING) + count.count(text.removeprefix(_OPENING))
        if tokens <= cap:
            return Fitted(NAME, text, tokens, cap)
        groups.pop()
    return nothing


def _fit_rows(
    identifier: Identifier,
    covered: Covered,
    listed: set[tuple[str, int]],
    free: int,
    mask: Mask,
    count: Count,
) -> tuple[Sequence[str], int]:
    """Return the heading and the rows of one identifier that fit in `free` tokens, and
    the tokens left.

    The best lines have their text. The others are listed by number if they are few and
    all of them fit, so that no search for the identifier is needed. `listed` is
    extended by the lines near each row.
    """
    new = [
        line for line in identifier.lines if line.line not in covered.get(line.path, ())
    ]
    left = free - count.count(_heading(identifier, 0, len(new), len(new)) + "\n")
    if identifier.is_everywhere:
        return ([_heading(identifier, 0, 0, 0)], left) if left >= 0 else ((), free)
    chosen = _choose_rows(identifier, new, listed, left, mask, count)
    if not chosen:
        return (), free
    left -= sum(count.count(row + "\n") for row in chosen.values())
    order = {
        path: at for at, path in enumerate(dict.fromkeys(line.path for line in new))
    }
    in_order = sorted(new, key=lambda line: (order[line.path], line.line))
    rows = [chosen[line] for line in in_order if line in chosen]
    further = [line for line in in_order if line not in chosen]
    others = _rows_by_number(further, mask)
    cost = sum(count.count(row + "\n") for row in others)
    is_complete = len(further) <= _MOST_BY_NUMBER and cost <= left
    if is_complete:
        left -= cost
        rows += others
    by_number = len(further) if is_complete else 0
    heading = _heading(identifier, len(chosen) + by_number, len(new), by_number)
    return [heading, *rows], left


def _choose_rows(
    identifier: Identifier,
    new: Sequence[Line],
    listed: set[tuple[str, int]],
    room: int,
    mask: Mask,
    count: Count,
) -> dict[Line, str]:
    parts = split_identifier(identifier.name)
    chosen: dict[Line, str] = {}
    for line in new:
        if len(chosen) == _PER_NAME or line.worth < LEAST_WORTH:
            break
        if (line.path, line.line) in listed:
            continue
        row = format_row(line.path, line.line, parts, mask)
        room -= count.count(row + "\n")
        if room < 0:
            break
        chosen[line] = row
        listed.update(
            (line.path, near) for near in range(line.line - _GAP, line.line + _GAP + 1)
        )
    return chosen


def _rows_by_number(lines: Sequence[Line], mask: Mask) -> Sequence[str]:
    rows = []
    for path, group in groupby(lines, key=lambda line: line.path):
        numbers = [str(line.line) for line in group]
        shown = [f"L{each}" if each.isdecimal() else each for each in numbers]
        rows.append(f"{_shown_path(path, mask)} {', '.join(shown)}")
    return rows


def _heading(identifier: Identifier, shown: int, total: int, by_number: int) -> str:
    """Return the line above the rows of an identifier, with the number of its lines."""
    if identifier.is_everywhere:
        return f"{identifier.name} (too frequent, not listed)"
    if shown < total:
        return f"{identifier.name} ({shown} of {total}):"
    numbered = f", {by_number} by number" if by_number else ""
    return f"{identifier.name} (all {total}{numbered}):"


def format_row(path: str, line: int, parts: Sequence[str], mask: Mask) -> str:
    """Return `path:line: text` with secrets masked, at most `LONGEST_ROW` characters
    long.
    """
    place = f"{_shown_path(path, mask)}:{line}: "
    return place + line_text(path, line, parts, LONGEST_ROW - len(place), mask)


def line_text(path: str, line: int, parts: Sequence[str], most: int, mask: Mask) -> str:
    """Return the masked text of a line, cut to `most` characters that include the
    identifier.
    """
    text = mask.lines(path, [(line, line)])[0].strip()
    at = next(find_offsets(text, tuple(parts)), 0)
    return cut_row(text, at, len("".join(parts)), most)


def cut_row(text: str, at: int, length: int, most: int) -> str:
    """Return a line cut to `most` characters that include those from offset `at`."""
    if at + length >= most:
        text = "…" + text[at - _BEFORE :]
    return fold(text, most)


def _shown_path(path: str, mask: Mask) -> str:
    return fold(mask.plain(path), LONGEST_ROW // 2)
