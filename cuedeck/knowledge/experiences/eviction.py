"""Select the experiences that leave a full store."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime

from cuedeck.model.experience import Experience
from cuedeck.model.record_categories import category_of
from cuedeck.text.timestamps import moment_of

SHARE = 50
"""One of this many experiences is evicted at once, so that a full store is not sorted
for each new one.
"""
_PROTECTED_BONUS = 1.0
_ENTITY_BONUS = 0.1
_MAX_COUNTED_ENTITIES = 5
_HALF_LIFE_DAYS = 90.0
_SECONDS_PER_DAY = 86_400
_PRECISION = 6


def score_experiences(experiences: Sequence[Experience]) -> list[float]:
    """Return the value of each experience, in their order.

    The value is the sum of 1 for a protected category, 0.1 for each entity up to five,
    the age relative to the newest experience (1, halved every 90 days), and the
    confidence from 0 to 1.
    """
    moments = [moment_of(each.timestamp) for each in experiences]
    newest = max((moment for moment in moments if moment is not None), default=None)
    return [
        _score(each, moment, newest)
        for each, moment in zip(experiences, moments, strict=True)
    ]


def _score(
    experience: Experience, moment: datetime | None, newest: datetime | None
) -> float:
    recency = 0.0
    if moment is not None and newest is not None:
        days = (newest - moment).total_seconds() / _SECONDS_PER_DAY
        recency = 0.5 ** (days / _HALF_LIFE_DAYS)
    bonus = 0.0
    if category_of(experience.category).is_protected:
        bonus = _PROTECTED_BONUS
    entities = _ENTITY_BONUS * min(len(experience.entities), _MAX_COUNTED_ENTITIES)
    confidence = min(max(experience.confidence, 0.0), 1.0)
    return round(bonus + entities + recency + confidence, _PRECISION)


def select_evicted(
    experiences: Sequence[Experience], max_count: int, kept: Collection[str] = ()
) -> list[str]:
    """Return the ids to evict so that at most `max_count` stay; a few more than
    necessary, or none if there is room.

    The ids in `kept` are evicted last. Order: lowest value first; of equals the older,
    then by id.
    """
    excess = len(experiences) - max_count
    if excess <= 0:
        return []
    scores = score_experiences(experiences)
    ranked = sorted(
        (each.id in kept, score, each.timestamp, each.id)
        for each, score in zip(experiences, scores, strict=True)
    )
    count = min(max(excess, max_count // SHARE, 1), len(ranked) - 1)
    return [identity for _, _, _, identity in ranked[:count]]
