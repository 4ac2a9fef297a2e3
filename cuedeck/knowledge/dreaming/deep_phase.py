"""Deep phase: scores candidates and chooses those that are promoted."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from cuedeck.knowledge.dreaming.light_phase import Candidate
from cuedeck.model.settings_schema import DreamSettings

FULL_RECALLS = 10
"""Recalls with the full score for frequency, which grows with their logarithm."""
FULL_QUERIES = 5
FULL_DAYS = 5
FULL_TERMS = 10
THEME_BONUS = 0.1
"""Recency that membership in a theme adds; recency is at most 1."""
MOST_OF_ONE_QUERY = 2 / 3
"""Largest share of the recalls that one query may have. A text that one query finds day
after day is the best answer to another query once by chance.
"""
_PRECISION = 4


class Signals(NamedTuple):
    """Parts of a score, each from 0 to 1."""

    relevance: float
    frequency: float
    queries: float
    recency: float
    days: float
    terms: float


@dataclass(frozen=True, slots=True)
class Scored:
    """A candidate with its score."""

    candidate: Candidate
    signals: Signals
    score: float
    """Weighted mean of the signals, from 0 to 1."""
    fault: str
    """Reason why the fact is not promoted; empty if it is."""


def choose(
    candidates: Iterable[Candidate],
    settings: DreamSettings,
    today: date,
    in_themes: Collection[str],
) -> list[Scored]:
    """Return the candidates with score and decision, best score first.

    `in_themes` contains the addresses of the facts of themes. The scores depend on the
    counts and `today` alone: no earlier night changes them.
    """
    scored: list[Scored] = []
    for candidate in candidates:
        signals = rate(candidate, settings, today, in_themes)
        score = weigh(signals, settings)
        fault = find_fault(candidate, score, settings)
        scored.append(Scored(candidate, signals, score, fault))
    scored.sort(key=lambda each: (-each.score, each.candidate.text.total.key))
    return list(_limited(scored, settings.max_promotions))


def _limited(scored: Iterable[Scored], limit: int) -> Iterable[Scored]:
    """Yield the candidates; those above the limit wait for the next night."""
    chosen = 0
    for each in scored:
        if each.fault:
            yield each
            continue
        chosen += 1
        if chosen <= limit:
            yield each
            continue
        fault = f"waits: at most {limit:,} promotions in a night"
        yield Scored(each.candidate, each.signals, each.score, fault)


def rate(
    candidate: Candidate,
    settings: DreamSettings,
    today: date,
    in_themes: Collection[str],
) -> Signals:
    """Return the signals of a candidate."""
    days = len(candidate.days)
    recency = 0.0
    if days:
        age = (today - date.fromisoformat(candidate.days[-1])).days
        recency = 0.5 ** (age / settings.half_life_days)
        if candidate.text.source in in_themes:
            recency = min(1.0, recency + THEME_BONUS)
    consolidation = 0.0
    if days > 1:
        consolidation = _share(days, FULL_DAYS)
    frequency = math.log1p(candidate.recalls) / math.log1p(FULL_RECALLS)
    return Signals(
        relevance=candidate.relevance,
        frequency=min(1.0, frequency),
        queries=_share(candidate.queries, FULL_QUERIES),
        recency=recency,
        days=consolidation,
        terms=_share(candidate.text.statement.size, FULL_TERMS),
    )


def weigh(signals: Signals, settings: DreamSettings) -> float:
    """Return the weighted mean of signals; 0 if all weights are 0."""
    weights = Signals(
        relevance=settings.weight_relevance,
        frequency=settings.weight_frequency,
        queries=settings.weight_queries,
        recency=settings.weight_recency,
        days=settings.weight_days,
        terms=settings.weight_terms,
    )
    total = sum(weights)
    if not total:
        return 0.0
    pairs = zip(weights, signals, strict=True)
    return round(sum(weight * value for weight, value in pairs) / total, _PRECISION)


def find_fault(candidate: Candidate, score: float, settings: DreamSettings) -> str:
    """Return the first threshold that a candidate misses; empty if there is none."""
    if candidate.is_promoted:
        return "already promoted"
    if candidate.recalls < settings.min_recalls:
        recalls = f"{candidate.recalls} of {settings.min_recalls} recalls"
        return f"{recalls} in {settings.max_age_days} days"
    days = len(candidate.days)
    if days < settings.min_days:
        return f"recalled on {days} of {settings.min_days} days"
    if candidate.queries < settings.min_queries:
        return f"recalled by {candidate.queries} of {settings.min_queries} queries"
    if settings.min_queries > 1 and candidate.share_of_query > MOST_OF_ONE_QUERY:
        return f"{candidate.share_of_query:.0%} of the recalls are of one query"
    if score < settings.min_score:
        return f"score {score:.2f} of {settings.min_score:.2f}"
    return ""


def _share(count: int, full: int) -> float:
    return min(1.0, count / full)
