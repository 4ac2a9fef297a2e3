"""Lines as they are compared, whatever a system puts before them."""

from __future__ import annotations

import re

_BARS = r"[\s│┃┆⋮…>]*"
_DECORATION = re.compile(rf"{_BARS}(?:\d+\s*[:|│\t]\s?)?{_BARS}")
_BLANKS = re.compile(r"\s+")


def canonical(line: str) -> str:
    """Return a line without tree bars and line numbers before it, each run of blanks as
    one.
    """
    return _BLANKS.sub(" ", _DECORATION.sub("", line, count=1)).strip()


def weight(line: str) -> int:
    """Return the number of characters that are no blanks."""
    return len(line.replace(" ", ""))
