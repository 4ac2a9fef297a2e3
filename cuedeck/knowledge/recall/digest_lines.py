"""Lines of a digest: for each unit that is about a message, the sentence that answers
it.

A unit is about a sentence of a message if it contains two fifths of the words of the
sentence by their rarity, and at least two of them. Words that no unit contains count,
too: they show that the message is about something else.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.knowledge.recall.rank_units import Statistics
from cuedeck.knowledge.recall.recall_answer import (
    address_of,
    best_sentence,
    citation,
    printable_citation,
    unit_path,
)
from cuedeck.knowledge.recall.recall_query import RecallQuery, local_time
from cuedeck.knowledge.statements.rank_exchanges import words_of
from cuedeck.parse.fence import code, quoted
from cuedeck.text.bm25 import rarity, to_score
from cuedeck.text.sentences import split_clauses
from cuedeck.text.stems import is_stop_word
from cuedeck.text.words import read_stems, read_words

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.knowledge.recall.rank_units import RankedUnit
    from cuedeck.model.recall_values import Unit, UnitRow
    from cuedeck.store.cache.recall_index import RecallIndex


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
    having = min(statistics.spread(stem) or 1 for stem in stems)
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
        number: [each.weight_in(row.stems) for each in sentences]
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


_READ_AT_ONCE = 6
"""Units that are read at once: most digests need no more."""
_LONGEST = 240
"""Maximum characters of a sentence."""


class DigestLine(NamedTuple):
    """One line of a digest."""

    text: str
    """The sentence that answers the message."""
    address: str
    path: str
    kind: str
    lines: tuple[int, int]
    citation: str
    """Place that `read` opens; empty if the settings hide citations."""
    date: str
    score: float
    keys: tuple[str, ...]
    """Id of the entry, if it has one, hash of the sentence, and id of the record of an
    experience: a session that knows one of them knows the line.
    """

    @property
    def row(self) -> str:
        """The line as quoted Markdown."""
        label = self.kind
        if self.date:
            label += f" {self.date}"
        if self.citation:
            label += f", {code(printable_citation(self.citation))}"
        text = quoted(self.text, _LONGEST)
        return f"- {text} ({label})\n"


def make_lines(
    workspace: Workspace,
    index: RecallIndex,
    ranked: Sequence[RankedUnit],
    sentences: Sequence[Sentence],
    secret_keys: Collection[bytes],
) -> Iterator[DigestLine]:
    """Yield the lines of units that are about a message, best first.

    `secret_keys` are the keys of secret texts, which no line shows. The caller holds a
    reading of the index.
    """
    weights = stem_weights(sentences)
    citations = workspace.settings.recall.citations
    for start in range(0, len(ranked), _READ_AT_ONCE):
        read = ranked[start : start + _READ_AT_ONCE]
        units = index.units([each.row.number for each in read])
        for each in read:
            path, unit = units[each.row.number]
            text = best_sentence(unit.text, weights, _LONGEST, secret_keys)
            shown = text
            # A message that names days alone has no weights.
            if weights and weights.keys().isdisjoint(read_stems(text)):
                shown = _below_heading(text, unit, weights, secret_keys)
            if not shown:
                continue
            path = unit_path(path, unit)
            place = citation(path, unit)
            yield DigestLine(
                text=shown,
                address=address_of(path, unit),
                path=path,
                kind=unit.kind,
                lines=(unit.start, unit.end),
                citation="" if citations == "off" else place,
                date=local_time(unit.date)[:10],
                score=to_score(each.score),
                keys=_keys(workspace, unit, text),
            )


def _below_heading(
    text: str, unit: Unit, weights: Mapping[str, float], secret_keys: Collection[bytes]
) -> str:
    """Return a text that has no word of the message below the nearest heading that has
    one; empty if the text consists of stop words.
    """
    if all(map(is_stop_word, read_stems(text))):
        return ""
    for heading in reversed(unit.title.split(" > ")):
        if not weights.keys().isdisjoint(read_stems(heading)):
            shown = best_sentence(heading, weights, _LONGEST, secret_keys)
            return f"{shown}: {text}" if shown else text
    return text


def _keys(workspace: Workspace, unit: Unit, text: str) -> tuple[str, ...]:
    stems = " ".join(read_stems(text))
    data = stems.encode("utf-8", "replace")
    # `hashlib` would load OpenSSL, which takes longer than the other lines.
    from _blake2 import blake2b

    digest = blake2b(data, digest_size=6)
    keys = [unit.id, digest.hexdigest()]
    if unit.kind == "experience":
        # The experience repeats its record, which a brief may contain. Most digests
        # contain no experience.
        from cuedeck.ledger.kinds.experience_kind import experiences_in

        same = (each for each in experiences_in(workspace) if each.id == unit.id)
        keys += [each.record for each in same]
    return tuple(filter(None, keys))
