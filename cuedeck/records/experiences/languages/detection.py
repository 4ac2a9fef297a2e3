"""Which language a text is in, as far as its small words say."""

from __future__ import annotations

from collections.abc import Iterable

from cuedeck.records.experiences.languages.base import Language
from cuedeck.records.experiences.languages.english import ENGLISH
from cuedeck.records.experiences.languages.french import FRENCH
from cuedeck.records.experiences.languages.german import GERMAN
from cuedeck.records.experiences.languages.polish import POLISH
from cuedeck.records.experiences.languages.spanish import SPANISH

_LETTERS = {FRENCH: "çèêàûëîïœ", GERMAN: "äöüß", SPANISH: "ñáíú¿¡", POLISH: "ąćęłńśźż"}
"""Letters by which a language is known; they lose their accents before words are looked at."""
_AMBIGUOUS = ("i",)
"""Small words of English that are seldom written so."""
LATIN = (ENGLISH, FRENCH, GERMAN, SPANISH, POLISH)


def _by_word() -> dict[str, tuple[int, ...]]:
    found: dict[str, tuple[int, ...]] = {}
    for at, each in enumerate(LATIN):
        for word in sorted(each.empty | each.negations | each.sides):
            if each is ENGLISH and word in _AMBIGUOUS:
                continue
            found[word] = (*found.get(word, ()), at)
    return found


_KNOWING = _by_word()
_OWNERS = {letter: LATIN.index(each) for each, letters in _LETTERS.items() for letter in letters}


def choose(words: Iterable[str], text: str) -> Language:
    """Return the language with Latin letters of most of the small words and of the letters of a text.

    Order: of equals the first; English where nothing tells.
    """
    votes = [0] * len(LATIN)
    for word in words:
        for at in _KNOWING.get(word, ()):
            votes[at] += 1
    if not text.isascii():
        for letter in _OWNERS.keys() & set(text.lower()):
            votes[_OWNERS[letter]] += 1
    return LATIN[votes.index(max(votes))]
