"""Runs the search command qmd, which the user has installed.

qmd runs in the home folder: a repository may contain a configuration of qmd, and qmd
uses the one of its current folder.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from typing import NamedTuple

from cuedeck.model.errors import StorageError
from cuedeck.store.files.external_command import Limits, run_command
from cuedeck.text.plain_text import string_of

LONGEST_ANSWER = 2_000_000
"""Largest output in bytes; a command that prints more is killed."""
MOST_RESULTS = 50
_LONGEST_QUERY = 2_000
_TYPE = re.compile(r"\A(lex|vec|hyde|intent|expand):", re.IGNORECASE)
"""Start of a typed line in the query language of qmd."""
_HINT = "memory.qmd_command names the command and its arguments"
_MOST_LINES = 1_000_000_000
_LONGEST_PATH = 4_096
"""Characters of a file at most: no system opens a longer path, and the time to resolve
a path grows with the square of its length.
"""


class QmdResult(NamedTuple):
    """A line of a file that qmd found."""

    file: str
    """Absolute path."""
    line: int


def ask_qmd(
    command: Sequence[str], mode: str, text: str, seconds: float
) -> list[QmdResult]:
    """Return the first `MOST_RESULTS` results of qmd for a query, best first. A
    query without words has none.

    The command and its child processes are killed after `seconds`. Raises: StorageError
    if the command cannot be run, fails, takes too long, is killed, or prints something
    else.
    """
    query = plain_query(text[:_LONGEST_QUERY])
    if not query:
        return []
    folder = os.path.expanduser("~")
    options = ["--json", "--full-path", "-n", str(MOST_RESULTS)]
    limits = Limits(seconds, LONGEST_ANSWER, _HINT, "memory.qmd_seconds")
    data = run_command([*command, mode, *options, "--", query], b"", limits, folder)
    try:
        found = _read_results(data, folder)
    except ValueError as error:
        name = command[0] if command else "qmd"
        raise StorageError(
            f"{name} did not print the JSON of qmd: {error}", hint=_HINT
        ) from error
    return found[:MOST_RESULTS]


def plain_query(text: str) -> str:
    """Return a query as one line that qmd reads as words and quoted phrases.

    qmd takes lines that begin with `vec:` and the like for a query document, words that
    begin with `-` for exclusions, and an open quotation mark for a phrase up to the
    end. NUL ends an argument.
    """
    if text.count('"') % 2:
        text = text.replace('"', " ")
    words = [word.lstrip("-") for word in text.replace("\0", " ").split()]
    line = " ".join(filter(None, words))
    return _TYPE.sub(r"\1 ", line)


def is_installed(command: Sequence[str]) -> bool:
    """Return whether a command can be found."""
    import shutil  # loads the formats of archives

    return bool(command) and shutil.which(command[0]) is not None


def _read_results(data: bytes, folder: str) -> list[QmdResult]:
    """Return the results in the order of the list, with absolute paths.

    Raises: ValueError unless the data is a JSON list, or if no entry names a file.
    """
    try:
        values = json.loads(data)
    except RecursionError as error:
        raise ValueError("JSON is nested too deeply") from error
    if not isinstance(values, list):
        raise ValueError("the answer is not a list")
    found = []
    for value in filter(lambda each: isinstance(each, dict), values):
        place = _absolute(string_of(value.get("file")), folder)
        line = value.get("line")
        is_line = type(line) is int and 0 < line <= _MOST_LINES
        if place:
            found.append(QmdResult(place, line if is_line else 1))
    if values and not found:
        raise ValueError("no entry names a file on disk, as qmd 2.5.3 and later do")
    return found


def _absolute(file: str, folder: str) -> str:
    """Return the real path of a result; empty for another text than a path."""
    is_path = file.startswith("./") or os.path.isabs(file)
    if not is_path or len(file) > _LONGEST_PATH:
        return ""
    try:
        return os.path.realpath(os.path.join(folder, file))
    except (OSError, ValueError):
        return ""
