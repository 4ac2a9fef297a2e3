"""The section of a scene that lists the occurrences of the task's identifiers."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from cuedeck.model.display import counted
from cuedeck.model.ports import Count
from cuedeck.parse.identifiers import find_offsets, split_identifier
from cuedeck.ranking.occurrences import Identifier, Line
from cuedeck.scene.fence import fence, fold
from cuedeck.scene.ledger_blocks import Fitted
from cuedeck.scene.mask import Mask

NAME = "occurrences"
MOST_TOKENS = 900
"""Maximum tokens of the section; more lines seldom contain a place to edit."""
LEAST_TOKENS = 120
"""Minimum room for the section to appear."""
LONGEST_ROW = 200
"""Maximum characters of a row."""
_NAMES = 16
"""Maximum number of identifiers."""
_PER_NAME = 6
"""Maximum number of lines per identifier."""
_GAP = 3
"""Lines on both sides of a row that the row stands for; an occurrence there is not listed again."""
_LEAST_WORTH = 0.04
"""Minimum worth of a row."""
_BEFORE = 60
"""Characters shown before an identifier that is too far to the right to be visible otherwise."""
_OPENING = (
    "## Occurrences\n\n"
    "> Lines with identifiers of the task that are not shown above; `cuedeck find NAME` lists every line.\n\n"
)

Covered = Mapping[str, Collection[int]]
"""Line numbers that a scene shows, by path."""


def fit_occurrences(found: Sequence[Identifier], covered: Covered, room: int, mask: Mask, count: Count) -> Fitted:
    """Return the section with the most valuable lines that fit in `room` tokens; without text if none fits.

    `covered` are the lines shown elsewhere, which are neither listed nor counted.
    """
    cap = min(room, MOST_TOKENS)
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
    """Return the heading and the rows of one identifier that fit in `free` tokens, and the tokens left.

    Rows are chosen by worth and sorted by file, the best file first. `listed` is extended by the lines near each row.
    """
    parts = split_identifier(identifier.name)
    new = [line for line in identifier.lines if line.line not in covered.get(line.path, ())]
    left = free - count.count(_heading(identifier, len(new), len(new)) + "\n")
    chosen: dict[Line, str] = {}
    for line in new:
        if len(chosen) == _PER_NAME or line.worth < _LEAST_WORTH:
            break
        if (line.path, line.line) in listed:
            continue
        row = format_row(line.path, line.line, parts, mask)
        cost = count.count(row + "\n")
        if cost > left:
            break
        left -= cost
        chosen[line] = row
        listed.update((line.path, near) for near in range(line.line - _GAP, line.line + _GAP + 1))
    if not chosen:
        return (), free
    order = {path: at for at, path in enumerate(dict.fromkeys(line.path for line in chosen))}
    ordered = sorted(chosen, key=lambda line: (order[line.path], line.line))
    heading = _heading(identifier, len(chosen), len(new))
    return [heading, *(chosen[line] for line in ordered)], left


def _heading(identifier: Identifier, shown: int, total: int) -> str:
    """Return the line above the rows of an identifier, with the number of its lines that are not shown."""
    text = f"{identifier.name}:"
    if shown < total:
        text += f" {shown} of {counted(total, 'line')}"
    if identifier.unread:
        text += f", {counted(identifier.unread, 'further file')}"
    return text


def format_row(path: str, line: int, parts: Sequence[str], mask: Mask) -> str:
    """Return `path:line: text` with secrets masked, at most `LONGEST_ROW` characters long."""
    place = f"{fold(mask.plain(path), LONGEST_ROW // 2)}:{line}: "
    return place + line_text(path, line, parts, LONGEST_ROW - len(place), mask)


def line_text(path: str, line: int, parts: Sequence[str], most: int, mask: Mask) -> str:
    """Return the masked text of a line, cut to `most` characters that include the identifier."""
    text = mask.lines(path, [(line, line)])[0].strip()
    at = next(find_offsets(text, tuple(parts)), 0)
    if at + len("".join(parts)) >= most:
        text = "…" + text[at - _BEFORE :]
    return fold(text, most)
