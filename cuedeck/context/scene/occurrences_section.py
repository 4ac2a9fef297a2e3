"""The section of a scene that lists the occurrences of the task's identifiers."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, groupby
from typing import TYPE_CHECKING

from cuedeck.context.ranking.occurrences import (
    LEAST_WORTH,
    Identifier,
    Line,
    Occurrences,
)
from cuedeck.context.scene.ledger_blocks import NOTHING, Fitted
from cuedeck.context.scene.visit_heading import VisitRenderer, end_rows, fit_rows
from cuedeck.model.formatting import counted
from cuedeck.model.scene_values import Shown, Span
from cuedeck.parse.fence import GUTTER, LONGEST_LINE, fence, fold, named, quoted
from cuedeck.parse.secrets.mask import Mask
from cuedeck.text.identifiers import find_offsets, split_identifier

if TYPE_CHECKING:
    from cuedeck.context.ranking.companions import Companion, Scope
    from cuedeck.context.ranking.precedents import Precedent


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


def occurrences_cap(found: Occurrences | None, budget: int) -> int:
    """Return the maximum tokens of the section."""
    has_any = found is not None and found.identifiers
    return min(MOST_TOKENS, int(budget * _SHARE)) if has_any else 0


def covered_lines(shown: Iterable[Shown]) -> Covered:
    """Return the numbers of the lines that are shown of each file."""
    covered: dict[str, set[int]] = {}
    for each in shown:
        lines = covered.setdefault(each.visit.path, set())
        lines.update(map(int, _NUMBER.findall(each.body)))
        if each.view == "line" and each.visit.tier == "related":
            lines.add(each.lines[0])
    return covered


def fit_occurrences(
    found: Sequence[Identifier], covered: Covered, room: int, renderer: VisitRenderer
) -> Fitted:
    """Return the section with the most valuable lines that fit in `room` tokens;
    without text if none fits.

    `covered` are the lines shown elsewhere, which are neither listed nor counted.
    """
    count = renderer.count.count
    nothing = Fitted(NAME, "", 0, max(room, 0))
    if room < LEAST_TOKENS or not found:
        return nothing
    free = room - count(_OPENING) - count(fence(""))
    groups: list[Sequence[str]] = []
    listed: set[tuple[str, int]] = set()
    for identifier in found:
        if len(groups) == _NAMES:
            break
        if renderer.mask.plain(identifier.name) != identifier.name:
            continue
        rows, left = _fit_rows(identifier, covered, listed, free, renderer)
        if rows:
            free = left
            groups.append(rows)
    while groups:
        body = fence("\n".join(chain(*groups)))
        tokens = count(_OPENING) + count(body)
        if tokens <= room:
            return Fitted(NAME, _OPENING + body, tokens, room)
        groups.pop()
    return nothing


def _row_tokens(rows: Iterable[str], renderer: VisitRenderer) -> int:
    return sum(renderer.count.count(row + "\n") for row in rows)


def _fit_rows(
    identifier: Identifier,
    covered: Covered,
    listed: set[tuple[str, int]],
    free: int,
    renderer: VisitRenderer,
) -> tuple[Sequence[str], int]:
    """Return the heading and the rows of one identifier that fit in `free` tokens, and
    the tokens left.

    The best lines have their text. The others are listed by number if they are few and
    all of them fit, so that no search for the identifier is needed. `listed` is
    extended by the lines near each row.
    """
    name = identifier.name
    if identifier.is_everywhere:
        heading = f"{name} (too frequent, not listed)"
        left = free - _row_tokens([heading], renderer)
        return [heading] if left >= 0 else (), left
    new = [
        line for line in identifier.lines if line.line not in covered.get(line.path, ())
    ]
    partial = f"{name} ({{}} of {len(new)}):"
    left = free - _row_tokens([partial.format(0)], renderer)
    chosen = _choose_rows(identifier, new, listed, left, renderer)
    if not chosen:
        return (), left
    left -= _row_tokens(chosen.values(), renderer)
    order = list(dict.fromkeys(line.path for line in new))
    in_order = sorted(new, key=lambda line: (order.index(line.path), line.line))
    rows = [chosen[line] for line in in_order if line in chosen]
    further = [line for line in in_order if line not in chosen]
    others = _rows_by_number(further, renderer.mask)
    cost = _row_tokens(others, renderer)
    if len(further) > _MOST_BY_NUMBER or cost > left:
        return [partial.format(len(rows)), *rows], left
    by_number = f", {len(further)} by number" if further else ""
    heading = f"{name} (all {len(new)}{by_number}):"
    return [heading, *rows, *others], left - cost


def _choose_rows(
    identifier: Identifier,
    new: Sequence[Line],
    listed: set[tuple[str, int]],
    room: int,
    renderer: VisitRenderer,
) -> dict[Line, str]:
    parts = split_identifier(identifier.name)
    chosen: dict[Line, str] = {}
    for line in new:
        if len(chosen) == _PER_NAME or line.worth < LEAST_WORTH:
            break
        if (line.path, line.line) in listed:
            continue
        row = format_row(line.path, line.line, parts, renderer.mask)
        room -= _row_tokens([row], renderer)
        if room < 0:
            break
        chosen[line] = row
        near = range(line.line - _GAP, line.line + _GAP + 1)
        listed.update((line.path, number) for number in near)
    return chosen


def _rows_by_number(lines: Sequence[Line], mask: Mask) -> Sequence[str]:
    rows = []
    for path, group in groupby(lines, key=lambda line: line.path):
        numbers = [f"L{line.line}" for line in group]
        rows.append(f"{_shown_path(path, mask)} {', '.join(numbers)}")
    return rows


def format_row(path: str, line: int, parts: Sequence[str], mask: Mask) -> str:
    """Return `path:line: text` with secrets masked, at most `LONGEST_ROW` characters
    long.
    """
    place = f"{_shown_path(path, mask)}:{line}: "
    text = mask.lines(path, [(line, line)])[0].strip()
    at = next(find_offsets(text, tuple(parts)), 0)
    length = len("".join(parts))
    most = LONGEST_ROW - len(place)
    return place + cut_row(text, at, length, most)


def cut_row(text: str, at: int, length: int, most: int) -> str:
    """Return a line cut to `most` characters that include those from offset `at`."""
    if at + length >= most:
        text = "…" + text[at - _BEFORE :]
    return fold(text, most)


def _shown_path(path: str, mask: Mask) -> str:
    return fold(mask.plain(path), LONGEST_ROW // 2)


PRECEDENTS, COMPANIONS = "precedents", "companions"
_PRECEDENTS_OPENING = (
    "## Precedents\n\n> Past commits similar to this task; `L…`: where the lines that"
    " they changed are now.\n\n"
)
_COMPANIONS_OPENING = (
    "## Companions\n\n> Files that commits like this one usually change as well.\n\n"
)
_MOST_COMPANIONS = 3
_TITLE = 40
"""Maximum characters of the title of a section."""
_SUBJECT = 120
"""Maximum characters of a commit's subject."""
_QUOTE = (20, 80)
"""Minimum and maximum characters of a quoted line."""
_QUOTED = 3
"""Number of files of a precedent that have one quoted line."""
_SHORT_ID = 7


