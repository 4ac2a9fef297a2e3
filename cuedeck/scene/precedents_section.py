"""Precedents section: past commits like the task, with the present places of their lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from cuedeck.model.ports import Count
from cuedeck.model.scene_values import Span
from cuedeck.scene.fence import named, quoted
from cuedeck.scene.ledger_blocks import Fitted
from cuedeck.scene.mask import Mask

if TYPE_CHECKING:
    from cuedeck.ranking.precedents import Precedent, PrecedentFile

NAME = "precedents"
OPENING = "## Precedents\n\n> Past commits most like this task; `L…` are the present places of their lines.\n\n"
_SUBJECT = 120
_KEY = 80
"""Maximum characters of a commit's subject and of a quoted line."""
_QUOTED = 3
"""Number of files of a precedent of which one line is quoted.

On the development cases the quoted line of these files is a changed place 1.7 times as often as a range.
"""
_SHORT_ID = 7


def fit_precedents(found: Sequence[Precedent], room: int, mask: Mask, count: Count) -> Fitted:
    """Return the section with as many precedents as fit in `room` tokens, best first; empty if none fits."""
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
    """Return the longest form of a precedent that fits: with quoted lines, without, or with fewer files."""
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
    """Return a precedent as one piece of text: the commit, and one nested row for each file."""
    rows = [f"- `{precedent.id[:_SHORT_ID]}` {quoted(mask.plain(precedent.subject), _SUBJECT)}\n"]
    rows += [_row(file, at < quotes, mask) for at, file in enumerate(precedent.files[:files])]
    return "".join(rows) + "\n"


def _row(file: PrecedentFile, has_quote: bool, mask: Mask) -> str:
    ranges: list[str] = []
    for span in file.spans:
        text = _lines(span)
        if has_quote and span[0] <= file.key <= span[1]:
            text += f" {_quote(file, mask)}"
        ranges.append(text)
    return f"  - {named(mask.plain(file.path))} {', '.join(ranges)}\n"


def _quote(file: PrecedentFile, mask: Mask) -> str:
    return named(mask.lines(file.path, ((file.key, file.key),))[0], _KEY)


def _lines(span: Span) -> str:
    first, last = span
    return f"L{first}" if first == last else f"L{first}-{last}"
