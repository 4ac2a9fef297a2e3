"""Feedback: stems that are frequent in the best units are searched, too.

Source: Rocchio, Relevance Feedback in Information Retrieval (1971), with the best units
of a first ranking as the relevant ones.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from cuedeck.knowledge.recall.recall_candidate import Candidate
from cuedeck.knowledge.recall.unit_points import Postings, find_stems, read_rarity
from cuedeck.text.words import stop_stems

_BEST = 5
"""Units that give stems."""
_STEMS = 15
"""Stems that are added."""
_WEIGHT = 0.1
"""Weight of the best of them; the stems of the query have 1."""
_MOST_COMMON = 5
"""A stem that more than one unit in five contains is left out."""
_SHORTEST = 3


def feedback_terms(
    units: Sequence[Candidate], points: Sequence[float], known: Collection[str]
) -> tuple[Mapping[str, float], Postings]:
    """Return the stems of feedback with their weights, and the units that have them.

    `points` are the scores of the units; `known` are the stems that are searched
    already. A stem is as rare as it is among the units, which needs no index.
    """
    places = sorted(range(len(units)), key=lambda at: (-points[at], -at))[:_BEST]
    seen: set[str] = set()
    for place in places:
        seen.update(units[place].stems)
    new = sorted(filter(_is_content, seen.difference(known)))
    postings = find_stems(units, new)
    gains: dict[str, float] = {}
    for stem in new:
        having = len(postings[stem])
        if having * _MOST_COMMON <= len(units):
            shared = sum(points[place] for place in places if place in postings[stem])
            gains[stem] = shared * read_rarity(having, len(units))
    gains = {stem: gain for stem, gain in gains.items() if gain}
    best = sorted(gains, key=lambda stem: (-gains[stem], stem))[:_STEMS]
    weights = {
        stem: _WEIGHT
        * gains[stem]
        / gains[best[0]]
        * read_rarity(len(postings[stem]), len(units))
        for stem in best
    }
    return weights, postings


def _is_content(stem: str) -> bool:
    return len(stem) >= _SHORTEST and stem not in stop_stems()
