"""Factors of the score of a unit: phrases, names, dates, age, questions."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from cuedeck.knowledge.recall.recall_candidate import Candidate, Statistics
from cuedeck.knowledge.recall.recall_query import RecallQuery
from cuedeck.model.settings_schema import RecallSettings
from cuedeck.text.fold_text import fold_text

NAME = 1.5
"""Factor of units of the one speaker or session that the query names."""
TURN = 0.4
"""Factor of turns of conversations, whose points include those of their windows."""
PHRASE = 2.0
DATE = 3.0
"""Factor of units of the dates that the query names."""
QUESTION = 0.8
"""Factor of units that ask: the answer is in another unit."""
REFERENCE = 0.3
"""Factor of units of docs and cards, so that remembered units come first unless these
match clearly better.
"""
_LEAST = 1e-6
"""Factor of a very old unit: age never hides a unit."""

Column = dict[int, float]
"""A factor by the place of the unit; units that are missing have 1."""


def score_factors(
    query: RecallQuery,
    units: Sequence[Candidate],
    statistics: Statistics,
    settings: RecallSettings,
) -> dict[str, Column]:
    """Return the factors of units by name."""
    columns: dict[str, Column] = {}
    named = _named_source(query, units) if settings.names else ""
    if named:
        columns["name"] = _name_factors(units, named)
    if settings.window:
        columns["turn"] = {
            place: TURN for place, unit in enumerate(units) if unit.speaker
        }
    if settings.questions:
        columns["question"] = {
            place: QUESTION for place, unit in enumerate(units) if unit.is_question
        }
    columns["reference"] = {
        place: REFERENCE for place, unit in enumerate(units) if unit.is_reference
    }
    if query.phrases:
        columns["phrase"] = _phrase_factors(units, query.phrases)
    if query.since:
        columns["date"] = _date_factors(units, query)
    newest = _parse_day(statistics.newest)
    if settings.decay and settings.half_life_days and newest is not None:
        columns["age"] = _age_factors(units, newest, settings.half_life_days)
    return columns


def _name_factors(units: Sequence[Candidate], named: str) -> Column:
    return {
        place: NAME
        for place, unit in enumerate(units)
        if named in (fold_text(unit.speaker), fold_text(unit.session))
    }


def _phrase_factors(
    units: Sequence[Candidate], phrases: Sequence[Sequence[str]]
) -> Column:
    return {
        place: PHRASE
        for place, unit in enumerate(units)
        if any(_contains(unit.stems, phrase) for phrase in phrases)
    }


def _date_factors(units: Sequence[Candidate], query: RecallQuery) -> Column:
    return {
        place: DATE
        for place, unit in enumerate(units)
        if query.since <= unit.date[:10] <= query.until
    }


def _age_factors(
    units: Sequence[Candidate], newest: date, half_life_days: int
) -> Column:
    of_days: dict[str, float] = {}
    factors: Column = {}
    for place, unit in enumerate(units):
        if unit.is_evergreen or not unit.date:
            continue
        day = unit.date[:10]
        if day not in of_days:
            of_days[day] = _age_factor(day, newest, half_life_days)
        factors[place] = of_days[day]
    return factors


def _age_factor(day: str, newest: date, half_life_days: int) -> float:
    parsed = _parse_day(day)
    if parsed is None or parsed >= newest:
        return 1.0
    factor: float = 0.5 ** ((newest - parsed).days / half_life_days)
    return max(round(factor, 6), _LEAST)


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


def _contains(stems: Sequence[str], phrase: Sequence[str]) -> bool:
    if phrase[0] not in stems:
        return False
    size = len(phrase)
    places = range(len(stems) - size + 1)
    return any(tuple(stems[at : at + size]) == tuple(phrase) for at in places)
