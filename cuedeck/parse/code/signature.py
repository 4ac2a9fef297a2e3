"""The head of a definition on one line."""

from __future__ import annotations

import re

MAX_SIGNATURE = 400
MAX_CONSTANT = 120
MAX_HEAD_BYTES = 8_000
"""Of a longer head nothing behind it could be seen."""

_DOUBLE = r"\"(?:\\.|[^\"\\\n])*\""
_QUOTED = rf"{_DOUBLE}|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`"
_CHARACTER = rf"{_DOUBLE}|'(?:\\.|[^'\\\n])'"
_SLASHED = r"[ \t]*(?://[^\n]*|/\*.*?\*/)"
_PATTERNS = {
    ("#", False): re.compile(rf"({_QUOTED})|#[^\n]*"),
    ("//", False): re.compile(rf"({_QUOTED})|{_SLASHED}", re.DOTALL),
    ("//", True): re.compile(rf"({_CHARACTER})|{_SLASHED}", re.DOTALL),
}


def fold(text: str, comment: str = "#", lifetimes: bool = False) -> str:
    """Put a head on one line, without comments and without what line breaks in brackets left behind."""
    if "\n" not in text and comment[0] not in text and "  " not in text and "\t" not in text:
        return text.strip()
    if comment[0] in text:
        text = _PATTERNS[comment, lifetimes].sub(lambda found: found[1] or "", text)
    if "\n" not in text:
        return " ".join(text.split())
    folded = ""
    for row in text.split("\n"):
        row = " ".join(row.split())
        if row.startswith((")", "]", "}")) or (row.startswith(">") and folded.endswith(",")):
            folded = folded.removesuffix(",") + row
        elif row:
            glued = not folded or folded.endswith(("(", "[", "{")) or (folded[-1] == "<" and folded[-2:] != " <")
            folded += row if glued else f" {row}"
    return folded
