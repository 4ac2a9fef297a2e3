"""Precedents section: past commits like the task, with the present places of their
lines.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from cuedeck.context.scene.ledger_blocks import Fitted
from cuedeck.model.formatting import counted
from cuedeck.model.ports import Count
from cuedeck.model.scene_values import Span
from cuedeck.parse.fence import LONGEST_LINE, named, quoted
from cuedeck.parse.secrets.mask import Mask

if TYPE_CHECKING:
    from cuedeck.context.ranking.precedents import Precedent, PrecedentFile

NAME = "precedents"
OPENING = "## Precedents\n\n> Past commits similar to this task; `L…`: where the lines that they changed are now.\n\n"
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
    free = room - count.count(OPENING)
    blocks: list[str] = []
    for precedent in found:
        block = _fit_block(precedent, free, mask, count)
        if not block:
            break
        free -= count.count(block)
        blocks.append(block)
    if not blocks:
        return Fitted(NAME, "", 0, 0)
    return Fitted(NAME, OPENING + "".join(blocks), room - free, room)


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
