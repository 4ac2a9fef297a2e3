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


def finding_line(level: str, path: str, line: int, message: str, hint: str) -> str:
    """Return a finding as one line: its level, where it is, what is wrong, what to do."""
    place = f"{path}:{line}" if line else path
    said = f"{place}  {message}" + (f"  ({hint})" if hint else "")
    return f"{level_word(level)}  {printable(said, lines=False)}"


def problem_line(problem: Mapping[str, Any]) -> str:
    """Return what keeps a line of a file from being read, as it is told beside an answer."""
    return f"{problem['level']}: {problem['path']}:{problem['line']}: {problem['message']}; {problem['hint']}"
