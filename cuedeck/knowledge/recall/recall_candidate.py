"""Values that the index hands to the ranking of recall, and the ranked result."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

WINDOW = 2
"""Units before and after a unit that form its window."""


class Candidate(NamedTuple):
    """A unit that contains a stem of the query, or a neighbour of one."""

    number: int
    """Place of the unit: neighbours in one file have consecutive numbers."""
    key: bytes
    """Hash that is equal for copies of the unit."""
    stems: Sequence[str]
    """Stems of the headings above it and of its text, the name of the speaker
    included.
    """
    path: str
    date: str
    """ISO date or time, empty if the unit has none. Times are in UTC."""
    is_evergreen: bool = False
    """Whether age does not matter: curated files and docs."""
    speaker: str = ""
    session: str = ""
    is_question: bool = False
    """Whether the text asks: see `is_question` in `questions`."""
    is_reference: bool = False
    """Whether it is part of a doc or a card, which nobody asked to remember."""


class Statistics(NamedTuple):
    """Figures over all units of the index."""

    total: int
    """Number of units."""
    mean_length: float
    """Mean number of stems of a unit."""
    spread: Mapping[str, int]
    """Number of units that contain a stem; 0 for a stem that none contains."""
    newest: str
    """ISO date of the newest unit that is not in the future; empty if there is none."""


class RankedUnit(NamedTuple):
    """A unit with its score."""

    candidate: Candidate
    score: int
    parts: Mapping[str, float]
    """Points of the unit (`words`), of its window (`window`) and of feedback
    (`feedback`), and the factors.
    """


def drop_duplicates(
    ranked: Sequence[RankedUnit], wanted: Collection[str] = ()
) -> list[RankedUnit]:
    """Return the units, of copies of one unit only the newest, in the place of the
    best.

    `wanted` are the stems of the query. A newer copy is left out if the headings above
    it lack one of them that the headings above the best copy contain.
    """
    newest: dict[bytes, RankedUnit] = {}
    needed: dict[bytes, set[str]] = {}
    for unit in ranked:
        key, stems = unit.candidate.key, unit.candidate.stems
        known = newest.get(key)
        if known is None:
            newest[key] = unit
            needed[key] = set(wanted).intersection(stems)
            continue
        is_newer = unit.candidate.date > known.candidate.date
        if is_newer and needed[key].issubset(stems):
            newest[key] = _with_score(unit, known.score)
    return list(newest.values())


def _with_score(unit: RankedUnit, score: int) -> RankedUnit:
    """Return a unit with the score of an older text, and with the factor that explains
    it.
    """
    if score == unit.score or not unit.score:
        # Units of a named day without points have no factors.
        return unit._replace(score=score)
    factor = unit.parts.get("newer", 1.0) * score / unit.score
    parts = {**unit.parts, "newer": round(factor, 3)}
    return RankedUnit(unit.candidate, score, parts)
