"""Split a text into words.

`read_stems` reads prose: stems of words, numbers, emoji, and single characters and
pairs of scripts without spaces. `read_terms` reads code and docs: `verify_token` gives
`verifi`, `token` and `=verify_token`; stop words, numbers and long data give nothing.
The whole identifier, in lower case and without outer underscores, is a separate term,
so that a rare name finds its definition and its uses.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Container, Iterator, Sequence
from functools import cache
from itertools import chain
from typing import Any

from cuedeck.text.fold_text import MARKS, SPACELESS, fold_text, normalize, unmark
from cuedeck.text.stems import CODE_STOP_WORDS, STOP_WORDS, stem_word

LONGEST = 64
"""Maximum length of a word in characters. Prose ignores the rest of a longer word, code
the whole word, which is data.
"""
_MOST_KNOWN = 50_000
"""Words in a cache."""
_EMOJI = (
    "\u2300-\u23ff\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001f3fa\U0001f400-\U0001faff"
)
"""Emoji and symbols, each a word of its own; modifiers of skin colour are none."""
WORD_CHARACTERS = rf"\w{MARKS}{SPACELESS}{_EMOJI}"
"""Characters of words, as a part of a regular expression for a set."""
RAW_WORD = r"[^\s.,;:!?()\[\]{}\"“”«»<>|*`]+"
"""A word as it is written, with apostrophes and hyphens."""
_FLAG = "[\U0001f1e6-\U0001f1ff]{2}"
_DATE = r"\d{4}-\d{2}-\d{2}(?!\w)"
_NUMBER = r"\d+(?:[.:,]\d+)+(?!\w)"
_FIRST_SPACELESS = "\u0e01"
_FIRST_MARK = "\u0300"
_HYPHENATED = r"[^\W\d_]+(?:-[^\W\d_]+)+(?![\w-])(?:'\w+)*"
_RUN = re.compile(
    rf"{_DATE}|{_NUMBER}|[A-Za-z](?:\+\+|\#)(?!\w)|{_HYPHENATED}|\w+(?:'\w+)*"
)
"""One run of a text of Latin, Greek and Cyrillic words."""
_OTHER = re.compile("[^\0-\u02ff\u0370-\u0482\u048a-\u0590\u2010-\u20cf\u2100-\u22ff]")
"""A character that `_RUN` may not read: a mark, an emoji, a script without spaces.
Dashes, quotation marks and arrows are none.
"""
CAPITALS = "A-Z" + "".join(filter(str.isupper, map(chr, range(0xC0, 0x250))))
"""Capital letters of Latin script, as a part of a regular expression for a set."""
_SMALL = rf"[^\W\d_{CAPITALS}]"
_HAS_PARTS = rf"[^\W_]_+[^\W_]|{_SMALL}[{CAPITALS}]|[{CAPITALS}]{{2}}{_SMALL}"
_PART = (
    rf"[{CAPITALS}]{{2,}}(?=s(?!{_SMALL}))|[{CAPITALS}]+(?!{_SMALL})"
    rf"|[{CAPITALS}]?{_SMALL}+|\d+"
)
_NUMBER_PARTS = r"[.:,_'-]"
_THOUSANDS = r"\d{1,3}(?:,\d{3})+(?!\d)|\d{1,3}(?:\.\d{3})+(?!\d)"
"""A number with separators of thousands: `10,000` also counts as `10000`."""
_CLITIC = r"'(?:s|re|ve|ll|d|m)?$"
_BLANKED = bytes(
    code if code > 127 or chr(code).isalnum() or chr(code) == "_" else ord(" ")
    for code in range(256)
)
"""Table for `bytes.translate`, which with `split` finds the pieces of UTF-8 text many
times faster than a pattern; a piece has several words only if signs outside of ASCII
divide them.
"""
_CODE_WORD = rf"(?!\d)[\w{MARKS}]+"
"""A run without its leading digits."""


def read_stems(text: str) -> list[str]:
    """Return the stems of a text in text order, with repetitions.

    An identifier of several parts gives its parts and then itself; a word with hyphens
    gives its parts and then their joined form.
    """
    return list(chain.from_iterable(map(_STEMS.__getitem__, _split_text(text))))


@cache
def stop_stems() -> frozenset[str]:
    """Return the stems of the stop words of prose."""
    return frozenset(chain.from_iterable(map(read_stems, STOP_WORDS)))


def stem_key(stems: Sequence[str]) -> bytes:
    """Return the hash of the stems of a text."""
    # `hashlib` would load OpenSSL, which takes longer than most searches.
    from _blake2 import blake2b

    data = " ".join(stems).encode("utf-8", "replace")
    return blake2b(data, digest_size=8).digest()


def read_words(text: str) -> list[tuple[str, ...]]:
    """Return the stems of each word of a text in text order, with repetitions.

    The last stem of an identifier or of a word with hyphens is the whole, the others
    are its parts. In scripts without spaces, each character and pair is a word.
    """
    words: list[tuple[str, ...]] = []
    for run in _split_text(text):
        stems = _STEMS[run]
        if run[0] >= _FIRST_SPACELESS and _spaceless().fullmatch(run):
            words += [(stem,) for stem in stems]
        elif stems:
            words.append(stems)
    return words


def _split_text(text: str) -> list[str]:
    text = normalize(text)
    if is_latin(text) or not _OTHER.search(text):
        return _RUN.findall(text)
    return _run_of_any_script().findall(text)


def is_latin(text: str) -> bool:
    """Return whether a text has neither marks nor emoji nor letters of scripts other
    than Latin.
    """
    return text.isascii() or max(text) < _FIRST_MARK


@cache
def _run_of_any_script() -> re.Pattern[str]:
    # Most texts do without this pattern, whose compilation takes as long as a search.
    word = rf"(?:(?![{SPACELESS}])[\w{MARKS}])+"
    letters = rf"(?:(?![{SPACELESS}])[^\W\d_]|[{MARKS}])+"
    hyphenated = rf"{letters}(?:-{letters})+(?![\w{MARKS}-])(?:'{word})*"
    return re.compile(
        rf"{_DATE}|{_NUMBER}|[{SPACELESS}]+|[A-Za-z](?:\+\+|\#)(?!\w)"
        rf"|{hyphenated}|{word}(?:'{word})*|{_FLAG}|[{_EMOJI}]"
    )


@cache
def _spaceless() -> re.Pattern[str]:
    return re.compile(rf"[{SPACELESS}]+")


def _split_run(run: str) -> tuple[str, ...]:
    run = run[:LONGEST]
    if run[0] >= _FIRST_SPACELESS and _spaceless().fullmatch(run):
        pairs = [run[at : at + 2] for at in range(len(run) - 1)]
        return (*run, *pairs)
    if run[0].isdecimal() and not run.isalnum():
        parts = [part for part in re.split(_NUMBER_PARTS, run) if part]
        grouped = re.match(_THOUSANDS, run)
        if grouped:
            parts.append(grouped[0].replace(",", "").replace(".", ""))
        return (*map(fold_text, parts), fold_text(run))
    if "-" in run:
        # `e-mail` is also `email`.
        joined = _fold_word(run.replace("-", ""))
        parts = [_fold_word(part) for part in run.split("-")]
        return (*map(stem_word, parts), *_read_word(joined))
    whole = _read_word(_fold_word(run))
    if not whole[-1]:
        return ()
    rest = run[1:]
    may_have_parts = "_" in rest or rest != rest.lower()
    if not may_have_parts or not re.search(_HAS_PARTS, run):
        return whole
    parts = re.findall(_PART, run)
    return (*(stem_word(_fold_word(part)) for part in parts), *whole)


def _read_word(word: str) -> tuple[str, ...]:
    """Return the stem of a word, behind that of the word without accents if this is
    another one: `energía` is often typed without the accent, which the stemmer needs.
    """
    own = stem_word(word)
    if word.isascii():
        return (own,)
    plain = stem_word(fold_text(word))
    return (own,) if plain == own else (plain, own)


def _fold_word(word: str) -> str:
    """Return a word in lower case, without an English clitic and outer underscores."""
    lower = word.casefold().strip("_")
    if "'" not in lower:
        return lower
    return re.sub(_CLITIC, "", lower).replace("'", "")


def terms(text: str) -> Counter[str]:
    """Return the number of occurrences of each term in a text."""
    return Counter(_each_term(text))


def read_terms(text: str) -> list[str]:
    """Return the terms of a text in text order, with repetitions."""
    return list(_each_term(text))


def _each_term(text: str) -> Iterator[str]:
    pieces = text.encode("utf-8", "surrogatepass").translate(_BLANKED).split()
    return chain.from_iterable(map(_TERMS.__getitem__, pieces))


def word_terms(word: str) -> tuple[str, ...]:
    """Return the terms of one identifier or word; none for a stop word."""
    if len(word) > LONGEST:
        return ()
    word = unmark(word)
    parts = [part for part in re.findall(_PART, word) if not part.isdecimal()]
    found = []
    for part in map(fold_text, parts):
        if len(part) > 1 and part not in CODE_STOP_WORDS:
            found.append(stem_word(part))
    if len(parts) > 1:
        found.append(name_term(word))
    return tuple(found)


def _split_piece(piece: bytes) -> tuple[str, ...]:
    text = piece.decode("utf-8", "surrogatepass")
    words = [text] if text.isalpha() else re.findall(_CODE_WORD, text)
    return tuple(chain.from_iterable(map(word_terms, words)))


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
        for each in (word, *re.findall(rf"[\w{MARKS}]+", word))
        if term in terms(each)
        and all(own in found for own in terms(each))
        and (not re.search(r"\d", each) or name_term(each) in found)
    )
    parts = (part for part in re.findall(_PART, word) if term in terms(part))
    return next(chain(wholes, parts), word)


class _Known(dict[Any, tuple[str, ...]]):
    """Cache of the words of recent runs. `functools.lru_cache` is slower."""

    def __init__(self, split: Callable[[Any], tuple[str, ...]]) -> None:
        super().__init__()
        self._split = split

    def __missing__(self, run: Any) -> tuple[str, ...]:
        found = self._split(run)
        if len(run) > LONGEST:
            return found
        if len(self) >= _MOST_KNOWN:
            self.clear()
        self[run] = found
        return found


_STEMS = _Known(_split_run)
_TERMS = _Known(_split_piece)
