"""Ranking of files for a query: runs all signals, fuses their rankings and gives
reasons.
"""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from cuedeck.context.ranking.commit_relevance import CommitRelevance, commit_relevance
from cuedeck.context.ranking.rank_fusion import (
    SIGNAL_WEIGHTS,
    coarse,
    fuse,
    leading,
    ranks,
    worth,
)
from cuedeck.context.ranking.signal_scores import RankingContext, SignalScores
from cuedeck.context.ranking.structure_signals import (
    by_cochange,
    by_commits,
    by_imports,
    by_lines,
    by_session,
    by_stem,
)
from cuedeck.context.ranking.text_signals import (
    by_chunk,
    by_definition,
    by_focus,
    by_name,
    by_path,
    by_sources,
    by_text,
)

MOST = 40
"""Maximum number of ranked files; files further down were never needed."""
_DEEPEST = 300
"""Maximum rank in a signal that contributes to the fusion."""
_REASONS = 2
_WELL_REASONED = 8
"""Number of top files with two reasons; the others have one."""

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
_SESSION = {"session": by_session}
_THEN = {"cochange": by_cochange, "commits": by_commits, "lines": by_lines}
_COMMON = 0.03
"""Exponent by which the score falls with the commits of a file: files touched by every
task need more evidence.
"""
_FEW = 5
"""Number of commits that do not reduce the score."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A file that may belong to the task."""

    path: str
    score: float
    """Fused score; a file that is first in every ranking has the sum of all weights."""
    ranks: Mapping[str, int]
    """Its rank in each signal that scored it."""
    edge: str
    """The signal with the largest contribution."""
    why: str


@dataclass(frozen=True, slots=True, eq=False)
class Ranking:
    """Files that are not linked, best first, with the relevance of the commits."""

    candidates: tuple[Candidate, ...]
    history: CommitRelevance
    most: float
    """Score of a file that is first in every signal."""


@dataclass(frozen=True, slots=True)
class Placement:
    """Position of one file in the complete ranking, including files beyond the limit of
    a scene.
    """

    rank: int
    """Rank from 1; 0 for a file without a score in any signal."""
    of: int
    """Number of files with a score in any signal."""
    candidate: Candidate | None
    """Ranks and reasons; None for a file without a score in any signal."""


@dataclass(frozen=True, slots=True)
class _Fusion:
    """Results of every signal, and the fused score of each file, best first."""

    history: CommitRelevance
    found: Mapping[str, SignalScores]
    steps: Mapping[str, Mapping[str, int]]
    places: Mapping[str, Mapping[str, int]]
    scores: Mapping[str, float]


def rank(context: RankingContext) -> Ranking:
    """Rank every file that is not already shown."""
    fusion = _fuse(context)
    signals = list(_NOW)
    if context.used:
        signals += _SESSION
    if context.commits:
        signals += _THEN
    candidates = []
    for at, path in enumerate(list(fusion.scores)[:MOST]):
        reasons = _REASONS if at < _WELL_REASONED else 1
        candidates.append(_candidate(path, fusion, reasons))
    return Ranking(
        tuple(candidates),
        fusion.history,
        sum(SIGNAL_WEIGHTS.get(name, 1.0) for name in signals),
    )


