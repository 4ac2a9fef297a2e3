"""Terms of sentences: the stems of the words that name a subject."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from itertools import islice

from cuedeck.text.languages import detect_language
from cuedeck.text.stop_words import STOP_WORDS
from cuedeck.text.words import read_stems

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_SAMPLE = 400
"""Number of words that decide the language of a text."""
_NAME = re.compile(r"(?<=[\w,;:'’\"(] )[^\Wa-z_][\w'’-]+|\d[\w:.,/-]*|`[^`]+`")
"""A capitalised word inside a sentence, a number, or inline code."""


class Vocabulary:
    """The terms of the sentences of one text, in the language of the text."""

    def __init__(self, texts: Iterable[str], ignored: Iterable[str] = ()) -> None:
        """Read the language of the texts; terms of `ignored` are never returned."""
        words = (word for text in texts for word in _WORD.findall(text))
        language = detect_language(islice(words, _SAMPLE))
        dropped = {stem for text in ignored for stem in read_stems(text)}
        self._stop_stems = _stop_stems(language.stop_words) | dropped

    def terms(self, text: str) -> frozenset[str]:
        """Return the distinct stems of a text without those of stop words."""
        return frozenset(
            stem
            for stem in read_stems(text)
            if len(stem) > 1 and stem not in self._stop_stems
        )

    def names(self, text: str) -> frozenset[str]:
        """Return the terms of the names, numbers and code of a text."""
        found = " ".join(_NAME.findall(text))
        return self.terms(found) if found else frozenset()


@cache
def _stop_stems(words: frozenset[str]) -> frozenset[str]:
    stems: set[str] = set()
    for word in (*words, *STOP_WORDS):
        stems.update(read_stems(word))
    return frozenset(stems)
