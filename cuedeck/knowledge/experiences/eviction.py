"""Select the experiences that leave a full store."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from cuedeck.model.experience import Experience
from cuedeck.model.record_categories import category_of

SHARE = 50
"""One of this many experiences is evicted at once, so that a full store is not sorted
for each new one.
"""


def select_evicted(
    experiences: Sequence[Experience], max_count: int, kept: Collection[str] = ()
) -> list[str]:
    """Return the ids to evict so that at most `max_count` stay; a few more than
    necessary, or none if there is room.

    Order: the oldest first, those of protected categories after all others, and the ids
    in `kept` last.
    """
    excess = len(experiences) - max_count
    if excess <= 0:
        return []
    ranked = []
    for each in experiences:
        is_protected = category_of(each.category).is_protected
        ranked.append((each.id in kept, is_protected, each.timestamp, each.id))
    ranked.sort()
    count = min(max(excess, max_count // SHARE, 1), len(ranked) - 1)
    return [identity for *_, identity in ranked[:count]]
