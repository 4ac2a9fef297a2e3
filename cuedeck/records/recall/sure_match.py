"""Decide whether a unit that a message finds is about the subject of the message.

Ranking orders units; the best one may still share nothing but a frequent word with the
message. A match is sure if the unit covers a large part of one sentence of the message,
by the rarity of its words. Words that no unit contains count, too: they show that the
message is about something else. Words that occur in messages about anything count less
than the others, because two of them meet by chance.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import accumulate

from cuedeck.model.light_typing import NamedTuple
from cuedeck.ranking.bm25 import rarity
from cuedeck.records.recall.recall_candidate import Statistics
from cuedeck.records.recall.recall_query import RecallQuery
from cuedeck.records.recall.recall_stop_words import is_stop_word
from cuedeck.records.recall.recall_terms import read_stems, read_words
from cuedeck.records.recall.request_words import is_common, is_request

COVERAGE = 0.45
"""Least share of the weight of a sentence that a unit covers."""
STRENGTH = 1.2
"""Least weight of the covered words, unless these are all words of a sentence; the
rarest word has 1.
"""
WORD_STRENGTH = 0.6
"""The same for a message of one word."""
QUESTION_STRENGTH = 0.9
"""The same for a question with one specific word: at most two units may contain it, so
that the name of a colleague does not match alone.
"""
SPECIFIC = 1.5
"""Least number of covered words that occur in messages about their subject only: two,
of which both may be synonyms. Common words alone meet by chance.
"""
SPECIFIC_OF_ALL = 0.8
"""The same if all words of a sentence are covered and the message asks nothing."""
SPECIFIC_IN_IDENTIFIER = 2.0
"""Words for which an identifier counts."""
SYNONYM_SHARE = 0.8
REQUEST_SHARE = 0.15
"""Weight of a word such as `fix`, which says what to do and not about what."""
IDENTIFIER_SHARE = 1.25
"""Weight of an identifier such as `tide_windows`, which is enough alone."""
COMMON_SHARE = 0.55
"""Weight of a word such as `column`, which occurs in messages about any program."""
_ROUNDING = 1e-9
"""Greater than the error of a sum of weights."""
LEAST_UNITS = 1_000
"""Least number of units from which rarity is computed: in a few units, rare words are
frequent by chance.
"""
_SENTENCE_END = r"[.!?;:…。！？]+(?=\s|$)|,\s|[，、]|\n+|\s[—–]\s"
_SENTENCE_MARKS = ".!?;:…。！？,，、\n—–"
"""Every end of a sentence contains one of them."""
_QUESTION_WORDS = """
    who whom whose what when where which why how do does did is are was were can could
    may should would will has have qué quién quiénes cuándo dónde cuál cuáles cómo
    cuánto cuánta cuántos cuántas
