"""Rank the units that a query finds.

The points of a unit are those of its own words and, in a conversation, those of the
window around it (BM25) and of feedback: stems that are frequent in the best units are
searched, too (Rocchio 1971). Factors for names, dates, phrases, questions and age
follow. Scores are integers and the same on every machine: logarithms and powers are
rounded before use, and sums have a fixed order.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from operator import attrgetter

from cuedeck.knowledge.recall.recall_candidate import (
    WINDOW,
    Candidate,
    RankedUnit,
    Statistics,
)
from cuedeck.knowledge.recall.recall_query import QueryTerm, RecallQuery
from cuedeck.model.settings_schema import RecallSettings
from cuedeck.text.bm25 import add_up, rarity
from cuedeck.text.fold_text import fold_text
from cuedeck.text.similarity import share_in
from cuedeck.text.words import stop_stems

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

Postings = Mapping[str, Mapping[int, int]]
"""Count of each stem in the texts that have it, by the place of the text."""


def rank_units(
    query: RecallQuery,
    candidates: Sequence[Candidate],
    statistics: Statistics,
    settings: RecallSettings,
    hits: Collection[int] | None = None,
) -> list[RankedUnit]:
    """Return the candidates that match the query, best first.

    `hits` are the numbers of the candidates to return; the others are only neighbours
    of them. None means all.

    A candidate matches if it or its window contains a stem of the query that is not a
    stop word. Order of equal scores: the newer first, then by path, then the later in a
    file.
    """
    units = sorted(candidates, key=attrgetter("number"))
    terms = query.terms
    if query.has_content():
        terms = query.without_stop_words().terms
    weights = _term_weights(terms, statistics)
    texts = _Texts(units, statistics.mean_length, has_window=settings.window)
    postings = _count_stems(units, weights)
    words, window = texts.points(postings, weights)
    none = [0.0] * len(units)
    parts = {"words": words, "window": window, "feedback": none}
    scores = [own + around for own, around in zip(words, window, strict=True)]
    if settings.feedback and query.has_content():
        parts["feedback"] = _feedback_points(texts, scores, weights)
        scores = list(map(sum, zip(scores, parts["feedback"], strict=True)))
    factors = score_factors(query, units, statistics, settings)
    for place, own in enumerate(factors):
        for factor in own.values():
            scores[place] *= factor
    return [
        each
        for each in _ranked(units, scores, parts, factors)
        if hits is None or each.candidate.number in hits
    ]


def _ranked(
    units: Sequence[Candidate],
    scores: Sequence[float],
    points: Mapping[str, Sequence[float]],
    factors: Sequence[Mapping[str, float]],
) -> Iterator[RankedUnit]:
    order = [place for place, score in enumerate(scores) if score]
    order.reverse()
    order.sort(key=lambda place: units[place].path)
    order.sort(key=lambda place: units[place].date, reverse=True)
    order.sort(key=lambda place: round(scores[place]), reverse=True)
    for place in order:
        parts: dict[str, float] = {}
        for name, each in points.items():
            parts[name] = round(each[place])
        parts |= factors[place]
        yield RankedUnit(units[place], max(1, round(scores[place])), parts)


class _Texts:
    """The candidates in the order of their numbers, with their windows."""

    def __init__(
        self, units: Sequence[Candidate], mean_length: float, *, has_window: bool
    ) -> None:
        self.units = units
        self._mean_length = max(mean_length, 1.0)
        self._lengths = {place: len(unit.stems) for place, unit in enumerate(units)}
        self._windows: dict[int, list[int]] = {}
        """Places in the windows of turns of conversations."""
        for place, unit in enumerate(units):
            if has_window and unit.speaker:
                self._windows[place] = list(self._window(place))

    def _window(self, place: int) -> Iterator[int]:
        unit = self.units[place]
        end = min(place + WINDOW + 1, len(self.units))
        for at in range(max(0, place - WINDOW), end):
            other = self.units[at]
            if other.path == unit.path and abs(other.number - unit.number) <= WINDOW:
                yield at

    def points(
        self, postings: Postings, weights: Mapping[str, float]
    ) -> tuple[list[float], list[float]]:
        """Return the points of each unit, and those of its window."""
        own = add_up(
            weights, postings, self._lengths, mean=self._mean_length, slope=_SLOPE
        )
        lengths = {
            place: sum(map(self._lengths.__getitem__, window))
            for place, window in self._windows.items()
        }
        counts = {stem: self._sum_windows(postings[stem]) for stem in weights}
        mean = self._mean_length * (2 * WINDOW + 1)
        around = add_up(
            weights,
            counts,
            lengths,
            mean=mean,
            slope=_SLOPE,
        )
        places = range(len(self.units))
        words = [float(own.get(place, 0)) for place in places]
        return words, [_TURN_WEIGHT * around.get(place, 0) for place in places]

    def _sum_windows(self, counts: Mapping[int, int]) -> dict[int, int]:
        sums: dict[int, int] = {}
        for place, count in counts.items():
            for member in range(place - WINDOW, place + WINDOW + 1):
                if place in self._windows.get(member, ()):
                    sums[member] = sums.get(member, 0) + count
        return sums


def _count_stems(units: Sequence[Candidate], stems: Iterable[str]) -> Postings:
    postings: dict[str, dict[int, int]] = {stem: {} for stem in stems}
    wanted = frozenset(postings)
    for place, unit in enumerate(units):
        for stem in wanted.intersection(unit.stems):
            postings[stem][place] = unit.stems.count(stem)
    return postings


def _term_weights(
    terms: Iterable[QueryTerm], statistics: Statistics
) -> dict[str, float]:
    """Return the weight of each stem times its rarity. Stems that no unit has are left
    out.
    """
    weights = {}
    for term in terms:
        having = statistics.spread[term.stem]
        if having:
            weights[term.stem] = term.weight * _rarity(having, statistics.total)
    return weights


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
    turns = [
        bool(score and unit.speaker) for unit, score in zip(units, scores, strict=True)
    ]
    if not any(turns):
        return [0.0] * len(units)
    best = sorted(range(len(units)), key=lambda at: (-scores[at], -at))[:_BEST]
    seen: set[str] = set()
    for place in best:
        seen.update(units[place].stems)
    new = seen.difference(known, stop_stems())
    postings = _count_stems(
        units, sorted(stem for stem in new if len(stem) >= _SHORTEST)
    )
    rare = {}
    gains = {}
    for stem, having in postings.items():
        rare[stem] = _rarity(len(having), len(units))
        gain = rare[stem] * sum(scores[place] for place in best if place in having)
        if gain and len(having) * _MOST_COMMON <= len(units):
            gains[stem] = gain
    chosen = sorted(gains, key=lambda stem: (-gains[stem], stem))[:_STEMS]
    weights = {}
    for stem in chosen:
        weights[stem] = _WEIGHT * rare[stem] * gains[stem] / gains[chosen[0]]
    words, window = texts.points(postings, weights)
    return [
        own + around if is_turn else 0.0
        for own, around, is_turn in zip(words, window, turns, strict=True)
    ]


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
    sets = [frozenset(unit.candidate.stems) for unit in pool]
    similar = [0.0] * len(pool)
    left = list(range(len(pool)))
    order: list[int] = []
    while left:
        values = [
            relevance_share * pool[at].score / pool[0].score
            - (1 - relevance_share) * similar[at]
            for at in left
        ]
        chosen = left.pop(values.index(max(values)))
        order.append(chosen)
        for at in left:
            similar[at] = max(similar[at], share_in(sets[at], sets[chosen]))
    return [*(pool[at] for at in order), *ranked[_POOL:]]


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


def score_factors(
    query: RecallQuery,
    units: Sequence[Candidate],
    statistics: Statistics,
    settings: RecallSettings,
) -> list[dict[str, float]]:
    """Return the factors of each unit by name; missing ones are 1."""
    named = _named_source(query, units) if settings.names else ""
    newest = None
    if settings.decay and settings.half_life_days:
        newest = _parse_day(statistics.newest)
    return [
        _factors_of(
            unit,
            query,
            settings,
            named,
            newest,
        )
        for unit in units
    ]


def _factors_of(
    unit: Candidate,
    query: RecallQuery,
    settings: RecallSettings,
    named: str,
    newest: date | None,
) -> dict[str, float]:
    factors: dict[str, float] = {}
    if named and named in (fold_text(unit.speaker), fold_text(unit.session)):
        factors["name"] = NAME
    if settings.window and unit.speaker:
        factors["turn"] = TURN
    if settings.questions and unit.is_question:
        factors["question"] = QUESTION
    if unit.is_reference:
        factors["reference"] = REFERENCE
    if any(_contains(unit.stems, phrase) for phrase in query.phrases):
        factors["phrase"] = PHRASE
    if query.since and query.since <= unit.date[:10] <= query.until:
        factors["date"] = DATE
    if newest and unit.date and not unit.is_evergreen:
        factors["age"] = _age_factor(unit.date, newest, settings.half_life_days)
    return factors


def _age_factor(day: str, newest: date, half_life_days: int) -> float:
    parsed = _parse_day(day)
    if parsed is None or parsed >= newest:
        return 1.0
    factor: float = 0.5 ** ((newest - parsed).days / half_life_days)
    return max(round(factor, 6), _LEAST)


def _named_source(query: RecallQuery, units: Sequence[Candidate]) -> str:
    """Return the one speaker or session that the query names, empty if it names none or
    several.
    """
    if not query.names:
        return ""
    sources = {unit.speaker for unit in units} | {unit.session for unit in units}
    names = set(map(fold_text, sources))
    named = [name for name in query.names if name in names]
    return named[0] if len(named) == 1 else ""


def _parse_day(text: str) -> date | None:
    try:
        return date.fromisoformat(text[:10])
    except ValueError:
        return None


def _contains(stems: Sequence[str], phrase: Sequence[str]) -> bool:
    if phrase[0] not in stems:
        return False
    size = len(phrase)
    places = range(len(stems) - size + 1)
    return any(tuple(stems[at : at + size]) == tuple(phrase) for at in places)
