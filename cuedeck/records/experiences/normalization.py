"""How a text is spelt: width, case and the accents of Latin letters make no difference."""

from __future__ import annotations

import unicodedata

_WRITTEN_OUT = {"ł": "l", "ø": "o", "đ": "d", "ð": "d", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th", "ё": "е"}
"""Letters that no accent makes of another."""
_MOST_KNOWN = 30_000
_SLANTED = "’‘ʼ"
_MINUS = "\u2212"


def even(text: str) -> str:
    """Return a text with one character for each of its forms: full width, ligatures, slanted apostrophes."""
    if text.isascii():
        return text
    text = unicodedata.normalize("NFKC", text)
    for slanted in _SLANTED:
        text = text.replace(slanted, "'")
    return text.replace(_MINUS, "-")


def fold(word: str) -> str:
    """Return an even text without case and without the accents of Latin letters.

    Marks that make another letter in their script stay: `й` and `が` are not `и` and `か`.
    """
    return _FOLDED[word]


def fold_all(text: str) -> str:
    """Return what `fold` does, for a long text, of which nothing is kept."""
    folded = text.casefold()
    return folded if folded.isascii() else folded.translate(_BARE)


class _Bare(dict[int, str]):
    """By character: what it is without its accents."""

    def __missing__(self, code: int) -> str:
        letter = chr(code)
        found = _WRITTEN_OUT.get(letter, letter)
        parts = unicodedata.normalize("NFD", letter)
        if len(parts) > 1 and parts[0].isascii():
            found = parts[0]
        self[code] = found
        return found


class _Folded(dict[str, str]):
    """By word: what it folds to; the words met last."""

    def __missing__(self, word: str) -> str:
        if len(self) >= _MOST_KNOWN:
            self.clear()
        self[word] = found = fold_all(word)
        return found


_BARE = _Bare()
_FOLDED = _Folded()
