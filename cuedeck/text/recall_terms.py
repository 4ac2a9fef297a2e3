"""Stems of a text for recall.

Every word has stems that depend on the word alone, never on its text, so that a query
and an index built at different times agree. Latin words go through the English and then
the Spanish Snowball stemmer, words of other alphabets through the stemmer of their
script. Scripts without spaces give single characters and pairs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from itertools import chain

from cuedeck.text.fold_text import MARKS, SPACELESS, fold_text, normalize
from cuedeck.text.irregular_words import BASE_FORMS

LONGEST = 64
"""Maximum length of a word in characters; the rest of a longer word is ignored."""
_MOST_KNOWN = 100_000
_SHORTEST_STEMMED = 3
_SHORTEST_SPANISH = 5
"""Shortest word that the Spanish stemmer changes. It would join `note` and `not`."""
_SHORTEST_RESULT = 4
"""Shortest Spanish stem of a word that may be English. `release` would become `rel`."""
_SPANISH_ENDINGS = (
    *("mos", "mente", "ando", "iendo", "aba", "aban", "ieron"),
    *("ado", "ada", "ados", "adas", "ido", "ida", "idos", "idas"),
)
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
_QUESTION_END = r"[?？؟][^\w(]*(?:\([^()]*\))?\W*\Z"
_QUESTION_START = r"""(?ix)\s*[¿]?(?:
    how|why|where|who|whose|which
    |when\s(?:do|does|did|is|are|will)\b|what(?:['’]?s|\s(?:is|are|was|were|does|do|did|should|would|about))
    |(?:can|could|would|will)\s(?:you|we|i)
    |(?:is|are|was|were|does)\s(?:there|it|we|i|the|you|this|that)
    |cómo|por\squé|dónde|quién|cuál(?:es)?|qué|puedes|podrías
    |comment|pourquoi|où|quelles?|quels?|est-ce|peux-tu|pouvez-vous
    |wie|warum|wo|wer|welche[rs]?|kannst\sdu|können\ssie
    |как|почему|где|кто|какой|какая|какие|можешь|чому|де|хто|який|яка|які|чи
    )\b(?![^\n]*[:.!;]\s*\S)"""
_LONGEST_REMARK = 300
_HAS_PARTS = r"[^\W_]_+[^\W_]|[^\W\d_A-Z][A-Z]|[A-Z]{2}[^\W\d_A-Z]"
_PART = r"[A-Z]{2,}(?=s(?![a-z]))|[A-Z]+(?![a-z])|[A-Z]?[^\W\d_A-Z]+|\d+"
_NUMBER_PARTS = r"[.:,_'-]"
_THOUSANDS = r"\d{1,3}(?:,\d{3})+(?!\d)|\d{1,3}(?:\.\d{3})+(?!\d)"
"""A number with separators of thousands: `10,000` also counts as `10000`."""
_CLITIC = r"'(?:s|re|ve|ll|d|m)?$"
_LATIN_END = "\u0250"
_SCRIPTS = (
    ("\u0370", "\u0400", "greek"),
    ("\u0400", "\u0530", "russian"),
    ("\u0600", "\u0700", "arabic"),
    ("\u0900", "\u0980", "hindi"),
)
"""First character, first character after the script, Snowball algorithm."""


def read_stems(text: str, stemming: bool = True) -> list[str]:
    """Return the stems of a text in text order, with repetitions.

    An identifier of several parts gives its parts and then itself; a word with hyphens
    gives its parts and then their joined form. Without stemming, words are only folded.
    """
    known = _STEMS if stemming else _WORDS
    return list(chain.from_iterable(map(known.__getitem__, _split_text(text))))


def stem_key(stems: Sequence[str]) -> bytes:
    """Return the hash of the stems of a text."""
    # `hashlib` would load OpenSSL, which takes longer than most searches.
    from _blake2 import blake2b

    data = " ".join(stems).encode("utf-8", "replace")
    return blake2b(data, digest_size=8).digest()


def read_words(text: str, stemming: bool = True) -> list[tuple[str, ...]]:
    """Return the stems of each word of a text in text order, with repetitions.

    The last stem of an identifier or of a word with hyphens is the whole, the others
    are its parts. In scripts without spaces, each character and pair is a word.
    """
    known = _STEMS if stemming else _WORDS
    words: list[tuple[str, ...]] = []
    for run in _split_text(text):
        stems = known[run]
        if run[0] >= _FIRST_SPACELESS and _spaceless().fullmatch(run):
            words += [(stem,) for stem in stems]
        elif stems:
            words.append(stems)
    return words


def _split_text(text: str) -> list[str]:
    """Return the runs of a text: words, numbers, emoji and scripts without spaces."""
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


def is_question(text: str) -> bool:
    """Return whether a text ends with a question, apart from a remark in brackets."""
    return re.search(_QUESTION_END, text[-_LONGEST_REMARK:]) is not None


def asks(message: str) -> bool:
    """Return whether a message of a user is a question, also one without a question
    mark: a single sentence that begins as a question does.
    """
    return is_question(message) or re.match(_QUESTION_START, message) is not None


class _KnownRuns(dict[str, tuple[str, ...]]):
    """Cache of the stems of recent runs."""

    def __init__(self, stem: Callable[[str], str]) -> None:
        super().__init__()
        self._stem = stem

    def __missing__(self, run: str) -> tuple[str, ...]:
        stems = _split_run(run[:LONGEST], self._stem)
        if len(run) > LONGEST:
            return stems
        if len(self) >= _MOST_KNOWN:
            self.clear()
        self[run] = stems
        return stems


def _split_run(run: str, stem: Callable[[str], str]) -> tuple[str, ...]:
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
        return (*map(stem, parts), *_read_word(joined, stem))
    whole = _read_word(_fold_word(run), stem)
    if not whole[-1]:
        return ()
    rest = run[1:]
    may_have_parts = "_" in rest or rest != rest.lower()
    if not may_have_parts or not re.search(_HAS_PARTS, run):
        return whole
    parts = re.findall(_PART, run)
    return (*(stem(_fold_word(part)) for part in parts), *whole)


def _read_word(word: str, stem: Callable[[str], str]) -> tuple[str, ...]:
    """Return the stem of a word, behind that of the word without accents if this is
    another one: `energía` is often typed without the accent, which the stemmer needs.
    """
    own = stem(word)
    if word.isascii():
        return (own,)
    plain = stem(fold_text(word))
    return (own,) if plain == own else (plain, own)


def _fold_word(word: str) -> str:
    """Return a word in lower case, without an English clitic and outer underscores."""
    lower = word.casefold().strip("_")
    if "'" not in lower:
        return lower
    return re.sub(_CLITIC, "", lower).replace("'", "")


def _stem_word(word: str) -> str:
    """Return the stem of one word in lower case, without accents."""
    if len(word) < _SHORTEST_STEMMED or not word.isalpha():
        return fold_text(word)
    if word[0] < _LATIN_END:
        return fold_text(_stem_latin(word))
    for first, end, algorithm in _SCRIPTS:
        if first <= word[0] < end:
            return fold_text(_snowball(algorithm, word))
    return fold_text(word)


def _stem_latin(word: str) -> str:
    """Return the stem of an English or Spanish word.

    A word that looks Spanish is stemmed as Spanish. Any other is stemmed as English and
    then as Spanish, because most Spanish nouns look like English plurals. The Spanish
    stem counts unless it is so short that different English words would share it.
    """
    word = BASE_FORMS.get(word, word)
    is_long = len(word) >= _SHORTEST_SPANISH
    if is_long and (not word.isascii() or word.endswith(_SPANISH_ENDINGS)):
        return _snowball("spanish", word)
    stem = _snowball("english", word)
    if len(stem) < _SHORTEST_SPANISH or stem.endswith("e"):
        return stem
    spanish = _snowball("spanish", stem)
    is_verb = stem.endswith(("ar", "ir"))
    return spanish if len(spanish) >= _SHORTEST_RESULT or is_verb else stem


def _snowball(algorithm: str, word: str) -> str:
    """Return the stem of a word by one algorithm of Snowball.

    Every call has its own stemmer, because a stemmer keeps the word that it works on
    and threads share the cache of words.
    """
    # `snowballstemmer` would give the same class, but is another package to load.
    from Stemmer import Stemmer

    stem: str = Stemmer(algorithm).stemWord(word)
    return stem


_STEMS = _KnownRuns(_stem_word)
_WORDS = _KnownRuns(fold_text)
