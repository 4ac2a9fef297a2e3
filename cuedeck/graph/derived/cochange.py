"""Co-change edges: files that often change in the same commits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from itertools import combinations

from cuedeck.model.commit import Commit, named_now
from cuedeck.model.diagram import Arrow

_LEAST = 3
"""Minimum common commits of two files."""
_MOST = 3
"""Maximum co-change arrows per file."""


def cochange_arrows(
    commits: Sequence[Commit], files: Collection[str], sources: Collection[str], joined: Collection[tuple[str, str]]
) -> list[Arrow]:
    """Return an arrow between files that changed together, with the number of commits; at least one end is a source.

    Two files qualify if they share three commits and half of the commits of the less often changed one. Pairs in
    `joined` are omitted. Arrows start at the file that is not a source, else at the first one by path.

    Order: most commits first, then by path.
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
