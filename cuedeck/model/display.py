"""How a long text and a number are put where people read them."""

from __future__ import annotations

_MOST_TOLD = 200


def shorten(text: str, most: int) -> str:
    """Return a text of at most `most` characters, with `…` at the end when it was longer."""
    return text if len(text) <= most else text[: most - 1] + "…"


def abbreviate(value: str) -> str:
    """Return a value as a message repeats it: of a long one only its length, for no mask knows half of a secret."""
    return value if len(value) <= _MOST_TOLD else f"… ({len(value):,} characters)"


def counted(number: int, noun: str) -> str:
    """Return a number with what it counts: `1 file`, `2,000 files`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def ordinal(number: int) -> str:
    """Return a number as a position: `1st`, `22nd`, `113th`."""
    last = "" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "")
    return f"{number:,}{last or 'th'}"


def quoted(word: str) -> str:
    """Return a word as a shell reads it back: quoted where it has blanks or other special characters."""
    from shlex import quote

    return quote(word)


def replace_surrogates(text: str) -> str:
    """Return a text without halves of surrogate pairs, which front matter and names of files may hold."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()
