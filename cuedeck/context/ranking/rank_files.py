"""Ranking of files for a query: runs all signals, fuses their rankings and gives
reasons.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

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
    Place,
    by_chunk,
    by_definition,
    by_focus,
    by_name,
    by_path,
    by_sources,
    by_text,
    fuse,
    leading,
    place,
)

MOST = 40
"""Maximum number of ranked files; files further down were never needed."""
_DEEPEST = 300
"""Maximum rank in a signal that contributes to the fusion."""
_REASONS = 2
_WELL_REASONED = 8
"""Number of top files with two reasons; the others have one."""
_COMMON = 0.03
"""Exponent by which the score falls with the commits of a file: files touched by every
task need more evidence.
"""
_FEW = 5
"""Number of commits that do not reduce the score."""


class Signal(NamedTuple):
    """One way to score files."""

    score: Callable[[RankingContext], SignalScores]
    weight: float
    label: str
    """Short description, for the map of a scene."""


SIGNALS: Mapping[str, Signal] = {
    "path": Signal(by_path, 1.5, "words in its path"),
    "stem": Signal(by_stem, 1.0, "similar name"),
    "defines": Signal(by_definition, 1.5, "defines a name in the task"),
    "names": Signal(by_name, 1.0, "words in its definitions"),
    "text": Signal(by_text, 1.5, "words in its text"),
    "chunk": Signal(by_chunk, 1.5, "words close together"),
    "sources": Signal(by_sources, 1.0, "words of linked files"),
    "focus": Signal(by_focus, 1.0, "words of linked passages"),
    "imports": Signal(by_imports, 1.0, "imports"),
    "session": Signal(by_session, 2.0, "used in this session"),
    "cochange": Signal(by_cochange, 1.0, "changed together"),
    "commits": Signal(by_commits, 1.0, "similar commits"),
    "lines": Signal(by_lines, 2.0, "similar commits"),
}
_WEIGHTS = {name: each.weight for name, each in SIGNALS.items()}
_OF_HISTORY = {"cochange", "commits", "lines"}


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
    """Files that are not linked, best first."""

    candidates: tuple[Candidate, ...]
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

    found: Mapping[str, SignalScores]
    places: Mapping[str, Mapping[str, Place]]
    scores: Mapping[str, float]

    def candidate(self, path: str, reasons: int) -> Candidate:
        """Return a scored file with the first reasons that do not repeat the quoted
        words of an earlier one.
        """
        placed = {
            name: each[path] for name, each in self.places.items() if path in each
        }
        worths = {name: _WEIGHTS[name] * placed[name].worth for name in placed}
        strongest = sorted(placed, key=lambda name: -worths[name])
        why: list[str] = []
        for name in strongest:
            reason = self.found[name].why(path)
            words = reason[max(reason.find("`"), 0) :]
            if all(words not in other for other in why):
                why.append(reason)
            if len(why) == reasons:
                break
        ranks = {name: placed[name].rank for name in strongest}
        score = self.scores[path]
        return Candidate(path, score, ranks, strongest[0], "; ".join(why))


def rank(context: RankingContext) -> Ranking:
    """Rank every file that is not already shown."""
    fusion = _fuse(context)
    unused = set() if context.used else {"session"}
    if not context.commits:
        unused |= _OF_HISTORY
    most = sum(_WEIGHTS[name] for name in SIGNALS if name not in unused)
    candidates = []
    for at, path in enumerate(list(fusion.scores)[:MOST]):
        reasons = _REASONS if at < _WELL_REASONED else 1
        candidates.append(fusion.candidate(path, reasons))
    return Ranking(tuple(candidates), most)


def find_placement(context: RankingContext, path: str) -> Placement:
    """Return the position of `path` among all files that have a score in any signal."""
    fusion = _fuse(context)
    total = len(fusion.scores)
    if path not in fusion.scores:
        return Placement(0, total, None)
    at = list(fusion.scores).index(path) + 1
    return Placement(at, total, fusion.candidate(path, _REASONS))


def _fuse(context: RankingContext) -> _Fusion:
    known = context.corpus.lengths()
    shown = context.query.shown
    found: dict[str, SignalScores] = {}
    places: dict[str, Mapping[str, Place]] = {}
    for name, signal in SIGNALS.items():
        context.pause()
        found[name] = signal.score(context)
        scores = found[name].scores
        best = leading(scores, _DEEPEST + len(shown))
        others = (path for path in best if path in known and path not in shown)
        places[name] = place({path: scores[path] for path in others})

    def share(path: str) -> float:
        # A factor that falls with the number of commits, in steps of doubling.
        times = len(context.history.touches.get(path, ()))
        doublings = int(math.log2(1 + times / _FEW))
        return math.exp2(-_COMMON * doublings)

    return _Fusion(found, places, fuse(places, _WEIGHTS, share))


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
    asked: Sequence[str] = ()
    """Every requested term."""
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
        inputs = (
            context.query,
            context.used,
            context.commits,
            context.means,
            context.resolver,
            context.pairs,
        )
        is_valid = inputs == self.inputs and self.changed <= self.evidence.keys()
        if self.ranking is None or not is_valid or not self._has_evidence(context):
            self.ranking = rank(context)
            self.changed = set()
            self.inputs = inputs
            self.asked = list(context.asked)
            # The places of their lines are not part of the evidence.
            traced = context.history.weights.keys()
            paths = {each.path for each in self.ranking.candidates} - traced
            self.evidence = {
                path: _evidence(context, path, self.asked)
                for path in paths | context.query.shown
            }
        return self.ranking

    def _has_evidence(self, context: RankingContext) -> bool:
        return all(
            _evidence(context, path, self.asked) == self.evidence[path]
            for path in self.changed
        )


def _evidence(context: RankingContext, path: str, asked: Sequence[str]) -> object:
    """Return the parts of a file that a ranking reads."""
    file = context.lookup.file(path)
    words = context.corpus.words(path)
    if file is None:
        return None
    names = [(symbol.name, symbol.kind) for symbol in file.symbols]
    having = [term for term in asked if path in context.postings(term)]
    declared = (file.imports, file.roots, names, having)
    if path in context.query.shown or words is None:
        return declared
    counts = {term: words.counts[term] for term in asked if term in words.counts}
    return declared, words.chunks, counts
