"""What an experience is worth, where there is no room for all."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime

from cuedeck.model.experience import Experience
from cuedeck.model.memory_record import HIGH_VALUE
from cuedeck.parse.timestamps import moment_of

SHARE = 50
"""One of so many leaves at once, so that making room costs little for each that comes."""
_HIGH = 1.0
_ENTITY = 0.1
_MOST_ENTITIES = 5
_HALF_DAYS = 90.0
"""Days after which being recent counts half."""
_DAY_SECONDS = 86_400
_DIGITS = 6


def values(experiences: Sequence[Experience]) -> list[float]:
    """Return what each is worth beside the others.

    1 for a category of high value, 0.1 for each thing it names up to five, up to 1 for being as recent as the newest,
    halved every 90 days, and its confidence, up to 1.
    """
    moments = [moment_of(each.timestamp) for each in experiences]
    newest = max((moment for moment in moments if moment is not None), default=None)
    return [_value(each, moment, newest) for each, moment in zip(experiences, moments, strict=True)]


def _value(experience: Experience, moment: datetime | None, newest: datetime | None) -> float:
    recent = 0.0
    if moment is not None and newest is not None:
        recent = 0.5 ** ((newest - moment).total_seconds() / _DAY_SECONDS / _HALF_DAYS)
    high = _HIGH if experience.category in HIGH_VALUE else 0.0
    named = _ENTITY * min(len(experience.entities), _MOST_ENTITIES)
    return round(high + named + recent + min(max(experience.confidence, 0.0), 1.0), _DIGITS)


def evicted(experiences: Sequence[Experience], most: int, kept: Collection[str] = ()) -> list[str]:
    """Return the ids that leave so that at most `most` stay: none while there is room, else a few more than must.

    Those in `kept`, which have just come, stay as long as others can go.
    Order: least worth first; of equals the older, then by id.
    """
    over = len(experiences) - most
    if over <= 0:
        return []
    worth = values(experiences)
    ranked = sorted(
        (each.id in kept, value, each.timestamp, each.id) for each, value in zip(experiences, worth, strict=True)
    )
    return [identity for _, _, _, identity in ranked[: min(max(over, most // SHARE, 1), len(ranked) - 1)]]
