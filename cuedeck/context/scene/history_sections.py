"""Sections of a scene that git history fills: precedents (past commits like the task,
with the present places of their lines) and companions (files that usually change with
those of the task).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING

from cuedeck.context.scene.ledger_blocks import NOTHING, Fitted
from cuedeck.context.scene.visit_heading import VisitRenderer, end_rows, fit_rows
from cuedeck.model.formatting import counted
from cuedeck.model.scene_values import Span
from cuedeck.parse.fence import LONGEST_LINE, named, quoted
from cuedeck.parse.secrets.mask import Mask

if TYPE_CHECKING:
    from cuedeck.context.ranking.companions import Companion, Scope
    from cuedeck.context.ranking.precedents import Precedent

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
