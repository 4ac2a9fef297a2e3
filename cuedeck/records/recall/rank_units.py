"""Rank the units that a query finds: BM25 of the unit and of the window around it,
with coverage, phrases, names and age.

Every score is an integer that is the same on every machine: logarithms and powers are
rounded to coarse steps before they are used.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from cuedeck.model.settings_schema import RecallSettings
from cuedeck.ranking.bm25 import SATURATION, UNIT, rarity
from cuedeck.records.experiences.tokenize_text import fold_text
from cuedeck.records.recall.recall_query import QueryTerm, RecallQuery

WINDOW = 2
"""Units before and after a unit that form its window."""
_WINDOW_WEIGHT = 2
_SLOPE = 0.5
"""Strength of length normalisation (b of BM25)."""
_MIN_RARITY = 0.25
"""Weight of a word that every unit contains."""
_NAME_FACTOR = 1.5
_PHRASE_FACTOR = 2.0
_DATE_FACTOR = 2.0
_OLDEST_FACTOR = 0.8
"""Factor of the age of a very old unit, so that age reorders and never hides."""


class Candidate(NamedTuple):
    """A unit that contains a stem of the query, or a neighbour of one."""

    number: int
    """Place of the unit: neighbours in one file have consecutive numbers."""
    stems: Sequence[str]
    path: str
    date: str
    """ISO date or time, empty if the unit has none. Times are in UTC."""
    is_evergreen: bool = False
    """Whether age does not matter: curated files and docs."""
    speaker: str = ""
    session: str = ""


@dataclass(frozen=True, slots=True)
class Statistics:
    """Figures over all units of the index."""

    total: int
    """Number of units."""
    mean_length: float
    """Mean number of stems of a unit."""
    spread: Mapping[str, int]
    """Number of units that contain each stem of the query."""
    newest: str
    """ISO date of the newest unit that is not in the future; empty if there is none."""


class RankedUnit(NamedTuple):
    """A unit with its score."""

    candidate: Candidate
    score: int
    parts: Mapping[str, float]
    """Points of the unit (`words`) and of its window (`window`), and the factors."""


def rank_units(
    query: RecallQuery,
    candidates: Sequence[Candidate],
    statistics: Statistics,
    settings: RecallSettings,
) -> list[RankedUnit]:
    """Return the candidates with a score above 0, best first.

    Order of equal scores: the newer first, then by path, then the later in a file.
    """
    weights = _term_weights(query.terms, statistics)
    counts = _count_terms(candidates, weights)
    lengths = {unit.number: len(unit.stems) for unit in candidates}
    words = _add_points(counts, weights, lengths, statistics.mean_length)
    window: Mapping[int, int] = {}
    if settings.window:
        window = _window_points(candidates, query, counts, weights, statistics)
    factors = _Factors(query, candidates, counts, weights, statistics, settings)
    ranked = []
    for unit in candidates:
        base = words.get(unit.number, 0) + _WINDOW_WEIGHT * window.get(unit.number, 0)
        if not base:
            continue
        score = float(base)
        parts: dict[str, float] = {
            "words": words.get(unit.number, 0),
            "window": window.get(unit.number, 0),
        }
        for name, factor in factors.read(unit):
            score *= factor
            parts[name] = factor
        ranked.append(RankedUnit(unit, max(1, round(score)), parts))
    return _sort(ranked)


def _sort(ranked: list[RankedUnit]) -> list[RankedUnit]:
    ranked.sort(key=lambda unit: (unit.candidate.path, -unit.candidate.number))
    ranked.sort(key=lambda unit: unit.candidate.date, reverse=True)
    ranked.sort(key=lambda unit: -unit.score)
    return ranked


def _term_weights(
    terms: Sequence[QueryTerm], statistics: Statistics
) -> dict[str, float]:
    """Return the weight of each stem times its rarity; stems that no unit has are left
    out.
    """
    weights = {}
    for term in terms:
        having = statistics.spread.get(term.stem, 0)
        if having:
            rareness = max(rarity(having, statistics.total), _MIN_RARITY)
            weights[term.stem] = term.weight * rareness
    return weights


def _count_terms(
    candidates: Sequence[Candidate], weights: Mapping[str, float]
) -> dict[str, dict[int, int]]:
    """Return how often each stem occurs in the units that have it."""
    wanted = frozenset(weights)
    counts: dict[str, dict[int, int]] = {stem: {} for stem in weights}
    for unit in candidates:
        for stem in wanted.intersection(unit.stems):
            counts[stem][unit.number] = unit.stems.count(stem)
    return counts


def _add_points(
    counts: Mapping[str, Mapping[int, int]],
    weights: Mapping[str, float],
    lengths: Mapping[int, int],
    mean_length: float,
) -> dict[int, int]:
    """Return the BM25 points of each text that contains a term, by its number."""
    flat = SATURATION * (1 - _SLOPE)
    steep = SATURATION * _SLOPE / max(mean_length, 1.0)
    norms = {number: flat + steep * length for number, length in lengths.items()}
    points: dict[int, int] = {}
    for stem, times_by_number in counts.items():
        upper = UNIT * weights[stem] * (SATURATION + 1)
        for number, times in times_by_number.items():
            gained = round(upper * times / (times + norms[number]))
            points[number] = points.get(number, 0) + gained
    return points


def _window_points(
    candidates: Sequence[Candidate],
    query: RecallQuery,
    counts: Mapping[str, Mapping[int, int]],
    weights: Mapping[str, float],
    statistics: Statistics,
) -> dict[int, int]:
    """Return the BM25 points of the windows around the units."""
    windows = _windows(candidates)
    own_lengths = {unit.number: len(unit.stems) for unit in candidates}
    lengths = {
        number: sum(map(own_lengths.__getitem__, members))
        for number, members in windows.items()
    }
    searched = [term.stem for term in query.terms if term.stem in counts]
    sums: dict[str, dict[int, int]] = {}
    for stem in searched:
        total: dict[int, int] = {}
        for number, times in counts[stem].items():
            for member in windows[number]:
                total[member] = total.get(member, 0) + times
        sums[stem] = total
    mean_length = statistics.mean_length * (2 * WINDOW + 1)
    return _add_points(sums, weights, lengths, mean_length)


def _windows(candidates: Sequence[Candidate]) -> dict[int, list[int]]:
    """Return the numbers of the units in the window of each unit, itself included."""
    paths = {unit.number: unit.path for unit in candidates}
    steps = range(-WINDOW, WINDOW + 1)
    return {
        number: [number + step for step in steps if paths.get(number + step) == path]
        for number, path in paths.items()
    }


class _Factors:
    """Factors of the score of a unit."""

    def __init__(
        self,
        query: RecallQuery,
        candidates: Sequence[Candidate],
        counts: Mapping[str, Mapping[int, int]],
        weights: Mapping[str, float],
        statistics: Statistics,
        settings: RecallSettings,
    ) -> None:
        self._query = query
        self._settings = settings
        self._shares = _matched_shares(query, counts, weights)
        self._name = _named_source(query, candidates) if settings.names else ""
        newest = statistics.newest[:10]
        self._newest = date.fromisoformat(newest) if newest else None
        self._ages: dict[str, float] = {}

    def read(self, unit: Candidate) -> Iterator[tuple[str, float]]:
        """Yield the name and value of each factor that is not 1."""
        share = self._shares.get(unit.number, 0.0)
        if share and self._settings.coverage:
            yield "coverage", 1 + share
        if self._name and self._name in (_name(unit.speaker), _name(unit.session)):
            yield "name", _NAME_FACTOR
        if any(_contains(unit.stems, phrase) for phrase in self._query.phrases):
            yield "phrase", _PHRASE_FACTOR
        day = unit.date[:10]
        if self._query.since and self._query.since <= day <= self._query.until:
            yield "date", _DATE_FACTOR
        if self._settings.decay and not unit.is_evergreen and day:
            factor = self._age_factor(day)
            if factor != 1:
                yield "age", factor

    def _age_factor(self, day: str) -> float:
        if day not in self._ages:
            self._ages[day] = self._compute_age_factor(day)
        return self._ages[day]

    def _compute_age_factor(self, day: str) -> float:
        if self._newest is None:
            return 1.0
        try:
            days = (self._newest - date.fromisoformat(day)).days
        except ValueError:
            return 1.0
        fresh: float = 0.5 ** (max(days, 0) / self._settings.half_life_days)
        return round(_OLDEST_FACTOR + (1 - _OLDEST_FACTOR) * fresh, 3)


def _matched_shares(
    query: RecallQuery,
    counts: Mapping[str, Mapping[int, int]],
    weights: Mapping[str, float],
) -> dict[int, float]:
    """Return the share of the weight of the query's words that each unit contains."""
    stems = {term.stem for term in query.terms if term.origin != "synonym"}
    whole = sum(weight for stem, weight in weights.items() if stem in stems)
    matched: dict[int, float] = {}
    for stem, times_by_number in counts.items():
        if stem in stems:
            for number in times_by_number:
                matched[number] = matched.get(number, 0.0) + weights[stem]
    return {number: round(weight / whole, 3) for number, weight in matched.items()}


def _named_source(query: RecallQuery, candidates: Sequence[Candidate]) -> str:
    """Return the one speaker or session that the query names, empty if it names none or
    several.
    """
    names = {_name(unit.speaker) for unit in candidates}
    names |= {_name(unit.session) for unit in candidates}
    named = [name for name in query.names if name in names]
    return named[0] if len(named) == 1 else ""


def _name(text: str) -> str:
    return fold_text(text)


def _contains(stems: Sequence[str], phrase: Sequence[str]) -> bool:
    """Return whether the stems of a phrase follow each other."""
    if phrase[0] not in stems:
        return False
    size = len(phrase)
    return any(
        tuple(stems[at : at + size]) == tuple(phrase)
        for at in range(len(stems) - size + 1)
    )