def fit_precedents(
    found: Sequence[Precedent], room: int, renderer: VisitRenderer
) -> Fitted:
    """Return the section with as many precedents as fit in `room` tokens, best first;
    empty if none fits.
    """
    count = renderer.count.count
    free = room - count(_PRECEDENTS_OPENING)
    blocks: list[str] = []
    for precedent in found:
        forms = _forms(precedent, renderer.mask)
        block = next((form for form in forms if count(form) <= free), "")
        if not block:
            break
        free -= count(block)
        blocks.append(block)
    if not blocks:
        return NOTHING
    return Fitted(PRECEDENTS, _PRECEDENTS_OPENING + "".join(blocks), room - free, room)


def _forms(precedent: Precedent, mask: Mask) -> Iterator[str]:
    """Yield a precedent as one piece of text, the longest form first: with quoted
    lines, without, and with fewer files.
    """
    files = len(precedent.files)
    yield _block(precedent, _QUOTED, files, mask)
    while files:
        yield _block(precedent, 0, files, mask)
        files //= 2


def _block(precedent: Precedent, quotes: int, files: int, mask: Mask) -> str:
    """Return the commit, and one nested row for each file."""
    subject = quoted(mask.plain(precedent.subject), _SUBJECT)
    text = f"- `{precedent.id[:_SHORT_ID]}` {subject}"
    if files < precedent.touched:
        text += f" ({files} of {counted(precedent.touched, 'file')})"
    for at, file in enumerate(precedent.files[:files]):
        ranges = [_lines(span) for span in file.spans]
        name = named(mask.plain(file.path))
        if at < quotes:
            taken = len(f"  - {name} {', '.join(ranges)} ")
            has_key = [first <= file.key <= last for first, last in file.spans]
            quote = quote_line(file.path, file.key, taken, mask)
            ranges[has_key.index(True)] += quote
        text += f"\n  - {name} {', '.join(ranges)}"
    return f"{text}\n\n"


def quote_line(path: str, line: int, taken: int, mask: Mask) -> str:
    """Return a space and a line of a file as inline code, for a row in which `taken`
    characters are used.

    Empty if the row has no room for a useful part of the line.
    """
    most = min(_QUOTE[1], LONGEST_LINE - taken)
    if most < _QUOTE[0]:
        return ""
    text = mask.lines(path, ((line, line),))[0]
    return f" {named(text, most)}"


def _lines(span: Span) -> str:
    first, last = span
    return f"L{first}" if first == last else f"L{first}-{last}"


def fit_companions(
    found: Sequence[Companion],
    room: int,
    renderer: VisitRenderer,
    shown: Collection[str] = (),
) -> Fitted:
    """Return the section with up to three companions that are not `shown`, within
    `room` tokens; empty if none fits.
    """
    count = renderer.count.count
    rows = [
        _companion_row(each, renderer.mask) for each in found if each.path not in shown
    ]
    free = room - count(_COMPANIONS_OPENING) - count("\n")
    fitting = fit_rows(rows, free, count)[:_MOST_COMPANIONS]
    if not fitting:
        return NOTHING
    pieces = [_COMPANIONS_OPENING, *end_rows(fitting)]
    return Fitted(COMPANIONS, "".join(pieces), sum(map(count, pieces)), room)


def _companion_row(companion: Companion, mask: Mask) -> str:
    share = round(100 * companion.times / companion.scope.commits)
    name = named(mask.plain(companion.path))
    scope = _commits(companion.scope, mask)
    row = f"- {name} in {share} % of the last {scope}"
    if companion.newest is not None:
        section = companion.newest
        title = quoted(mask.plain(section.title), _TITLE)
        row += f"; newest section L{section.start}-{section.end} {title}"
    if companion.line:
        row += f"; last addition L{companion.line}"
        row += quote_line(companion.path, companion.line, len(row), mask)
    return f"{row}\n"


def _commits(scope: Scope, mask: Mask) -> str:
    """Return the commits of a scope in words."""
    if not scope.path:
        return f"{scope.commits} commits to code"
    place = named(mask.plain(scope.path))
    return f"{scope.commits} commits {'under' if scope.path.endswith('/') else 'to'} {place}"
