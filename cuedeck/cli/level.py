"""The level of a finding as a word of its own width, in its colour on a terminal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from cuedeck.cli.table import colourful, printable

_COLOURS = {"error": "red", "warning": "yellow", "info": "cyan"}


def level_word(level: str) -> str:
    """Return the word that begins the line of a finding."""
    word = f"{level:<7}"
    return click.style(word, fg=_COLOURS[level]) if colourful() else word


def place(path: str, line: int) -> str:
    """Return where a finding is; line 0 stands for the whole file."""
    return f"{path}:{line}" if line else path


def finding_line(level: str, path: str, line: int, message: str, hint: str) -> str:
    """Return a finding as one line: its level, where it is, what is wrong, what to do."""
    said = f"{place(path, line)}  {message}" + (f"  ({hint})" if hint else "")
    return f"{level_word(level)}  {printable(said, lines=False)}"


def problem_line(problem: Mapping[str, Any]) -> str:
    """Return what keeps a line of a file from being read, as it is told beside an answer."""
    where = place(problem["path"], problem["line"])
    return f"{problem['level']}: {where}: {problem['message']}; {problem['hint']}"
