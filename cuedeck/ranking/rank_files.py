"""The signals become one ranking of files, each with its ranks and its reasons."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from cuedeck.ranking.commit_relevance import CommitRelevance, commit_relevance
from cuedeck.ranking.git_signals import by_cochange, by_commits, by_lines
from cuedeck.ranking.rank_fusion import coarse, fuse, leading, ranks, worth
from cuedeck.ranking.signal_scores import RankingContext, SignalScores
from cuedeck.ranking.structure_signals import by_imports, by_stem
from cuedeck.ranking.text_signals import (
    by_chunk,
    by_definition,
    by_focus,
    by_name,
    by_path,
    by_sources,
    by_text,
)

MOST = 40
"""Files that are ranked; what stands further back was never needed."""
_DEEPEST = 300
"""Rank of a signal behind which it says nothing."""
_REASONS = 2
_WELL_REASONED = 8
"""Files from the first for which two reasons are given; the others have one."""

_NOW = {
    "path": by_path,
    "stem": by_stem,
    "defines": by_definition,
    "names": by_name,
    "text": by_text,
    "chunk": by_chunk,
    "sources": by_sources,
    "focus": by_focus,
    "imports": by_imports,
}
_THEN = {"cochange": by_cochange, "commits": by_commits, "lines": by_lines}
# Measured on the development cases: the words of the text and the lines of history find most, the card's own words
# for a file are rarely wrong. Even weights cost two hundredths of MRR and none of the recall.
_WEIGHTS = {"path": 1.5, "defines": 1.5, "text": 1.5, "chunk": 1.5, "lines": 2.0}
_COMMON = 0.03
"""How fast the score falls with the commits of a file: what every task touches needs more to belong to this one.

Two hundredths of MRR on the development cases, and one on six repositories beside them.
"""
_FEW = 5
"""Commits that say nothing of that."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A file that may belong to the task."""

    path: str
    score: float
    """Fused; a file that is first in every ranking has the sum of all weights."""
    ranks: Mapping[str, int]
    """Its rank by each signal that knows it."""
    edge: str
    """The signal that says most for it."""
    why: str


@dataclass(frozen=True, slots=True)
class Ranking:
    """The files nobody linked, best first, and what history says."""

    candidates: tuple[Candidate, ...]
    past: CommitRelevance
    most: float
    """Score of a file that stands first by every signal, those of history only where there is any."""


@dataclass(frozen=True, slots=True)
class Placement:
    """The place of one file in the whole ranking, also beyond the files that a scene looks at."""

    rank: int
    """From 1; 0 for a file that no signal knows."""
    of: int
    """Number of files that any signal knows."""
    candidate: Candidate | None
    """Its ranks and reasons; None for a file that no signal knows."""


@dataclass(frozen=True, slots=True)
class _Fusion:
    """What every signal says of the files, and the fused score of each, best first."""

    past: CommitRelevance
    found: Mapping[str, SignalScores]
    steps: Mapping[str, Mapping[str, int]]
    places: Mapping[str, Mapping[str, int]]
    scores: Mapping[str, float]


def rank(ground: RankingContext) -> Ranking:
    """Rank every file that is not shown already."""
    fusion = _fuse(ground)
    return Ranking(
        tuple(
            _candidate(path, fusion, _REASONS if at < _WELL_REASONED else 1)
            for at, path in enumerate(list(fusion.scores)[:MOST])
        ),
        fusion.past,
        sum(_WEIGHTS.get(name, 1.0) for name in (*_NOW, *(_THEN if ground.commits else ()))),
    )


def find_placement(ground: RankingContext, path: str) -> Placement:
    """Return the place of `path` among all files that any signal knows."""
    fusion = _fuse(ground)
    if path not in fusion.scores:
        return Placement(0, len(fusion.scores), None)
    place = list(fusion.scores).index(path) + 1
    return Placement(place, len(fusion.scores), _candidate(path, fusion, _REASONS))


def _fuse(ground: RankingContext) -> _Fusion:
    """Ask every signal about all files that are not shown already, and fuse the answers."""
    past = commit_relevance(ground)
    found: dict[str, SignalScores] = {name: ask(ground) for name, ask in _NOW.items()}
    found |= {name: ask(ground, past) for name, ask in _THEN.items()}
    known = ground.corpus.lengths()
    shown = ground.query.shown
    steps = {
        name: coarse({path: each.scores[path] for path in _fit(each.scores, known, shown)})
        for name, each in found.items()
    }
    places = {name: ranks(each) for name, each in steps.items()}
    scores = fuse(steps, places, _WEIGHTS, lambda path: _rareness(past.times(path)))
    return _Fusion(past, found, steps, places, scores)


def _rareness(commits: int) -> float:
    """Return from 1 downwards how little a file of so many commits is touched by all tasks; in steps of twice."""
    return math.exp2(-_COMMON * int(math.log2(1 + commits / _FEW)))


def _fit(scores: Mapping[str, float], known: Mapping[str, int], shown: frozenset[str]) -> list[str]:
    """Return the best files of a signal that may be looked for and are not shown."""
    found = leading(scores, _DEEPEST + len(shown))
    return [path for path in found if path in known and path not in shown]


def _candidate(path: str, fusion: _Fusion, reasons: int) -> Candidate:
    steps, places = fusion.steps, fusion.places
    known = [name for name in fusion.found if path in steps[name]]
    share = {name: _WEIGHTS.get(name, 1.0) * worth(places[name][path], steps[name][path]) for name in known}
    known.sort(key=lambda name: -share[name])
    return Candidate(
        path,
        fusion.scores[path],
        {name: places[name][path] for name in known},
        known[0],
        "; ".join(_reasons((fusion.found[name].why(path) for name in known), reasons)),
    )


def _reasons(said: Iterable[str], most: int) -> Sequence[str]:
    """Return the first reasons that do not say the same words twice; no more are made than needed."""
    kept: list[str] = []
    for reason in said:
        words = reason[max(reason.find("`"), 0) :]
        if all(words not in other for other in kept):
            kept.append(reason)
        if len(kept) == most:
            break
    return kept
