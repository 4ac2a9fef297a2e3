"""Lines in comparable form, without the decorations of a system."""

from __future__ import annotations

import re

_BARS = r"[\s│┃┆⋮…>]*"
_DECORATION = re.compile(rf"{_BARS}(?:\d+\s*[:|│\t]\s?)?{_BARS}")
_BLANKS = re.compile(r"\s+")


def canonical(line: str) -> str:
    """Return a line without tree bars and line numbers, with each run of blanks
    as one.
    """
    return _BLANKS.sub(" ", _DECORATION.sub("", line, count=1)).strip()


def weight(line: str) -> int:
    """Return the number of non-blank characters."""
    return len(line.replace(" ", ""))
