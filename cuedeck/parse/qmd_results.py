"""Parser of the JSON that `qmd search --json` prints."""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

_HEADER = re.compile(r"@@ -(\d{1,9}),\d+ @@")
"""Begin of a snippet: its first line, which is the line before the match."""
_MOST_LINES = 1_000_000_000
LONGEST_PATH = 4_096
"""Characters of a file at most: no system opens a longer path, and the time to resolve
a path grows with the square of its length.
"""


class QmdResult(NamedTuple):
    """A line of a file that qmd found."""

    file: str
    """Path on disk, or `qmd://collection/path` if qmd does not give one."""
    line: int


def parse_qmd_results(data: bytes) -> list[QmdResult]:
    """Return the results in the order of the list; an entry without a file, or with a
    file of more than `LONGEST_PATH` characters, is left out.

    Raises: ValueError unless the data is a JSON list of objects, or if every entry is
    left out.
    """
    try:
        values = json.loads(data)
    except RecursionError as error:
        raise ValueError("JSON is nested too deeply") from error
    if not isinstance(values, list):
        raise ValueError("the answer is not a list")
    found = [_result(value) for value in values if isinstance(value, dict)]
    named = [result for result in found if result.file]
    if values and not named:
        raise ValueError("no entry names a file")
    return named


def _result(value: dict[str, Any]) -> QmdResult:
    file = value.get("file")
    is_path = isinstance(file, str) and len(file) <= LONGEST_PATH
    line = value.get("line", _line_of_snippet(value.get("snippet")))
    is_line = type(line) is int and 0 < line <= _MOST_LINES
    return QmdResult(
        str(file) if is_path else "",
        line if is_line else 1,
    )


def _line_of_snippet(snippet: Any) -> int:
    """Return the line of the match of a snippet. qmd before 2.1 prints no other."""
    header = _HEADER.match(snippet) if isinstance(snippet, str) else None
    first = int(header[1]) if header else 0
    return first + 1 if first > 1 else 1
