"""The level of a finding as a word of its own width, in its colour on a terminal."""

from __future__ import annotations

import click

from cuedeck.cli.table import colourful

_COLOURS = {"error": "red", "warning": "yellow", "info": "cyan"}


def level_word(level: str) -> str:
    """Return the word that begins the line of a finding."""
    word = f"{level:<7}"
    return click.style(word, fg=_COLOURS[level]) if colourful() else word
