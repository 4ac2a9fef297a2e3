"""Formatting of texts and numbers for people."""

from __future__ import annotations

_MOST_CHARACTERS = 200
_CONTROLS = {
    code: "\ufffd"
    for code in (*range(0x20), *range(0x7F, 0xA0))
    if chr(code) not in "\t\n\r"
}
_ORDINAL_SUFFIXES = {1: "st", 2: "nd", 3: "rd"}
VIEW_WORDS = {"full": "full", "section": "part", "outline": "outline", "line": "line"}
"""Words for the views of a scene in tables and drawings; JSON has the keys."""


def shorten(text: str, most: int) -> str:
    """Return the text cut to at most `most` characters, ending with `…` if it was
    longer.
    """
    if len(text) <= most:
        return text
    return text[: most - 1] + "…"


def abbreviate(value: str) -> str:
    """Return a value for use in a message.

    A long value becomes its length, because no mask recognises half a secret.
    """
    if len(value) <= _MOST_CHARACTERS:
        return value
    return f"… ({len(value):,} characters)"


def counted(number: int, noun: str) -> str:
    """Return a number with its noun: `1 file`, `2,000 files`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def ordinal(number: int) -> str:
    """Return a number as an ordinal: `1st`, `22nd`, `113th`."""
    suffix = _ORDINAL_SUFFIXES.get(number % 10, "th")
    if number % 100 in (11, 12, 13):
        suffix = "th"
    return f"{number:,}{suffix}"


def quoted(word: str) -> str:
    """Return a word quoted for a POSIX shell if it contains whitespace or special
    characters.
    """
    from shlex import quote

    return quote(word)


def replace_controls(text: str) -> str:
    """Return the text with control characters replaced by U+FFFD, except tabs and line
    ends.
    """
    return text.translate(_CONTROLS)


def replace_surrogates(text: str) -> str:
    """Return the text with lone surrogates replaced; front matter and file names may
    contain them.
    """
    if text.isascii():
        return text
    return text.encode("utf-8", "replace").decode()
