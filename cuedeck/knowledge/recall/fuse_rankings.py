"""Join of the built-in ranking with the order of another search."""

from __future__ import annotations

from collections.abc import Sequence

from cuedeck.knowledge.recall.recall_candidate import Candidate, RankedUnit
from cuedeck.text.bm25 import UNIT

_RANK_OFFSET = 60
"""Reciprocal rank fusion: Cormack, Clarke and Büttcher (2009) use 60."""


def fuse(ranked: Sequence[RankedUnit], found: Sequence[Candidate]) -> list[RankedUnit]:
    """Return the units of two rankings by reciprocal rank fusion, the built-in one
    first; of equal scores, the units of qmd are first.

    A text that occurs in both is one unit, even if the rankings name different files.
    """
    points: dict[bytes, dict[str, float]] = {}
    units: dict[bytes, RankedUnit] = {}
    for rank, candidate in enumerate(found):
        key = candidate.key
        points.setdefault(key, {"qmd": _points(rank)})
        units.setdefault(key, RankedUnit(candidate, 0, {}))
    for rank, unit in enumerate(ranked):
        key = unit.candidate.key
        points.setdefault(key, {})["builtin"] = _points(rank)
        units[key] = unit
    fused = []
    for key, unit in units.items():
        own = points[key]
        parts = {**unit.parts, **own}
        score = round(sum(own.values()))
        fused.append(unit._replace(score=score, parts=parts))
    fused.sort(key=lambda unit: -unit.score)
    return fused


def _points(rank: int) -> float:
    return round(UNIT * (_RANK_OFFSET + 1) / (_RANK_OFFSET + 1 + rank))
