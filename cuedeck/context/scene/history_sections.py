"""Sections of a scene that git history fills: precedents (past commits like the task,
with the present places of their lines) and companions (files that usually change with
those of the task).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING

from cuedeck.context.scene.ledger_blocks import NOTHING, Fitted
from cuedeck.model.formatting import counted
from cuedeck.model.ports import Count
from cuedeck.model.scene_values import Span
from cuedeck.parse.fence import LONGEST_LINE, named, quoted
from cuedeck.parse.secrets.mask import Mask

if TYPE_CHECKING:
    from cuedeck.context.ranking.companions import Companion, Scope
    from cuedeck.context.ranking.precedents import Precedent, PrecedentFile

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
    found: Sequence[Precedent], room: int, mask: Mask, count: Count
) -> Fitted:
    """Return the section with as many precedents as fit in `room` tokens, best first;
    empty if none fits.
    """
    free = room - count.count(_PRECEDENTS_OPENING)
    blocks: list[str] = []
    for precedent in found:
        block = _fit_block(precedent, free, mask, count)
        if not block:
            break
        free -= count.count(block)
        blocks.append(block)
    if not blocks:
        return NOTHING
    return Fitted(PRECEDENTS, _PRECEDENTS_OPENING + "".join(blocks), room - free, room)


def _fit_block(precedent: Precedent, room: int, mask: Mask, count: Count) -> str:
    for quotes, files in _sizes(len(precedent.files)):
        block = _block(precedent, quotes, files, mask)
        if count.count(block) <= room:
            return block
    return ""


def _sizes(files: int) -> Iterator[tuple[int, int]]:
    """Yield numbers of quoted lines and of files, the longest form first."""
    yield _QUOTED, files
    yield 0, files
    while files > 1:
        files //= 2
        yield 0, files


def _block(precedent: Precedent, quotes: int, files: int, mask: Mask) -> str:
    """Return a precedent as one piece of text: the commit, and one nested row for each
    file.
    """
    shown = precedent.files[:files]
    name = precedent.id[:_SHORT_ID]
    subject = mask.plain(precedent.subject)
    title = f"- `{name}` {quoted(subject, _SUBJECT)}"
    if len(shown) < precedent.touched:
        total = counted(precedent.touched, "file")
        title += f" ({len(shown)} of {total})"
    rows = [f"{title}\n"]
    for at, file in enumerate(shown):
        row = _row(file, at < quotes, mask)
        rows.append(row)
    return "".join(rows) + "\n"


def _row(file: PrecedentFile, has_quote: bool, mask: Mask) -> str:
    ranges = [_lines(span) for span in file.spans]
    name = named(mask.plain(file.path))
    if has_quote:
        at = next(
            at
            for at, (first, last) in enumerate(file.spans)
            if first <= file.key <= last
        )
        taken = len(f"  - {name} {', '.join(ranges)} ")
        ranges[at] += quote_line(file.path, file.key, taken, mask)
    return f"  - {name} {', '.join(ranges)}\n"


def quote_line(path: str, line: int, taken: int, mask: Mask) -> str:
    """Return a space and a line of a file as inline code, for a row in which `taken`
    characters are used.

    Empty if the row has no room for a useful part of the line.
    """
    most = min(_QUOTE[1], LONGEST_LINE - taken)
    return (
        f" {named(mask.lines(path, ((line, line),))[0], most)}"
        if most >= _QUOTE[0]
        else ""
    )


def _lines(span: Span) -> str:
    first, last = span
    return f"L{first}" if first == last else f"L{first}-{last}"


def fit_companions(
    found: Sequence[Companion],
    room: int,
    mask: Mask,
    count: Count,
    shown: Collection[str] = (),
) -> Fitted:
    """Return the section with up to three companions that are not `shown`, within
    `room` tokens; empty if none fits.
    """
    free = room - count.count(_COMPANIONS_OPENING) - count.count("\n")
    rows: list[str] = []
    for companion in found:
        if companion.path in shown or len(rows) == _MOST_COMPANIONS:
            continue
        row = _companion_row(companion, mask)
        cost = count.count(row)
        if cost <= free:
            rows.append(row)
            free -= cost
    if not rows:
        return NOTHING
    rows[-1] += "\n"
    tokens = count.count(_COMPANIONS_OPENING) + sum(count.count(row) for row in rows)
    return Fitted(COMPANIONS, _COMPANIONS_OPENING + "".join(rows), tokens, room)


def _companion_row(companion: Companion, mask: Mask) -> str:
    share = round(100 * companion.times / companion.scope.commits)
    row = f"- {named(mask.plain(companion.path))} in {share} % of the last {_commits(companion.scope, mask)}"
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
