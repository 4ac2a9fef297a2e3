"""One form for equal characters, and the comparison of words without case and accents.

The module compiles no regular expressions, so that a search imports it quickly.
"""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

MARKS = "\u0300-\u036f\u0591-\u05bd\u05bf-\u05c7\u064b-\u065f\u0670\u0900-\u0963\u0980-\u0dff\u102b-\u103e"
"""Combining marks that belong to a word although `\\w` does not match them."""
SPACELESS = (
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ece\u1780-\u17d3"  # Thai, Lao, Khmer
    "\u3005\u3041-\u3096\u30a1-\u30fa\u30fc"  # Japanese
    "\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3"  # Chinese, Korean
)
"""Letters of scripts without spaces between words, as a part of a regular expression
for a set.
"""
_EQUAL = {
    "\u2212": "-",
    "–": "-",
    "’": "'",
    "‘": "'",
    "ʼ": "'",
    "≠": "!=",
    "≤": "<=",
    "≥": ">=",
}
_EQUAL_TABLE = str.maketrans(_EQUAL)
_BASE_LETTERS = {
    "ł": "l",
    "ø": "o",
    "đ": "d",
    "ð": "d",
    "ı": "i",
    "æ": "ae",
    "œ": "oe",
    "þ": "th",
}
"""Letters that have no decomposition, and their replacement."""
_BASE_TABLE = str.maketrans(_BASE_LETTERS)
_SPANISH_LETTERS = tuple(zip("áéíóúüñ", "aeiouun", strict=True))


def normalize(text: str) -> str:
    """Return a text with one form for equal characters: full-width letters, ligatures,
    apostrophes, dashes.
    """
    if text.isascii():
        return text
    return unicodedata.normalize("NFKC", text.replace("…", " ")).translate(_EQUAL_TABLE)


def fold_text(text: str) -> str:
    """Return a text in lower case and without accents and other combining marks:
    `İstanbul` and `istanbul` are equal, also if an accent is a character of its own.
    """
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFC", text.translate(_FOLDED))


def unmark(text: str) -> str:
    """Return a text without combining marks and compatibility forms; case stays."""
    if text.isascii():
        return text
    # The parts of a Korean syllable are no marks; NFC joins them again.
    return unicodedata.normalize("NFC", text.translate(_UNMARKED))


def fold_word_list(words: str) -> str:
    """Return English and Spanish words in lower case without their accents, in a third
    of the time that `fold_text` takes for a long text.
    """
    for letter, base in _SPANISH_LETTERS:
        words = words.replace(letter, base)
    return words


def _without_marks(letters: str) -> str:
    parts = unicodedata.normalize("NFKD", letters)
    return "".join(part for part in parts if not unicodedata.combining(part))


def _folded(letter: str) -> str:
    folded = _without_marks(letter).casefold()
    return _without_marks(folded.translate(_BASE_TABLE))


class _Letters(dict[int, str]):
    """A translation table that is filled on demand."""

    def __init__(self, form: Callable[[str], str]) -> None:
        self._form = form

    def __missing__(self, code: int) -> str:
        self[code] = found = self._form(chr(code))
        return found


_UNMARKED = _Letters(_without_marks)
_FOLDED = _Letters(_folded)
