"""Which files changed together so often that it is no accident."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from itertools import combinations

from cuedeck.model.commit import Commit, named_now
from cuedeck.model.diagram import Arrow

_LEAST = 3
"""Commits from which on two files are said to change together."""
_MOST = 3
"""Files one file is said to change together with."""


def cochange_arrows(
    commits: Sequence[Commit], files: Collection[str], sources: Collection[str], joined: Collection[tuple[str, str]]
) -> list[Arrow]:
    """Return an arrow between files that changed together, with the number of commits; one end is a source.

    That is in three commits at least, and in half of those that changed the rarer of the two. What is joined
    already is left away. Arrows come from what is no source, else from the first by path.
    Order: the most commits first, then by path.
    """
    alone: Counter[str] = Counter()
    both: Counter[tuple[str, str]] = Counter()
    for moved in named_now(commits, files):
        touched = sorted(path for path in moved if path in files)
        alone.update(touched)
        both.update(combinations(touched, 2))
    strong = [
        (-times, one, other)
        for (one, other), times in both.items()
        if times >= max(_LEAST, min(alone[one], alone[other]) / 2)
        and (one in sources or other in sources)
        and (one, other) not in joined
        and (other, one) not in joined
    ]
    arrows: list[Arrow] = []
    drawn: Counter[str] = Counter()
    for times, one, other in sorted(strong):
        if drawn[one] < _MOST and drawn[other] < _MOST:
            drawn.update((one, other))
            source, target = (other, one) if one in sources and other not in sources else (one, other)
            arrows.append(Arrow(source, target, "cochange", commits=-times))
    return arrows
