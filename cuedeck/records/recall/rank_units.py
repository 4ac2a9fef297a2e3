"""Rank the units that a query finds.

The points of a unit are those of its own words and those of the window around it
(BM25); factors for names, dates, phrases, coverage, questions and age follow. Scores
are integers and the same on every machine: logarithms and powers are rounded before
use, and sums have a fixed order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import attrgetter

from cuedeck.model.settings_schema import RecallSettings
from cuedeck.records.recall.feedback_terms import feedback_terms
from cuedeck.records.recall.recall_candidate import Candidate, RankedUnit, Statistics
from cuedeck.records.recall.recall_query import RecallQuery
from cuedeck.records.recall.score_factors import matched_shares, score_factors
from cuedeck.records.recall.term_weights import term_weights
from cuedeck.records.recall.unit_points import (
    WINDOW,
    WINDOW_WEIGHT,
    Layout,
    count_stems,
    lay_out,
    unit_points,
    window_points,
)

__all__ = ["WINDOW", "Candidate", "RankedUnit", "Statistics", "rank_units"]


def rank_units(
    query: RecallQuery,
    candidates: Sequence[Candidate],
    statistics: Statistics,
    settings: RecallSettings,
) -> list[RankedUnit]:
    """Return the candidates that match the query, best first.

    A candidate matches if it or its window contains a stem of the query, or if the
    query names its day and has no other words. Order of equal scores: the newer first,
    then by path, then the later in a file.
    """
    units = sorted(candidates, key=attrgetter("number"))
    layout = lay_out(units, statistics.mean_length)
    weights = term_weights(query.terms, statistics)
    postings = count_stems(units, weights)
    words = unit_points(postings, weights, layout)
    window = [0.0] * len(units)
    if settings.window:
        stops = {term.stem for term in query.terms if term.origin == "stop"}
        is_content = query.has_content()
        inner = {s: w for s, w in weights.items() if not (is_content and s in stops)}
        window = window_points(postings, inner, layout)
    shares = matched_shares(query, postings, weights)
    columns = score_factors(query, units, shares, statistics, settings)
    scores = _add_up(words, window)
    feedback = [0.0] * len(units)
    if settings.feedback and query.has_content():
        feedback = _feedback_points(units, scores, weights, layout, settings)
        scores = [own + added for own, added in zip(scores, feedback, strict=True)]
    if not query.has_content():
        for place in columns.get("date", ()):
            scores[place] = max(scores[place], 1.0)
    for column in columns.values():
        for place, factor in column.items():
            scores[place] *= factor
    ranked = []
    for place in _order(units, scores):
        parts = {
            name: column[place] for name, column in columns.items() if place in column
        }
        parts["words"] = round(words[place])
        parts["window"] = round(WINDOW_WEIGHT * window[place])
        parts["feedback"] = round(feedback[place])
        score = max(1, round(scores[place]))
        ranked.append(RankedUnit(units[place], score, parts))
    return ranked


def _order(units: Sequence[Candidate], scores: Sequence[float]) -> list[int]:
    """Return the places of the units with a score, best first."""
    points = [round(score) for score in scores]
    order = [place for place, score in enumerate(scores) if score]
    order.reverse()
    order.sort(key=[unit.path for unit in units].__getitem__)
    order.sort(key=[unit.date for unit in units].__getitem__, reverse=True)
    order.sort(key=points.__getitem__, reverse=True)
    return order


def _add_up(words: Sequence[float], window: Sequence[float]) -> list[float]:
    return [
        own + WINDOW_WEIGHT * around for own, around in zip(words, window, strict=True)
    ]


def _feedback_points(
    units: Sequence[Candidate],
    scores: Sequence[float],
    known: Mapping[str, float],
    layout: Layout,
    settings: RecallSettings,
) -> list[float]:
    """Return the points of the stems of feedback. A unit without a score gets none, so
    that feedback reorders hits and adds none.
    """
    weights, postings = feedback_terms(units, scores, known)
    words = unit_points(postings, weights, layout)
    window = [0.0] * len(units)
    if settings.window:
        window = window_points(postings, weights, layout)
    points = _add_up(words, window)
    return [
        added if score else 0.0 for score, added in zip(scores, points, strict=True)
    ]
