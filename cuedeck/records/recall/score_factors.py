"""Factors of the score of a unit: coverage, phrases, names, dates, age, questions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta

from cuedeck.model.settings_schema import RecallSettings
from cuedeck.records.experiences.tokenize_text import fold_text
from cuedeck.records.recall.recall_candidate import Candidate, Statistics
from cuedeck.records.recall.recall_query import RecallQuery
from cuedeck.records.recall.unit_points import Postings

COVERAGE = 0.25
"""Gain of a unit that contains every word of the query."""
NAME = 1.5
"""Factor of units of the one speaker or session that the query names."""
PHRASE = 2.0
DATE = 3.0
"""Factor of units of the dates that the query names, and of the day after them: logs
often describe the day before.
"""
QUESTION = 0.8
"""Factor of units that ask: the answer is in another unit."""
OLDEST = 0.9
"""Factor of a very old unit, so that age reorders and never hides."""

Factor = tuple[str, float]


class ScoreFactors:
    """The factors of units for one query."""

    def __init__(
        self,
        query: RecallQuery,
        units: Sequence[Candidate],
        statistics: Statistics,
        settings: RecallSettings,
    ) -> None:
        self._query = query
        self._settings = settings
        self._newest = _parse_day(statistics.newest)
        self._until = _day_after(query.until)
        self._named = _named_source(query, units) if settings.names else ""
        self._of_days: dict[tuple[str, bool], tuple[Factor, ...]] = {}
        self._of_sources: dict[tuple[str, str], bool] = {}

    def read(self, unit: Candidate, share: float) -> Iterator[Factor]:
        """Yield the name and value of each factor of a unit that is not 1.

        `share` is the share of the query's weight that the unit contains.
        """
        if share and self._settings.coverage:
            yield "coverage", 1 + COVERAGE * share
        if self._named and self._is_named(unit):
            yield "name", NAME
        if unit.is_question and self._settings.questions:
            yield "question", QUESTION
        if any(_contains(unit.stems, phrase) for phrase in self._query.phrases):
            yield "phrase", PHRASE
        if unit.date:
            yield from self._day_factors(unit)

    def is_named_day(self, unit: Candidate) -> bool:
        """Return whether the query names the day of a unit."""
        return bool(unit.date) and any(
            name == "date" for name, _ in self._day_factors(unit)
        )

    def _is_named(self, unit: Candidate) -> bool:
        source = (unit.speaker, unit.session)
        if source not in self._of_sources:
            self._of_sources[source] = self._named in map(fold_text, source)
        return self._of_sources[source]

    def _day_factors(self, unit: Candidate) -> tuple[Factor, ...]:
        key = (unit.date[:10], unit.is_evergreen)
        if key not in self._of_days:
            self._of_days[key] = tuple(self._compute_day_factors(*key))
        return self._of_days[key]

    def _compute_day_factors(self, day: str, is_evergreen: bool) -> Iterator[Factor]:
        if self._query.since and self._query.since <= day <= self._until:
            yield "date", DATE
        unit_day = _parse_day(day)
        if is_evergreen or not self._settings.decay:
            return
        if unit_day is None or self._newest is None or unit_day >= self._newest:
            return
        days = (self._newest - unit_day).days
        fresh: float = 0.5 ** (days / self._settings.half_life_days)
        yield "age", round(OLDEST + (1 - OLDEST) * fresh, 3)


def matched_shares(
    query: RecallQuery, postings: Postings, weights: Mapping[str, float]
) -> dict[int, float]:
    """Return the share of the weight of the query's words that each unit contains, by
    the place of the unit. A synonym counts as its word.
    """
    words: dict[str, float] = {}
    places: dict[str, set[int]] = {}
    for term in query.terms:
        if term.stem not in weights or term.origin == "stop":
            continue
        words[term.word] = max(words.get(term.word, 0.0), weights[term.stem])
        places.setdefault(term.word, set()).update(postings[term.stem])
    whole = sum(words.values())
    matched: dict[int, float] = {}
    for word, weight in words.items():
        for place in places[word]:
            matched[place] = matched.get(place, 0.0) + weight
    return {place: round(weight / whole, 3) for place, weight in matched.items()}


def _named_source(query: RecallQuery, units: Sequence[Candidate]) -> str:
    """Return the one speaker or session that the query names, empty if it names none or
    several.
    """
    if not query.names:
        return ""
    sources = {unit.speaker for unit in units} | {unit.session for unit in units}
    names = set(map(fold_text, sources))
    named = [name for name in query.names if name in names]
    return named[0] if len(named) == 1 else ""


def _parse_day(text: str) -> date | None:
    try:
        return date.fromisoformat(text[:10])
    except ValueError:
        return None


def _day_after(day: str) -> str:
    parsed = _parse_day(day)
    if parsed is None or parsed == date.max:
        return day
    return (parsed + timedelta(days=1)).isoformat()


def _contains(stems: Sequence[str], phrase: Sequence[str]) -> bool:
    """Return whether the stems of a phrase follow each other."""
    if phrase[0] not in stems:
        return False
    size = len(phrase)
    places = range(len(stems) - size + 1)
    return any(tuple(stems[at : at + size]) == tuple(phrase) for at in places)
