"""Tokenizer and stemmer for full-text ranking: identifiers are split into words, words
are stemmed.

`verify_token` gives `verify`, `token` and `=verify_token`. The whole identifier, in
lower case and without outer underscores, is a separate term, so that a rare name finds
its definition and its uses.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterator
from itertools import chain

from cuedeck.text.fold_text import MARKS, fold_text, unmark

LONGEST = 60
"""Maximum length of a word in characters; a longer one is treated as data."""
_MOST_KNOWN = 30_000

_RUN = re.compile(rf"[\w{MARKS}]+")
_WORD = re.compile(rf"(?!\d)[\w{MARKS}]+")
"""A run without its leading digits."""
_BLANKED = bytes(
    code if code > 127 or chr(code).isalnum() or chr(code) == "_" else ord(" ")
    for code in range(256)
)
"""Table for `bytes.translate`, which with `split` finds the pieces of UTF-8 text many
times faster than `_WORD`; a piece has several words only if signs outside of ASCII
divide them.
"""
_PART = re.compile(r"[A-Z]{2,}(?=s(?![a-z]))|[A-Z]+(?![a-z])|[A-Z]?[^\W\d_A-Z]+")
_DIGIT = re.compile(r"\d")
_CAPITAL = re.compile(r"[A-Z]")
# Stop words: English function words, verbs of commit messages, and keywords of
# programming languages.
_COMMON_WORDS = """
    a about after all also an and any are as at be because been before being between both but by can could did do
    does each else for from had has have he her here him his how if in into is it its just let like may me more most
    must my no not now of off on one only or other our out over own per same see should so some such than that the
    their them then there these they this those to too under up us use used uses using very via was we were what when
    where which while who why will with would you your
    add added adding adds allow allows change changed changes fix fixed fixes fixing instead make makes made new
    remove removed removes support supports update updated updates
    assert async await boolean bool case catch class const def default elif enum err error except export extends
    false fn func function impl implements import int interface lambda let match mod mut nil none null number package
    pass pub raise return self static str string struct super switch test tests true try type typeof undefined var
    void yield
"""
_COMMON = frozenset(_COMMON_WORDS.split())


def terms(text: str) -> Counter[str]:
    """Return the number of occurrences of each term in a text."""
    return Counter(_each_term(text))


def read_terms(text: str) -> list[str]:
    """Return the terms of a text in text order, with repetitions."""
    return list(_each_term(text))


def _each_term(text: str) -> Iterator[str]:
    pieces = text.encode("utf-8", "surrogatepass").translate(_BLANKED).split()
    return chain.from_iterable(map(_KNOWN.__getitem__, pieces))


def word_terms(word: str) -> tuple[str, ...]:
    """Return the terms of one identifier or word; none for a stop word."""
    if len(word) > LONGEST:
        return ()
    return _split(word)


class _Known(dict[bytes, tuple[str, ...]]):
    """Cache of the terms of recent pieces of UTF-8 text. `functools.lru_cache` would
    also keep long pieces, and is slower.
    """

    def __missing__(self, piece: bytes) -> tuple[str, ...]:
        text = piece.decode("utf-8", "surrogatepass")
        words = [text] if text.isalpha() else _WORD.findall(text)
        if words == [text]:
            found = word_terms(text)
        else:
            parts = (self[word.encode()] for word in words)
            found = tuple(chain.from_iterable(parts))
        if len(text) > LONGEST:
            return found
        if len(self) >= _MOST_KNOWN:
            self.clear()
        self[piece] = found
        return found


_KNOWN = _Known()


def _split(word: str) -> tuple[str, ...]:
    word = unmark(word)
    if word.isalpha() and not _CAPITAL.search(word, 1):
        # Most words are one part; the general path takes three times as long.
        part = fold_text(word)
        if len(part) < 2 or part in _COMMON:
            return ()
        return (stem(part),)
    parts = [fold_text(part) for part in _PART.findall(word)]
    found = [stem(part) for part in parts if len(part) > 1 and part not in _COMMON]
    if len(parts) > 1:
        found.append(name_term(word))
    return tuple(found)


def name_term(name: str) -> str:
    """Return the term of a whole identifier: `=` and its lower-case name without outer
    underscores.
    """
    return "=" + fold_text(name).strip("_")


def spelled_part(word: str, term: str, found: Container[str]) -> str:
    """Return a term of a word as spelled in it: the whole word, or else an identifier
    in it, if all its terms are in `found`; else only the part that has this term.

    Terms have no digits, so that only its own term shows that a text has `utf8_name`.
    """
    wholes = (
        each
        for each in (word, *_RUN.findall(word))
        if term in terms(each)
        and all(own in found for own in terms(each))
        and (not _DIGIT.search(each) or name_term(each) in found)
    )
    parts = (part for part in _PART.findall(word) if term in terms(part))
    return next(chain(wholes, parts), word)


def _singular(word: str) -> str:
    if word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith("sses"):
        return word[:-2]
    return word if word.endswith(("ss", "us", "is")) else word[:-1]


def stem(word: str) -> str:
    """Return a lower-case English word without its plural, `-ed`, `-ing` or final `e`
    (a light stemmer).
    """
    last = word[-1:]
    if last not in "sgde" and last != word[-2:-1]:
        return word  # most words, in a third of the time
    if last == "s" and len(word) > 4:
        word = _singular(word)
    if len(word) > 5:
        if word.endswith("ing"):
            word = word[:-3]
        elif word.endswith("ed"):
            word = word[:-2]
        if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "lsz":
            return word[:-1]
    if len(word) > 3 and word.endswith("e"):
        return word[:-1]
    return word
