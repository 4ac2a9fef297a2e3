"""Lines put at the end of a text behind an empty one, so that taking them out gives the old text.

Where its last line had no newline, it has one afterwards.
"""

from __future__ import annotations

from cuedeck.parse.text_decoding import BOM
from cuedeck.parse.text_edit import Cut
from cuedeck.parse.text_offsets import line_start, newline_at, next_line


def glue_for(text: str, lines: str, newline: str) -> str:
    """Return what is put behind a text: the lines, an empty one before, and a newline that ends them.

    Without the last one, what a person appends would stand on a line of ours.
    """
    if not text.removeprefix(BOM):
        return f"{lines}{newline}"
    if text.endswith(("\n", "\r")):
        return f"{newline}{lines}{newline}"
    return f"{newline}{newline}{lines}{newline}"


def cut_of(text: str, start: int, end: int) -> Cut:
    """Return the lines from `start` to `end`, with the empty one before where nothing but the text's end follows.

    Where other lines follow, the empty one goes only if another stands behind. What follows on the last of
    the lines stays.
    """
    behind = next_line(text, end)
    if text[end:behind].strip():
        return Cut(start, end)
    start = line_start(text, start) or (len(BOM) if text.startswith(BOM) else 0)
    blank = _blank_line(text, start)
    if behind < len(text):
        follows_blank = not text[behind : next_line(text, behind)].strip()
        return Cut(blank if follows_blank else start, behind)
    if blank < start and not text.endswith(("\n", "\r")) and text.endswith(("\n", "\r"), 0, blank):
        blank -= len(newline_at(text, blank))
    return Cut(blank, behind)


def _blank_line(text: str, start: int) -> int:
    """Return where the empty line before the line at `start` begins; `start` when none is there."""
    if not text.endswith(("\n", "\r"), 0, start):
        return start
    end = start - len(newline_at(text, start))
    is_empty = not text[line_start(text, end) : end].removeprefix(BOM)
    return end if is_empty else start
