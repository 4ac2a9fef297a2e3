"""Split a text into words, exact tokens (numbers, names in code) and characters of
scripts without spaces.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum
from functools import lru_cache
from typing import NamedTuple

from cuedeck.text.fold_text import MARKS, fold_text

MAX_CHARS = 20_000
"""Longer texts are cut before they are analysed."""
NOT = "=not"
"""Form of every negation."""
_SPACELESS = (
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ece\u1780-\u17d3"  # Thai, Lao, Khmer
    # Japanese and Chinese
    "\u3041-\u3096\u30a1-\u30fa\u30fc\u3400-\u4dbf\u4e00-\u9fff\u3005"
)
_LETTER = rf"(?:[^\W{_SPACELESS}]|[{MARKS}])"
_TOKEN = re.compile(
    rf"""
    (?P<characters>[{_SPACELESS}]+)
    |(?P<flag>(?<![^\s(\[`'"])--?[A-Za-z](?![A-Za-z]*[ ]-[ ])[\w-]*)
    |(?P<run>(?:[@$€£¥]|(?<![^\s(\[`'"=<>:])-(?=\d))?
        {_LETTER}+(?:[./:\#@'+-]+{_LETTER}+)*(?:(?<=[A-Za-z])(?:\+\+|\#)|[%€£¥])?)
    |(?P<operator>[=!<>]?==?(?!=)|&&|\|\||[<>&|+](?=\s|$))
    |(?P<comma>[,;、，；])
    """,
    re.VERBOSE,
)
_WORDS = re.compile(rf"(?:[^\W\d_]|[{MARKS}])+(?:['-](?:[^\W\d_]|[{MARKS}])+)*")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_NOT_WORD = re.compile(r"\w*n't|cannot")
_NOT_CHARACTERS = re.compile("([不没無无未别勿莫]|非(?!常)|ません|なかった|ない)")
_CACHE_SIZE = 30_000


class Kind(Enum):
    """How a token is compared."""

    WORD = "word"
    """By its stem."""
    EXACT = "exact"
    """Without any tolerance: numbers, names in code, flags, operators and negations."""
    CHARACTER = "character"
    """As a pair with the character after it: scripts without spaces between words."""


class Token(NamedTuple):
    """One token of a text."""

    text: str
    """In lower case; flags keep their case. Exact tokens start with `=`."""
    kind: Kind
    is_after_comma: bool = False
    is_joined: bool = False
    """Whether a character directly follows the character before it."""


@lru_cache(_CACHE_SIZE)
def fold(word: str) -> str:
    """Return a normalised word in lower case and without the accents of Latin
    letters.
    """
    return fold_text(word)


def read_tokens(text: str) -> Iterator[Token]:
    """Yield the tokens of a normalised text, in the order of the text."""
    if "," in text:
        text = _THOUSANDS.sub("", text)
    is_after_comma = False
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup
        if kind == "comma":
            is_after_comma = True
            continue
        for token in _tokens_of(match[0], str(kind)):
            yield token._replace(is_after_comma=True) if is_after_comma else token
            is_after_comma = False


def _tokens_of(raw: str, kind: str) -> Iterator[Token]:
    if kind == "characters":
        yield from _characters(raw)
    elif kind != "run":
        yield Token(f"={raw}", Kind.EXACT)
    elif not _WORDS.fullmatch(raw):
        yield Token(f"={raw.casefold()}", Kind.EXACT)
    elif _NOT_WORD.fullmatch(lowered := raw.casefold()):
        yield Token(NOT, Kind.EXACT)
    else:
        for word in re.split("['-]", lowered):
            yield Token(word, Kind.WORD)


def _characters(run: str) -> Iterator[Token]:
    is_joined = False
    for part in _NOT_CHARACTERS.split(run):
        if _NOT_CHARACTERS.fullmatch(part):
            yield Token(NOT, Kind.EXACT)
            is_joined = False
            continue
        for character in part:
            yield Token(character, Kind.CHARACTER, is_joined=is_joined)
            is_joined = True
