"""Rank the units that a query finds.

The points of a unit are those of its own words and those of the window around it
(BM25); factors for names, dates, phrases, coverage, questions and age follow. Scores
are integers and the same on every machine: logarithms and powers are rounded before
use, and sums have a fixed order.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from operator import add, attrgetter
from typing import NamedTuple

from cuedeck.knowledge.recall.diversity import diversify
from cuedeck.knowledge.recall.feedback_terms import feedback_terms
from cuedeck.knowledge.recall.recall_candidate import Candidate, RankedUnit, Statistics
from cuedeck.knowledge.recall.recall_query import RecallQuery
from cuedeck.knowledge.recall.score_factors import Column, score_factors
from cuedeck.knowledge.recall.unit_points import (
    Layout,
    Postings,
    count_stems,
    lay_out,
    term_weights,
    unit_points,
    window_points,
)
from cuedeck.model.settings_schema import RecallSettings

__all__ = ["Candidate", "RankedUnit", "Statistics", "diversify", "rank_units"]

NEIGHBOUR = 0.95
"""Points of a neighbour at most, as a share of those of the match."""
_STOP_SHARE = 0.1
"""Points that stop words may add, as a share of the points of other words."""


class _Points(NamedTuple):
    """Points by the place of the unit."""

    words: Sequence[float]
    window: Sequence[float]
    feedback: Sequence[float]

    def total(self) -> list[float]:
        return [own + around + added for own, around, added in zip(*self, strict=True)]


def rank_units(
    query: RecallQuery,
    candidates: Sequence[Candidate],
    statistics: Statistics,
    settings: RecallSettings,
    hits: Collection[int] | None = None,
) -> list[RankedUnit]:
    """Return the candidates that match the query, best first.

    `hits` are the numbers of the candidates to return; the others are only neighbours
    of them. None means all.

    A candidate matches if it or its window contains a stem of the query that is not a
    stop word. If a query names days and has no other words, the units of these days
    match. Order of equal scores: the newer first, then by path, then the later in a
    file.
    """
    if not candidates:
        return []
    units = sorted(candidates, key=attrgetter("number"))
    layout = lay_out(units, statistics.mean_length)
    weights = term_weights(query.terms, statistics)
    postings = count_stems(units, weights)
    points = _points_of_terms(query, weights, postings, layout, settings)
    has_turns = any(unit.speaker for unit in units)
    if settings.feedback and has_turns and query.has_content():
        points = _add_feedback(points, units, weights, layout, settings)
    scores = points.total()
    if query.since and not query.has_content():
        scores = _scores_of_days(query, units, scores)
    columns = score_factors(query, units, statistics, settings)
    stems = postings.keys() & set(query.content_stems())
    matched = {place for stem in stems for place in postings[stem]}
    columns["neighbour"] = _neighbour_factors(scores, matched, layout)
    for column in columns.values():
        for place, factor in column.items():
            scores[place] *= factor
    return [
        each
        for each in _ranked(units, scores, points, columns)
        if hits is None or each.candidate.number in hits
    ]


def _ranked(
    units: Sequence[Candidate],
    scores: Sequence[float],
    points: _Points,
    columns: Mapping[str, Column],
) -> Iterator[RankedUnit]:
    """Yield the units with a score, best first, with its parts."""
    words, window, feedback = points
    for place in _order(units, scores):
        parts: dict[str, float] = {
            "words": round(words[place]),
            "window": round(window[place]),
            "feedback": round(feedback[place]),
        }
        for name, column in columns.items():
            if place in column:
                parts[name] = column[place]
        score = max(1, round(scores[place]))
        yield RankedUnit(units[place], score, parts)


def _points_of_terms(
    query: RecallQuery,
    weights: Mapping[str, float],
    postings: Postings,
    layout: Layout,
    settings: RecallSettings,
) -> _Points:
    """Return the points of the terms of a query, without feedback."""
    stops: set[str] = set()
    if query.has_content():
        stops.update(term.stem for term in query.terms if term.origin == "stop")
    content = {stem: weights[stem] for stem in weights if stem not in stops}
    none = [0.0] * len(layout.lengths)
    words = unit_points(postings, content, layout)
    window = window_points(postings, content, layout) if settings.window else none
    if stops:
        minor_weights = {stem: weights[stem] for stem in weights if stem in stops}
        minor = unit_points(postings, minor_weights, layout)
        words = [
            own + min(added, _STOP_SHARE * (own + around))
            for own, around, added in zip(words, window, minor, strict=True)
        ]
    return _Points(words, window, none)


def _add_feedback(
    points: _Points,
    units: Sequence[Candidate],
    known: Mapping[str, float],
    layout: Layout,
    settings: RecallSettings,
) -> _Points:
    """Return the points with those of the stems of feedback, for turns of conversations
    alone. A turn without points gets none, so that feedback reorders hits and adds
    none.
    """
    scores = points.total()
    weights, postings = feedback_terms(units, scores, known)
    feedback = unit_points(postings, weights, layout)
    if settings.window:
        window = window_points(postings, weights, layout)
        feedback = list(map(add, feedback, window))
    feedback = [
        added if score and unit.speaker else 0.0
        for unit, score, added in zip(units, scores, feedback, strict=True)
    ]
    return points._replace(feedback=feedback)


def _neighbour_factors(
    scores: Sequence[float], matched: Collection[int], layout: Layout
) -> Column:
    """Return the factors of units that have points only because a unit in their window
    matches. A neighbour has fewer points than the best match next to it, whose text may
    be longer.
    """
    factors: Column = {}
    for place, score in enumerate(scores):
        if not score or place in matched:
            continue
        window = range(layout.first[place], layout.end[place])
        matches = [scores[each] for each in window if each in matched]
        if matches and score >= max(matches):
            factor = round(NEIGHBOUR * max(matches) / score, 3)
            factors[place] = max(factor, 0.001)
    return factors


def _scores_of_days(
    query: RecallQuery, units: Sequence[Candidate], scores: Sequence[float]
) -> list[float]:
    """Return the scores of a query that consists of dates and stop words: only units of
    the named days have one, if there are any.
    """
    is_named = [query.since <= unit.date[:10] <= query.until for unit in units]
    if not any(is_named):
        return list(scores)
    return [
        max(score, 1.0) if named else 0.0
        for named, score in zip(is_named, scores, strict=True)
    ]


def _order(units: Sequence[Candidate], scores: Sequence[float]) -> list[int]:
    """Return the places of the units with a score, best first."""
    points = [round(score) for score in scores]
    order = [place for place, score in enumerate(scores) if score]
    order.reverse()
    order.sort(key=[unit.path for unit in units].__getitem__)
    order.sort(key=[unit.date for unit in units].__getitem__, reverse=True)
    order.sort(key=points.__getitem__, reverse=True)
    return order
