"""Feedback: stems that are frequent in the best units are searched, too.

Source: Rocchio, Relevance Feedback in Information Retrieval (1971), with the best units
of a first ranking as the relevant ones.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from cuedeck.records.recall.recall_candidate import Candidate, Statistics
from cuedeck.records.recall.recall_stop_words import STOP_WORDS
from cuedeck.records.recall.term_weights import read_rarity

_BEST = 10
"""Units that give stems."""
_STEMS = 10
"""Stems that are added."""
_WEIGHT = 0.1
"""Weight of the best of them; the stems of the query have 1."""
_MOST_COMMON = 5
"""A stem that more than one unit in five contains is left out."""
_SHORTEST = 3


def feedback_weights(
    units: Sequence[Candidate],
    points: Sequence[float],
    known: Collection[str],
    statistics: Statistics,
) -> Mapping[str, float]:
    """Return the stems of feedback with their weights.

    `points` are the scores of the units; `known` are the stems that are searched
    already.
    """
    places = sorted(range(len(units)), key=lambda at: (-points[at], -units[at].number))
    rarities: dict[str, float] = {}
    gains: dict[str, float] = {}
    for place in places[:_BEST]:
        for stem in sorted(set(units[place].stems)):
            if len(stem) < _SHORTEST or stem in known or stem in STOP_WORDS:
                continue
            if stem not in rarities:
                rarities[stem] = _feedback_rarity(stem, statistics)
            gains[stem] = gains.get(stem, 0.0) + points[place] * rarities[stem]
    best = sorted(gains, key=lambda stem: (-gains[stem], stem))[:_STEMS]
    if not best or not gains[best[0]]:
        return {}
    top = gains[best[0]]
    return {stem: _WEIGHT * gains[stem] / top * rarities[stem] for stem in best}


def _feedback_rarity(stem: str, statistics: Statistics) -> float:
    having = statistics.spread.get(stem, 0)
    if having * _MOST_COMMON > statistics.total:
        return 0.0
    return read_rarity(having, statistics)