@dataclass(slots=True)
class RankingCache:
    """The last ranking with its inputs, and the paths that changed since.

    A ranking reads the terms of every file. An edit of a shown file changes it only
    through the imports, the definitions and the set of terms of that file; an edit of a
    candidate also through the numbers of terms in its chunks. An edit of another file
    makes a new ranking.
    """

    ranking: Ranking | None = None
    changed: set[str] = field(default_factory=set)
    inputs: tuple[object, ...] = ()
    postings: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """Every requested term with its postings."""
    evidence: Mapping[str, object] = field(default_factory=dict)
    """Result of `_evidence` for each shown file and each candidate."""

    def note_changes(self, paths: Iterable[str] | None) -> None:
        """Remember changed, added or removed files."""
        if paths is None:
            self.ranking = None
        else:
            self.changed.update(paths)

    def rank(self, context: RankingContext) -> Ranking:
        """Return the last ranking if a new one would equal it, else a new one."""
        inputs = (context.query, context.used, context.commits, dict(context.means))
        if self.ranking is None or not self._is_valid(context, inputs):
            self.ranking = rank(context)
            self.changed = set()
            self.inputs = (*inputs, context.resolver, context.pairs)
            self.postings = dict(context.asked)
            traced = self.ranking.history.traced
            paths = {each.path for each in self.ranking.candidates} - set(traced)
            paths |= context.query.shown
            self.evidence = {
                path: _evidence(context, path, self.postings) for path in paths
            }
        return self.ranking

    def _is_valid(self, context: RankingContext, inputs: tuple[object, ...]) -> bool:
        if not self.changed <= self.evidence.keys():
            return False
        if self.inputs != (*inputs, context.resolver, context.pairs):
            return False
        for path in self.changed:
            if self.evidence[path] != _evidence(context, path, self.postings):
                return False
        for term, postings in self.postings.items():
            now = context.corpus.postings(term)
            if now is postings:
                continue
            if any((path in postings) != (path in now) for path in self.changed):
                return False
        return True


def _evidence(context: RankingContext, path: str, asked: Container[str]) -> object:
    """Return the parts of a file that a ranking reads."""
    file, words = context.lookup.file(path), context.corpus.words(path)
    if file is None:
        return None
    names = [(symbol.name, symbol.kind) for symbol in file.symbols]
    declared = (file.imports, file.roots, names)
    if path in context.query.shown or words is None:
        return declared
    counts = {term: pairs for term, pairs in words.counts.items() if term in asked}
    return declared, words.chunks, counts


def find_placement(context: RankingContext, path: str) -> Placement:
    """Return the position of `path` among all files that have a score in any signal."""
    fusion = _fuse(context)
    if path not in fusion.scores:
        return Placement(0, len(fusion.scores), None)
    place = list(fusion.scores).index(path) + 1
    return Placement(place, len(fusion.scores), _candidate(path, fusion, _REASONS))


def _fuse(context: RankingContext) -> _Fusion:
    history = commit_relevance(context)
    found: dict[str, SignalScores] = {}
    for name, ask in (_NOW | _SESSION).items():
        found[name] = ask(context)
    for name, ask_history in _THEN.items():
        found[name] = ask_history(context, history)

    known = context.corpus.lengths()
    shown = context.query.shown
    steps = {}
    for name, each in found.items():
        fit = {path: each.scores[path] for path in _fit(each.scores, known, shown)}
        steps[name] = coarse(fit)
    places = {name: ranks(each) for name, each in steps.items()}

    def share(path: str) -> float:
        # A factor that falls with the number of commits, in steps of doubling.
        return math.exp2(-_COMMON * int(math.log2(1 + history.times(path) / _FEW)))

    scores = fuse(steps, places, SIGNAL_WEIGHTS, share)
    return _Fusion(history, found, steps, places, scores)


def _fit(
    scores: Mapping[str, float], known: Mapping[str, int], shown: frozenset[str]
) -> list[str]:
    found = leading(scores, _DEEPEST + len(shown))
    return [path for path in found if path in known and path not in shown]


def _candidate(path: str, fusion: _Fusion, reasons: int) -> Candidate:
    share: dict[str, float] = {}
    for name in fusion.found:
        if path in fusion.steps[name]:
            rank_worth = worth(fusion.places[name][path], fusion.steps[name][path])
            share[name] = SIGNAL_WEIGHTS.get(name, 1.0) * rank_worth
    strongest = sorted(share, key=lambda name: -share[name])
    why = (fusion.found[name].why(path) for name in strongest)
    return Candidate(
        path,
        fusion.scores[path],
        {name: fusion.places[name][path] for name in strongest},
        strongest[0],
        "; ".join(_reasons(why, reasons)),
    )


def _reasons(reasons: Iterable[str], most: int) -> Sequence[str]:
    """Return the first `most` reasons that do not repeat the quoted words of an earlier
    one, evaluated lazily.
    """
    kept: list[str] = []
    for reason in reasons:
        words = reason[max(reason.find("`"), 0) :]
        if all(words not in other for other in kept):
            kept.append(reason)
        if len(kept) == most:
            break
    return kept
