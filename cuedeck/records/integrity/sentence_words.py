"""The words of a sentence, brought to the form in which they are compared."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from cuedeck.parse.terms import stem
from cuedeck.records.integrity.languages.base import CONTRAST, NOT, Language, replace_phrases
from cuedeck.records.integrity.languages.detect import language_of
from cuedeck.records.integrity.value_types import OTHER, kind_of, numeral

_WORD = re.compile(
    rf"https?://\S+|[{CONTRAST}{NOT}]|--?[^\W\d][\w-]*|[/~.][\w.~-]+(?:/[\w.~-]*)*"
    rf"|#\d+|[^\W_](?:[\w./:@+#%’'-]*[\w+#%’'])?|_\w+"
)
_DASHES = frozenset("–—-")
_RANGE = re.compile(r"(?<=\d) ?[–—-] ?(?=\d)")
_ELISION = re.compile(r"(?i)\b(n|l|d|j|m|t|s|c|qu|un|dell|all)['’](?=[^\W\d_])")
_POSSESSIVE = re.compile(r"['’]s?$")


class Token(NamedTuple):
    """One word."""

    raw: str
    low: str
    """In lower case."""
    stem: str
    """What is compared."""
    kind: str
    """As `kind_of` tells it."""


def read_tokens(text: str) -> tuple[list[Token], Language]:
    """Return the words of a sentence and its language, in which fixed expressions are replaced already."""
    plain = text.replace("’", "'").replace("`", " ")
    if "'" in plain:
        plain = _ELISION.sub(r"\1' ", plain)
    found = _WORD.findall(plain)
    # Only an address is not taken apart alike in lower case, and letters of which there are two in lower case.
    is_even = plain.isascii() and "://" not in plain
    language = language_of(map(str.lower, found) if is_even else _WORD.findall(plain.lower()))
    said = replace_phrases(plain, language)
    if not _DASHES.isdisjoint(said):
        said = _RANGE.sub("-", said)
    return list(map(read_word, found if said == plain else _WORD.findall(said))), language


@lru_cache(maxsize=20_000)
def read_word(raw: str) -> Token:
    """Return one word."""
    low = raw.lower()
    if not low.endswith(("n'", "l'", "d'", "j'", "c'", "s'", "m'", "t'", "qu'")) or len(low) > 3:
        low = _POSSESSIVE.sub("", low)
    kind = kind_of(low)
    return Token(raw, low, numeral(low) if kind != OTHER else _stem(low), kind)


def _stem(low: str) -> str:
    if not low.isascii() or not low.isalpha():
        return low
    # The common stemmer leaves four letters alone: `runs`, `owns`.
    return low[:-1] if len(low) == 4 and low.endswith("s") and low[2] not in "sui" else stem(low)


def is_name(token: Token) -> bool:
    """Tell whether a word is a name, a number or another value that is no plain word."""
    return not token.raw.islower() or token.kind != OTHER


def stems(tokens: Iterable[Token]) -> tuple[str, ...]:
    """Return words as they are compared, in their order."""
    return tuple(token.stem for token in tokens)


def bag(tokens: Iterable[Token]) -> str:
    """Return words as they are compared, whatever their order."""
    return " ".join(sorted(token.stem for token in tokens))
