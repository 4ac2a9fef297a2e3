"""The order in which facts stay when not all of them can: by value and recency, spread over topics."""

from __future__ import annotations

from collections.abc import Sequence
from math import log2

from cuedeck.memory.compaction.fact import Fact

_RECENCY = 2.0
"""What the newest fact has over the oldest one, in steps of value."""
_REPEATED = 1.0
"""What a fact has that was said twice; up to three times it counts more."""
_SPREAD = 0.75
"""What the second fact of a topic gives away, and then each time their number doubles."""
_LONG = 500
"""Characters from which on a fact loses `_LENGTH` each time its length doubles: it stays in the place of several."""
_LENGTH = 0.5
_FINE = 1_000


def ranked(facts: Sequence[Fact]) -> list[Fact]:
    """Return the facts, the most worth keeping first."""
    days = {day: place for place, day in enumerate(sorted({fact.last for fact in facts}))}
    worth = [_worth(fact, days[fact.last] / max(1, len(days) - 1)) for fact in facts]
    order = sorted(range(len(facts)), key=lambda at: (-worth[at], *_newest_first(facts[at])))
    seen: dict[tuple[str, str], int] = {}
    score: dict[int, int] = {}
    for at in order:
        topic = (facts[at].sensitivity, facts[at].topic)
        seen[topic] = seen.get(topic, 0) + 1
        score[at] = worth[at] - round(_FINE * _SPREAD * log2(seen[topic]))
    return [facts[at] for at in sorted(order, key=lambda at: -score[at])]


def _worth(fact: Fact, recency: float) -> int:
    repeated = 1 if fact.is_joint else min(len(fact.sources) - 1, 2)
    length = log2(max(len(fact.text), _LONG) / _LONG)
    return round(_FINE * (fact.value + _REPEATED * repeated + _RECENCY * recency - _LENGTH * length))


def _newest_first(fact: Fact) -> tuple[int, str]:
    return -int(fact.last.replace("-", "")), fact.text
