"""A mean and its confidence interval."""

from __future__ import annotations

import random
import statistics
from collections.abc import Iterable
from typing import NamedTuple

SEED = 7
RESAMPLES = 2_000
_PARTS = 40
"""Number of equal parts of the means; a 95 % interval omits the first and the last."""


class Interval(NamedTuple):
    """A mean with its bootstrap 95 % interval."""

    mean: float
    low: float
    high: float


def interval(values: Iterable[float | None]) -> Interval | None:
    """Return the mean of the values; None without any value."""
    known = [value for value in values if value is not None]
    if not known:
        return None
    chance = random.Random(SEED)
    size = len(known)
    means = [sum(chance.choices(known, k=size)) / size for _ in range(RESAMPLES)]
    parts = statistics.quantiles(means, n=_PARTS, method="inclusive")
    return Interval(sum(known) / size, parts[0], parts[-1])
