"""Rank the units that a query finds.

The points of a unit are those of its own words and, in a conversation, those of the
window around it (BM25) and of feedback: stems that are frequent in the best units are
searched, too (Rocchio 1971). Factors for names, dates, phrases, questions and age
follow. Scores are integers and the same on every machine: logarithms and powers are
rounded before use, and sums have a fixed order.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from operator import attrgetter
from typing import NamedTuple

from cuedeck.knowledge.recall.recall_query import RecallQuery
from cuedeck.model.entry_node import CORTEX_KIND
from cuedeck.model.recall_values import LONG_MEMORY, REFERENCES, UnitRow
from cuedeck.text.bm25 import add_up, rarity
from cuedeck.text.fold_text import fold_text
from cuedeck.text.similarity import share_in
from cuedeck.text.words import stem_key, stop_stems

WINDOW = 2
"""Units before and after a unit that form its window."""
_TURN_WEIGHT = 2.5
"""Weight of the window of a turn of a conversation, which its neighbours explain. Other
units may have nothing to do with their neighbours.
"""
_MIN_RARITY = 0.25
"""Rarity of a stem that every unit contains."""
_SLOPE = 0.9
"""Strength of length normalisation (b of BM25)."""
_BEST, _STEMS, _SHORTEST = 5, 15, 3
"""Units that give stems of feedback, stems that are added, and characters of one."""
_WEIGHT = 0.1
"""Weight of the best stem of feedback; the stems of the query have 1."""
_MOST_COMMON = 5
"""A stem that more than one unit in five contains is none of feedback."""
_POOL = 50
"""Best units that may change places for diversity; later ones keep their order."""
NAME = 1.5
"""Factor of units of the one speaker or session that the query names."""
TURN = 0.4
"""Factor of turns of conversations, whose points include those of their windows."""
PHRASE = 2.0
DATE = 3.0
"""Factor of units of the dates that the query names."""
QUESTION = 0.8
"""Factor of units that ask: the answer is in another unit."""
REFERENCE = 0.3
"""Factor of units of docs and cards, so that remembered units come first unless these
match clearly better.
"""
_LEAST = 1e-6
"""Factor of a very old unit: age never hides a unit."""
_EVERGREEN = frozenset(("user", LONG_MEMORY, "decision", "assumption", "card", "doc"))
"""Kinds of units whose age does not matter."""
_STATEMENTS = frozenset(("record", "log", LONG_MEMORY))
"""Kinds of units that are equal if their texts are, whatever the headings above them.
Those of docs, cards and the cortex tree may name the subject of a text.
"""


class Statistics(NamedTuple):
    """Figures over all units of the index."""

    total: int
    """Number of units."""
    mean_length: float
    """Mean number of stems of a unit."""
    spread: Callable[[str], int]
    """Returns the number of units that contain a stem."""
    newest: str
    """ISO date of the newest unit that is not in the future; empty if there is none."""


class RankedUnit(NamedTuple):
    """A unit with its score."""

    row: UnitRow
    score: int
    parts: Mapping[str, float]
    """Points of the unit (`words`), of its window (`window`) and of feedback
    (`feedback`), and the factors.
    """


def unit_key(row: UnitRow) -> bytes:
    """Return a hash that is equal for copies of a unit."""
    return row.key if row.kind in _STATEMENTS else stem_key(row.stems)


def rank_units(
    query: RecallQuery,
    rows: Iterable[UnitRow],
    statistics: Statistics,
    half_life_days: int = 0,
    hits: Collection[int] | None = None,
) -> list[RankedUnit]:
    """Return the units that match the query, best first.

    `hits` are the numbers of the units to return; the others are only neighbours of
    them. None means all.

    A unit matches if it or its window contains a stem of the query that is not a stop
    word. Order of equal scores: the newer first, then by path, then the later in a
    file.
    """
    units = sorted(rows, key=attrgetter("number"))
    texts = _Texts(units, statistics.mean_length)
    weights = {}
    for term in query.searched():
        having = statistics.spread(term.stem)
        if having:
            weights[term.stem] = term.weight * _rarity(having, statistics.total)
    words, window = texts.points(weights)
    scores = [own + around for own, around in zip(words, window, strict=True)]
    feedback = [0.0] * len(units)
    if query.has_content():
        feedback = _feedback_points(texts, scores, weights)
        scores = list(map(sum, zip(scores, feedback, strict=True)))
    named = _named_source(query, units)
    newest = _parse_day(statistics.newest) if half_life_days else None
    found = []
    for place, unit in enumerate(units):
        score = scores[place]
        if not score:
            continue
        if hits is not None and unit.number not in hits:
            continue
        factors = _factors_of(unit, query, named)
        if newest is not None and not _is_evergreen(unit):
            day = _parse_day(unit.date)
            if day is not None:
                age = (newest - day).days
                factors["age"] = _age_factor(age, half_life_days)
        for factor in factors.values():
            score *= factor
        parts: dict[str, float] = {
            "words": round(words[place]),
            "window": round(window[place]),
            "feedback": round(feedback[place]),
        }
        rounded = max(1, round(score))
        found.append(RankedUnit(unit, rounded, parts | factors))
    found.sort(key=lambda each: (each.row.path, -each.row.number))
    found.sort(key=lambda each: (each.score, each.row.date), reverse=True)
    return found


class _Texts:
    """The units in the order of their numbers, with their windows."""

    def __init__(self, units: Sequence[UnitRow], mean_length: float) -> None:
        self.units = units
        self._mean_length = max(mean_length, 1.0)
        self._lengths = {place: len(unit.stems) for place, unit in enumerate(units)}
        self._windows: dict[int, list[int]] = {}
        """Places in the windows of turns of conversations."""
        for place, unit in enumerate(units):
            if unit.speaker:
                self._windows[place] = list(self._window(place))

    def _window(self, place: int) -> Iterator[int]:
        unit = self.units[place]
        start = max(0, place - WINDOW)
        end = min(place + WINDOW + 1, len(self.units))
        for at in range(start, end):
            other = self.units[at]
            distance = abs(other.number - unit.number)
            if other.path == unit.path and distance <= WINDOW:
                yield at

    def counts(self, stems: Iterable[str]) -> dict[str, dict[int, int]]:
        """Return the count of each stem in the units that have it, by their places."""
        postings: dict[str, dict[int, int]] = {stem: {} for stem in stems}
        wanted = frozenset(postings)
        for place, unit in enumerate(self.units):
            for stem in wanted.intersection(unit.stems):
                postings[stem][place] = unit.stems.count(stem)
        return postings

    def points(self, weights: Mapping[str, float]) -> tuple[list[float], list[float]]:
        """Return the points of each unit, and those of its window."""
        counts = self.counts(weights)
        mean = self._mean_length
        own = add_up(weights, counts, self._lengths, mean=mean, slope=_SLOPE)
        lengths = {}
        sums: dict[str, dict[int, int]] = {stem: {} for stem in weights}
        for place, window in self._windows.items():
            lengths[place] = sum(self._lengths[at] for at in window)
            for stem, having in counts.items():
                total = sum(having.get(at, 0) for at in window)
                if total:
                    sums[stem][place] = total
        mean *= 2 * WINDOW + 1
        around = add_up(weights, sums, lengths, mean=mean, slope=_SLOPE)
        words = []
        windows = []
        for place in range(len(self.units)):
            words.append(float(own.get(place, 0)))
            windows.append(_TURN_WEIGHT * around.get(place, 0))
        return words, windows


def _rarity(having: int, total: int) -> float:
    return max(rarity(having, max(total, having)), _MIN_RARITY)


def _feedback_points(
    texts: _Texts, scores: Sequence[float], known: Collection[str]
) -> list[float]:
    """Return the points of the stems of feedback, for turns of conversations alone.

    `known` are the stems that are searched already. A stem is as rare as it is among
    the units, which needs no index. A turn without points gets none, so that feedback
    reorders hits and adds none.
    """
    units = texts.units
    points = [0.0] * len(units)
    turns = []
    for place, unit in enumerate(units):
        if scores[place] and unit.speaker:
            turns.append(place)
    if not turns:
        return points
    ordered = sorted(range(len(units)), key=lambda at: (-scores[at], -at))
    best = ordered[:_BEST]
    seen: set[str] = set()
    for place in best:
        seen.update(units[place].stems)
    new = seen.difference(known, stop_stems())
    long = sorted(stem for stem in new if len(stem) >= _SHORTEST)
    rare = {}
    gains = {}
    for stem, having in texts.counts(long).items():
        if len(having) * _MOST_COMMON > len(units):
            continue
        total = sum(scores[place] for place in best if place in having)
        rare[stem] = _rarity(len(having), len(units))
        gain = rare[stem] * total
        if gain:
            gains[stem] = gain
    chosen = sorted(gains, key=lambda stem: (-gains[stem], stem))[:_STEMS]
    most = max(gains.values(), default=0.0)
    weights = {}
    for stem in chosen:
        gain = _WEIGHT * rare[stem] * gains[stem]
        weights[stem] = gain / most
    words, window = texts.points(weights)
    for place in turns:
        points[place] = words[place] + window[place]
    return points


def _factors_of(unit: UnitRow, query: RecallQuery, named: str) -> dict[str, float]:
    factors: dict[str, float] = {}
    if named and named in (fold_text(unit.speaker), fold_text(unit.session)):
        factors["name"] = NAME
    if unit.speaker:
        factors["turn"] = TURN
    if unit.is_question:
        factors["question"] = QUESTION
    is_resource = unit.kind == CORTEX_KIND and not unit.category
    if is_resource or unit.kind in REFERENCES:
        factors["reference"] = REFERENCE
    # A stem contains no blank.
    stems = f" {' '.join(unit.stems)} "
    if any(f" {' '.join(phrase)} " in stems for phrase in query.phrases):
        factors["phrase"] = PHRASE
    if query.since and query.since <= unit.date[:10] <= query.until:
        factors["date"] = DATE
    return factors


def _is_evergreen(unit: UnitRow) -> bool:
    if unit.kind == CORTEX_KIND:
        return not unit.id
    return unit.kind in _EVERGREEN or bool(unit.is_evergreen)


def _age_factor(days: int, half_life_days: int) -> float:
    factor: float = 0.5 ** (max(days, 0) / half_life_days)
    return max(round(factor, 6), _LEAST)


def _named_source(query: RecallQuery, units: Sequence[UnitRow]) -> str:
    """Return the one speaker or session that the query names, empty if it names none or
    several.
    """
    if not query.names:
        return ""
    names = set()
    for unit in units:
        names.add(fold_text(unit.speaker))
        names.add(fold_text(unit.session))
    named = [name for name in query.names if name in names]
    return named[0] if len(named) == 1 else ""


def _parse_day(text: str) -> date | None:
    try:
        return date.fromisoformat(text[:10])
    except ValueError:
        return None


def drop_duplicates(
    ranked: Sequence[RankedUnit], wanted: Collection[str] = ()
) -> list[RankedUnit]:
    """Return the units, of copies of one unit only the newest, in the place and with
    the score of the best.

    `wanted` are the stems of the query. A newer copy is left out if the headings above
    it lack one of them that the headings above the best copy contain.
    """
    newest: dict[bytes, RankedUnit] = {}
    needed: dict[bytes, set[str]] = {}
    for unit in ranked:
        row = unit.row
        key = unit_key(row)
        known = newest.setdefault(key, unit)
        shared = set(wanted).intersection(row.stems)
        lacking = needed.setdefault(key, shared) - shared
        if row.date > known.row.date and not lacking:
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
    parts = dict(unit.parts)
    parts["newer"] = round(factor, 3)
    return RankedUnit(unit.row, score, parts)


def diversify(ranked: Sequence[RankedUnit], relevance_share: float) -> list[RankedUnit]:
    """Return the units in an order that moves repetitions of better ones down.

    Maximal marginal relevance: each place goes to the unit with the largest difference
    of its relevance and its similarity to the units before it. Relevance is the share
    of the best score, similarity the share of stems that a better unit has.

    Source: Carbonell and Goldstein, The Use of MMR (1998).
    """
    pool = list(ranked[:_POOL])
    if len(pool) < 3:
        return list(ranked)
    sets = [frozenset(unit.row.stems) for unit in pool]
    similar = [0.0] * len(pool)
    left = list(range(len(pool)))
    order: list[int] = []
    while left:
        values = []
        for at in left:
            relevance = relevance_share * pool[at].score / pool[0].score
            repetition = (1 - relevance_share) * similar[at]
            values.append(relevance - repetition)
        best = values.index(max(values))
        chosen = left.pop(best)
        order.append(chosen)
        for at in left:
            shared = share_in(sets[at], sets[chosen])
            similar[at] = max(similar[at], shared)
    diverse = [pool[at] for at in order]
    return [*diverse, *ranked[_POOL:]]
