"""Languages of texts: stop words of `stopwordsiso`, stems of `snowballstemmer`, and the
few words that must stay.

Both libraries are imported when the first text is analysed, which only commands that
compare experiences do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from typing import NamedTuple

from cuedeck.text.tokenize_text import NOT, fold

_STEMMERS = {
    "en": "english",
    "es": "spanish",
    "fr": "french",
    "de": "german",
    "it": "italian",
    "pt": "portuguese",
    "nl": "dutch",
    "pl": "polish",
    "ru": "russian",
}
"""Language code of `stopwordsiso` -> algorithm of `snowballstemmer`. Order: of equal
votes the first wins.
"""
_NEGATIONS = """
    not no never none neither nor nobody nothing nowhere without
    nunca jamás sin ni tampoco nadie nada ningún ninguna ninguno
    ne pas aucun aucune sans
    nicht nie niemals kein keine keinen keinem keiner ohne
    non senza nessun nessuna não nao nem sem nenhum nenhuma niet geen nooit zonder
    nie nigdy bez żaden не нет ни никогда без нельзя
"""
_NEGATION_WORDS = frozenset(map(fold, _NEGATIONS.split()))
_ENGLISH_NUMBERS = "zero one two three four five six seven eight nine ten eleven twelve"
_SPANISH_NUMBERS = "cero - dos tres cuatro cinco seis siete ocho nueve diez once doce"
_TECHNICAL = """
    added allow allows area auth back case cases changes click computer copy empty fill fix full group groups
    high homepage htm html http ignored index inner int invention join keys large line long longer low member
    members microsoft move new null number numbers old older omitted open opened opening opens order ordered
    ordering orders page pages point points problem problems ref refs reserved resulted results ring room
    rooms run section self side sides site small state states stop sub system test text top turn turned turns
    value web webpage website width words work worked working works world zero
"""
"""Words of the English stop list of `stopwordsiso` that are topics in the notes of a
project.
"""
_LIMITS = {
    "en": "only always except unless up down off out first last",
    "es": "solo siempre excepto salvo primero último",
}
"""Stop words that change a statement where they are added."""
CONJUNCTIONS = frozenset(
    [
        "and",
        "or",
        "y",
        "e",
        "o",
        "u",
        "et",
        "ou",
        "und",
        "oder",
        "sowie",
        "oraz",
        "i",
        "lub",
        "и",
        "или",
        "和",
        "与",
        "或",
        "及",
        "や",
        "と",
    ]
)
"""Words between the items of a list."""
_CACHE_SIZE = 30_000


class Language(NamedTuple):
    """The vocabulary of one language; every word is folded."""

    code: str
    stop_words: frozenset[str]
    exact_words: dict[str, str]
    """Word -> the exact form that it is compared as."""
    stem: Callable[[str], str]

    def exact_word(self, word: str) -> str:
        """Return the exact form of a word, empty if the word is compared by its
        stem.
        """
        return self.exact_words.get(fold(word), "")


@cache
def _load_language(code: str) -> Language:
    import snowballstemmer

    stem_word = snowballstemmer.stemmer(_STEMMERS[code]).stemWord

    @lru_cache(_CACHE_SIZE)
    def stem(word: str) -> str:
        return fold(stem_word(word))

    return Language(code, _stop_words(code), _exact_words(code), stem)


@cache
def _stop_words(code: str) -> frozenset[str]:
    from stopwordsiso import stopwords

    words = frozenset(map(fold, stopwords(code)))
    if code == "en":
        return words - frozenset(_TECHNICAL.split())
    return words


def _exact_words(code: str) -> dict[str, str]:
    exact = {}
    for word in _LIMITS.get(code, "").split():
        exact[fold(word)] = f"={fold(word)}"
    numbers = {"en": _ENGLISH_NUMBERS, "es": _SPANISH_NUMBERS}.get(code, "")
    for number, word in enumerate(numbers.split()):
        if word != "-":
            exact[word] = f"={number}"
    return exact | dict.fromkeys(_NEGATION_WORDS, NOT)


def detect_language(words: Iterable[str]) -> Language:
    """Return the language with the most stop words among the words; Cyrillic letters
    count for Russian.

    Order: of equals the first; English if there are none.
    """
    votes = dict.fromkeys(_STEMMERS, 0)
    for word in words:
        folded = fold(word)
        for code in votes:
            if folded in _stop_words(code):
                votes[code] += 1
        if "\u0400" <= folded[:1] <= "\u052f":
            votes["ru"] += 1
    return _load_language(max(votes, key=lambda code: votes[code]))
