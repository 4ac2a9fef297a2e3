"""Decide whether a unit that a message finds is about the subject of the message.

Ranking orders units; the best one may still share nothing but a frequent word with the
message. A match is sure if the unit covers a large part of one sentence of the message,
by the rarity of its words. Words that no unit contains count, too: they show that the
message is about something else.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from cuedeck.ranking.bm25 import rarity
from cuedeck.records.recall.recall_candidate import Statistics
from cuedeck.records.recall.recall_query import RecallQuery
from cuedeck.records.recall.recall_terms import read_stems
from cuedeck.records.recall.request_words import request_stems

COVERAGE = 0.4
"""Least share of the weight of a sentence that a unit covers."""
STRENGTH = 1.2
"""Least weight of the covered words; the rarest word has 1."""
WORD_STRENGTH = 0.6
"""The same for a message of one word."""
SYNONYM_SHARE = 0.7
REQUEST_SHARE = 0.2
"""Weight of a word such as `fix`, which says what to do and not about what."""
LEAST_UNITS = 1_000
"""Least number of units from which rarity is computed: in a few units, rare words are
frequent by chance.
"""
_SENTENCE_END = re.compile(r"[.!?;:…。！？]+(?=\s|$)|,\s|[，、]|\n+|\s[—–]\s")


@dataclass(frozen=True, slots=True)
class MessageWords:
    """The words of a message that decide whether a match is sure."""

    sentences: Sequence[Mapping[str, float]]
    """Weight of each stem, by sentence."""
    synonyms: Mapping[str, Collection[str]]
    """Stems of the synonyms of each stem."""
    weights: Mapping[str, float]
    """Weight of each stem of the message and of its synonyms."""
    is_one_word: bool
    """Whether the message has one word, apart from stop words."""

    def is_sure(self, stems: Collection[str]) -> bool:
        """Return whether a unit with these stems is about one of the sentences."""
        known = frozenset(stems)
        return any(self._covers(known, sentence) for sentence in self.sentences)

    def _covers(self, known: frozenset[str], sentence: Mapping[str, float]) -> bool:
        matched = 0.0
        for stem, weight in sentence.items():
            if stem in known:
                matched += weight
            elif not known.isdisjoint(self.synonyms.get(stem, ())):
                matched += SYNONYM_SHARE * weight
        least = WORD_STRENGTH if self.is_one_word else STRENGTH
        return matched >= max(least, COVERAGE * sum(sentence.values()))


def message_words(
    query: RecallQuery, statistics: Statistics, stemming: bool
) -> MessageWords:
    """Return the words of a message that was parsed as a query."""
    # A unit of a day does not contain its date; ranking prefers it.
    dates = frozenset(read_stems(" ".join(query.dates), stemming))
    content = [
        term for term in query.terms if term.origin == "word" and term.stem not in dates
    ]
    own = {term.stem: _weight(term.stem, statistics) for term in content}
    weights = dict(own)
    synonyms: dict[str, set[str]] = {}
    for term in query.terms:
        stems = [each.stem for each in content if each.word == term.word]
        # A synonym of a part of an identifier does not mean the identifier.
        if term.origin == "synonym" and len(stems) == 1:
            weights[term.stem] = SYNONYM_SHARE * own[stems[0]]
            synonyms.setdefault(stems[0], set()).add(term.stem)
    sentences = []
    for sentence in _SENTENCE_END.split(query.text):
        in_order = dict.fromkeys(read_stems(sentence, stemming))
        row = {stem: own[stem] for stem in in_order if stem in own}
        if not request_stems().issuperset(row):
            sentences.append(row)
    return MessageWords(sentences, synonyms, weights, is_one_word=len(own) == 1)


def _weight(stem: str, statistics: Statistics) -> float:
    """Return the rarity of a stem as a share of that of the rarest stem; a stem that no
    unit contains is as rare.
    """
    total = max(statistics.total, LEAST_UNITS)
    having = min(max(statistics.spread.get(stem, 0), 1), total)
    share = rarity(having, total) / rarity(1, total)
    return share * REQUEST_SHARE if stem in request_stems() else share
