"""Conflict markers that git writes into a file whose merge is not finished."""

from __future__ import annotations

import re

CONFLICT = "git conflict markers: the merge of this file is not finished"
CONFLICT_HINT = (
    "keep the lines of one side, and remove the lines <<<<<<<, ======= and >>>>>>>"
)
_MARKERS = re.compile(
    r"^<{7}(?: .*)?\n(?:.*\n)*?={7}\n(?:.*\n)*?>{7}(?: .*)?$", re.MULTILINE
)
_FENCE = re.compile(r"^ {0,3}(?:```|~~~)", re.MULTILINE)


def conflict_line(text: str, *, fences: bool = False) -> int:
    """Return the 1-based line of the first conflict of a text; 0 if there is none.

    With `fences`, markers in a code fence of Markdown are an example.
    """
    if "<<<<<<<" not in text:
        return 0
    text = text.replace("\r\n", "\n")
    for match in _MARKERS.finditer(text):
        before = text[: match.start()]
        if fences and len(_FENCE.findall(before)) % 2:
            continue
        return before.count("\n") + 1
    return 0
