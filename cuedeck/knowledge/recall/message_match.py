"""Decide whether a unit is about a sentence of a message.

It is if it contains two fifths of the words of the sentence by their rarity, and at
least two of them. Words that no unit contains count, too: they show that the message is
about something else.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.knowledge.recall.recall_candidate import Statistics
from cuedeck.knowledge.recall.recall_query import RecallQuery
from cuedeck.knowledge.statements.rank_exchanges import words_of
from cuedeck.text.bm25 import rarity
from cuedeck.text.sentences import split_clauses
from cuedeck.text.words import read_stems, read_words

if TYPE_CHECKING:
    from cuedeck.model.recall_values import UnitRow

_COVERAGE = 0.4
"""Least share of the weight of a sentence that a unit contains."""
_LEAST_WORDS = 2
_LEAST_UNITS = 1_000
"""Least number of units from which rarity is computed: in a few units, rare words are
frequent by chance.
"""
_NEAR_BEST = 0.95
"""Least share of the weight that the best unit has for a sentence."""


class Word(NamedTuple):
    """A word of a message that says something about its subject."""

    stems: frozenset[str]
    """Its stems, those of its parts and of its synonyms; one of them is enough."""
    weight: float
    """Rarity."""


class Sentence(NamedTuple):
    """The words of a sentence of a message."""

    words: Sequence[Word]

    def weight_in(self, stems: Collection[str]) -> float:
        """Return the weight of the words that a unit contains; 0 if it is not about the
        sentence.
        """
        found = [each.weight for each in self.words if not each.stems.isdisjoint(stems)]
        if len(found) < min(_LEAST_WORDS, len(self.words)):
            return 0.0
        whole = sum(each.weight for each in self.words)
        matched = sum(found)
        return matched if matched >= _COVERAGE * whole else 0.0


def read_sentences(query: RecallQuery, statistics: Statistics) -> list[Sentence]:
    """Return the sentences of a message that was parsed as a query, without those that
    name no subject; one of a single word counts only if there is no other.
    """
    dates = frozenset(read_stems(" ".join(query.dates)))
    synonyms: dict[str, set[str]] = {}
    for term in query.terms:
        if term.origin == "synonym":
            synonyms.setdefault(term.word, set()).add(term.stem)
    meanings = {
        term.stem: synonyms.get(term.word, set())
        for term in query.terms
        if term.origin == "word"
    }
    found: dict[frozenset[str], Sentence] = {}
    for sentence in split_clauses(query.text):
        subject = words_of(sentence) - dates
        if subject and subject not in found:
            rows = dict.fromkeys(read_words(sentence))
            stems = [subject.intersection(row) for row in rows]
            words = [_word(each, meanings, statistics) for each in stems if each]
            found[subject] = Sentence(words)
    several = [each for each in found.values() if len(each.words) >= _LEAST_WORDS]
    return several or list(found.values())[:1]


def _word(
    stems: frozenset[str], meanings: Mapping[str, set[str]], statistics: Statistics
) -> Word:
    total = max(statistics.total, _LEAST_UNITS)
    having = min(statistics.spread[stem] or 1 for stem in stems)
    same = stems.union(*(meanings.get(stem, ()) for stem in stems))
    return Word(same, rarity(min(having, total), total))


def units_about(
    sentences: Sequence[Sentence], rows: Mapping[int, UnitRow]
) -> list[int]:
    """Return the numbers of the units that are about a sentence, nearly as much as the
    best one; all units without sentences, of a message that names days alone.
    """
    if not sentences or not rows:
        return list(rows)
    weights = {
        number: [each.weight_in(row.stems.split(" ")) for each in sentences]
        for number, row in rows.items()
    }
    best = [_NEAR_BEST * max(column) for column in zip(*weights.values(), strict=True)]
    return [
        number
        for number, row in weights.items()
        if any(0 < least <= weight for weight, least in zip(row, best, strict=True))
    ]


def stem_weights(sentences: Sequence[Sentence]) -> dict[str, float]:
    """Return the weight of each stem of a message and of its synonyms."""
    words = [word for sentence in sentences for word in sentence.words]
    return {stem: word.weight for word in words for stem in word.stems}
