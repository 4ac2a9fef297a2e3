"""Reversible append of lines to a text, after an empty line.

After a removal, the last line ends with a newline even if it had none before the
append.
"""

from __future__ import annotations

from cuedeck.parse.text_decoding import BOM
from cuedeck.parse.text_edit import Cut
from cuedeck.text.text_offsets import line_start, newline_at, next_line


def glue_for(text: str, lines: str, newline: str) -> str:
    """Return the text to append: an empty line, the lines, and a final newline.

    Without the final newline, text that a person appends would continue the last line
    of CueDeck.
    """
    if not text.removeprefix(BOM):
        return f"{lines}{newline}"
    if text.endswith(("\n", "\r")):
        return f"{newline}{lines}{newline}"
    return f"{newline}{newline}{lines}{newline}"


def cut_of(text: str, start: int, end: int) -> Cut:
    """Return the cut that removes the lines from `start` to `end`; at the end of the
    text, also the empty line before.

    If other lines follow, the empty line is removed only if the next line is empty too.
    Text after `end` on the same line is kept.
    """
    next_start = next_line(text, end)
    if text[end:next_start].strip():
        return Cut(start, end)
    start = line_start(text, start)
    if start == 0 and text.startswith(BOM):
        start = len(BOM)
    blank = _blank_line(text, start)
    if next_start < len(text):
        next_text = text[next_start : next_line(text, next_start)]
        first = start if next_text.strip() else blank
        return Cut(first, next_start)
    ends_line = text.endswith(("\n", "\r"))
    if blank < start and not ends_line and text.endswith(("\n", "\r"), 0, blank):
        blank -= len(newline_at(text, blank))
    return Cut(blank, next_start)


def _blank_line(text: str, start: int) -> int:
    """Return the start offset of the empty line before the line at `start`, or `start`
    if there is none.
    """
    if not text.endswith(("\n", "\r"), 0, start):
        return start
    end = start - len(newline_at(text, start))
    is_empty = not text[line_start(text, end) : end].removeprefix(BOM)
    return end if is_empty else start