"""
"""First words of questions without a question mark."""
_AROUND_WORDS = '¿¡"“«(*-,.:;!'


class MessageWord(NamedTuple):
    """A word of a message, apart from stop words."""

    whole: str
    parts: tuple[str, ...]
    """Stems of the parts of an identifier; empty for any other word."""
    synonyms: frozenset[str]
    weight: float
    specific: float
    """Words for which it counts that occur in messages about their subject only."""

    @property
    def stems(self) -> frozenset[str]:
        """The stems of which a unit contains at least one if it has the word. `the` of
        `check-the-docs` is none: too many units contain it.
        """
        parts = (part for part in self.parts if not is_stop_word(part))
        return self.synonyms.union((self.whole,), parts)

    def share_in(self, stems: frozenset[str]) -> float:
        """Return how much of the word a unit contains, from 0 to 1."""
        if self.whole in stems:
            return 1.0
        found = 0.0
        if self.parts:
            found = sum(part in stems for part in self.parts) / len(self.parts)
        if not self.synonyms.isdisjoint(stems):
            found = max(found, SYNONYM_SHARE)
        return found


class Needs(NamedTuple):
    """What a unit contains at least if it is about a sentence."""

    conditions: Sequence[frozenset[str]]
    """Sets of stems, of each of which the unit contains one; empty if no unit can be
    about the sentence.
    """
    words: int
    """Least number of words of the sentence."""


class MessageWords(NamedTuple):
    """The words of a message that decide whether a match is sure."""

    sentences: Sequence[Sequence[MessageWord]]
    """The words by sentence, each once; without sentences of requests alone."""
    weights: Mapping[str, float]
    """Weight of each stem of the message and of its synonyms."""
    only_word: str
    """The whole of the only specific word of a question, or of a message without other
    words; empty if there are several or none.
    """
    least: float
    """Least weight of the covered words, if the only word is one of them."""
    is_question: bool
    stems: Sequence[frozenset[str]]
    """By sentence, the stems of its words; a unit without them has none of the words.
    """

    def covered(self, stems: Collection[str]) -> list[float]:
        """Return, by sentence, the weight of the words that a unit contains; 0 if it is
        not sure that the unit is about the sentence.
        """
        known = frozenset(stems)
        return [
            0.0 if known.isdisjoint(of_sentence) else self.weight_in(sentence, known)
            for sentence, of_sentence in zip(self.sentences, self.stems, strict=True)
        ]

    def needs(self, sentence: Sequence[MessageWord]) -> Needs:
        """Return what a unit contains at least if it is about a sentence.

        Without a needed word, the others weigh too little. If each word can be missing,
        the only condition has the stems of the essential words: the rest weighs too
        little.
        """
        weights = sorted((word.weight for word in sentence), reverse=True)
        total = sum(weights)
        least = max(STRENGTH, COVERAGE * total) - _ROUNDING
        if any(word.whole == self.only_word for word in sentence):
            return Needs([self._essential_stems(sentence, least)], 1)
        if len(sentence) == 1 and total < least:
            return Needs([], 1)
        needed = [word.stems for word in sentence if total - word.weight < least]
        words = next(
            (at for at, sum_ in enumerate(accumulate(weights), 1) if sum_ >= least),
            len(sentence),
        )
        return Needs(needed or [self._essential_stems(sentence, least)], words)

    def _essential_stems(
        self, sentence: Sequence[MessageWord], least: float
    ) -> frozenset[str]:
        """Return the stems of the words without which the others weigh less than
        `least`, and those of the only word.
        """
        essential: set[str] = set()
        rest = sum(word.weight for word in sentence)
        for word in sorted(sentence, key=lambda word: -word.weight):
            if rest >= least or word.whole == self.only_word:
                essential |= word.stems
            rest -= word.weight
        return frozenset(essential)

    def weight_in(
        self, sentence: Sequence[MessageWord], stems: frozenset[str]
    ) -> float:
        """Return the weight of the words of a sentence that a unit contains; 0 if it is
        not sure that the unit is about the sentence.
        """
        shares = [word.share_in(stems) for word in sentence]
        if not any(shares):
            return 0.0
        least, least_specific = STRENGTH, SPECIFIC
        if len(shares) > 1 and all(shares):
            least = 0.0
            least_specific = 0.0 if self.is_question else SPECIFIC_OF_ALL
        matched = whole = specific = 0.0
        for word, share in zip(sentence, shares, strict=True):
            matched += share * word.weight
            whole += word.weight
            specific += share * word.specific
            if share and word.whole == self.only_word:
                least, least_specific = min(least, self.least), 0.0
        is_sure = specific >= least_specific and matched >= max(least, COVERAGE * whole)
        return matched if is_sure else 0.0


def message_words(
    query: RecallQuery, statistics: Statistics, stemming: bool
) -> MessageWords:
    """Return the words of a message that was parsed as a query."""
    # A unit of a day does not contain its date; ranking prefers it.
    dates = frozenset(read_stems(" ".join(query.dates), stemming))
    content = {
        term.stem: term.word
        for term in query.terms
        if term.origin == "word" and term.stem not in dates
    }
    synonyms: dict[str, set[str]] = {}
    for term in query.terms:
        if term.origin == "synonym":
            synonyms.setdefault(term.word, set()).add(term.stem)
    words: dict[str, MessageWord] = {}
    # A stack trace repeats its lines.
    sentences: dict[Sequence[MessageWord], None] = {}
    for sentence in _split_sentences(query.text):
        row: dict[str, MessageWord] = {}
        for stems in read_words(sentence, stemming):
            whole = stems[-1]
            if whole not in content:
                continue
            if whole not in words:
                # A synonym of a part of an identifier does not mean the identifier.
                same = synonyms.get(content[whole], ()) if len(stems) == 1 else ()
                words[whole] = _word(stems, frozenset(same), statistics)
            row[whole] = words[whole]
        if not all(map(is_request, row)):
            sentences[tuple(row.values())] = None
    is_question = _is_question(query.text)
    return MessageWords(
        list(sentences),
        _weights(words.values()),
        _only_word(words.values(), is_question=is_question),
        WORD_STRENGTH if len(words) == 1 else QUESTION_STRENGTH,
        is_question,
        [_stems(sentence) for sentence in sentences],
    )


def _stems(sentence: Iterable[MessageWord]) -> frozenset[str]:
    """Return the stems of which a unit contains at least one if it has a word."""
    return frozenset(stem for word in sentence for stem in word.stems)


def _split_sentences(text: str) -> list[str]:
    """Return the sentences of a message and their main parts."""
    text = text.rstrip(f"{_SENTENCE_MARKS} ")
    # Many messages are one sentence, and the pattern takes long to compile.
    if not any(mark in text for mark in _SENTENCE_MARKS):
        return [text]
    return re.split(_SENTENCE_END, text)


def _only_word(words: Collection[MessageWord], *, is_question: bool) -> str:
    """Return the word that decides alone. A request, unlike a question, may be about
    something else without a name.
    """
    specific = [word.whole for word in words if word.specific]
    if len(specific) != 1:
        return ""
    if len(words) > 1 and not is_question:
        return ""
    return specific[0]


def _is_question(text: str) -> bool:
    """Return whether a message asks something."""
    if "?" in text or "？" in text:
        return True
    words = text.casefold().split(None, 2)
    first = [word.strip(_AROUND_WORDS).partition("'")[0] for word in words[:2]]
    if first == ["por", "qué"]:
        return True
    return first[:1] != [] and first[0] in _QUESTION_WORDS.split()


def _word(
    stems: tuple[str, ...], synonyms: frozenset[str], statistics: Statistics
) -> MessageWord:
    whole, parts = stems[-1], stems[:-1]
    share = IDENTIFIER_SHARE if "_" in whole else 1.0
    if is_request(whole):
        share = REQUEST_SHARE
    elif is_common(whole):
        share = COMMON_SHARE
    weight = share * _rarity(whole, statistics)
    specific = 1.0 if share >= 1 else 0.0
    if share == IDENTIFIER_SHARE:
        specific = SPECIFIC_IN_IDENTIFIER
    return MessageWord(whole, parts, synonyms, weight, specific)


def _weights(words: Collection[MessageWord]) -> dict[str, float]:
    weights: dict[str, float] = {}
    for word in words:
        for part in word.parts:
            weights.setdefault(part, word.weight / len(word.parts))
        for synonym in word.synonyms:
            weights.setdefault(synonym, SYNONYM_SHARE * word.weight)
    weights.update({word.whole: word.weight for word in words})
    return weights


def _rarity(stem: str, statistics: Statistics) -> float:
    """Return the rarity of a stem as a share of that of the rarest stem; a stem that no
    unit contains is as rare.
    """
    total = max(statistics.total, LEAST_UNITS)
    having = min(max(statistics.spread[stem], 1), total)
    return rarity(having, total) / rarity(1, total)
