"""Signals of history: what changed together, what commits like this card touched, whose lines those are."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cuedeck.model.history import Commit, Touched
from cuedeck.parse.words import terms
from cuedeck.recall.bm25 import score
from cuedeck.scene.related.evidence import Evidence, Ground, Scores

_SIMILAR = 40
"""Commits most like the card that are looked at."""
_FADING = 300
"""Commits after which one weighs half."""
_TRACED = 0.02
"""Weight from which on a commit's lines are looked for."""
_BODY = 2_000


@dataclass(frozen=True, slots=True)
class Then:
    """A commit with its files under the names they have now."""

    commit: Commit
    files: Mapping[str, Touched]
    alike: float
    """How much its message resembles the card, from 0 to 1."""
    recent: float
    """From 1 for HEAD towards 0."""


@dataclass(frozen=True, slots=True)
class Lines:
    """How much each line of the past weighs, by path and `line_sum`."""

    weights: Mapping[str, Mapping[int, float]]


def look_back(ground: Ground) -> Sequence[Then]:
    """Return the commits with what is known of them for this query, newest first."""
    alike = _resemblance(ground)
    now = ground.corpus.lengths()
    renamed: dict[str, str] = {}
    past: list[Then] = []
    for at, commit in enumerate(ground.commits):
        files: dict[str, Touched] = {}
        for touched in commit.files:
            path = touched.path
            for _ in range(9):
                if path in now or path not in renamed:
                    break
                path = renamed[path]
            files[path] = touched
        for touched in commit.files:
            if touched.before:
                renamed.setdefault(touched.before, touched.path)
        past.append(Then(commit, files, alike.get(commit.id, 0.0), 1 / (1 + at / _FADING)))
    return past


def by_cochange(ground: Ground, past: Sequence[Then]) -> Evidence:
    """Score files that changed together with a source; a commit of few files tells more."""
    scores: Scores = {}
    times: dict[str, int] = {}
    whose: dict[str, str] = {}
    for then in past:
        for source in ground.query.sources:
            if source.path not in then.files:
                continue
            worth = (0.5 + 0.5 * then.recent) / math.log2(2 + len(then.files))
            for path in then.files:
                if path != source.path:
                    scores[path] = scores.get(path, 0.0) + worth
                    times[path] = times.get(path, 0) + 1
                    whose.setdefault(path, source.path)
    return Evidence(scores, lambda path: f"changed together with `{whose[path]}` {_times(times[path])}")


def by_commits(ground: Ground, past: Sequence[Then]) -> Evidence:
    """Score files that commits like the card touched."""
    scores: Scores = {}
    first: dict[str, str] = {}
    best = sorted((then for then in past if then.alike), key=lambda then: -then.alike)[:_SIMILAR]
    for then in best:
        for path in then.files:
            worth = then.alike * (0.6 + 0.4 * then.recent) / math.sqrt(1 + len(then.files))
            scores[path] = scores.get(path, 0.0) + worth
            first.setdefault(path, then.commit.id[:7])
    return Evidence(scores, lambda path: f"touched by {first[path]}, a commit like this one")


def trace_lines(ground: Ground, past: Sequence[Then]) -> Lines:
    """Return how much lines weigh that were added by commits like the card, or with the sources."""
    sources = {source.path for source in ground.query.sources}
    weights: dict[str, dict[int, float]] = {}
    for then in past:
        if not then.files:
            continue
        worth = then.alike**2 + (0.5 * then.recent if not sources.isdisjoint(then.files) else 0.0)
        worth /= math.sqrt(len(then.files))
        if worth <= _TRACED:
            continue
        for path, touched in then.files.items():
            added = dict.fromkeys(sum_ for sum_ in touched.added if sum_)
            lines = weights.setdefault(path, {})
            for sum_ in added:
                lines[sum_] = lines.get(sum_, 0.0) + worth / math.sqrt(len(added))
    return Lines(weights)


def by_lines(ground: Ground, lines: Lines) -> Evidence:
    """Score files by the lines of such commits that are still there."""
    scores: Scores = {}
    now = ground.corpus.lengths()
    for path in sorted(lines.weights):
        if path in now and (found := sum(line_points(ground, path, lines).values())) > 0:
            scores[path] = found
    return Evidence(scores, lambda path: "holds lines that commits like this one wrote")


def line_points(ground: Ground, path: str, lines: Lines) -> dict[int, float]:
    """Return what the lines of a file weigh, by line number; a line that stands often counts its part."""
    weights = lines.weights.get(path)
    if not weights:
        return {}
    sums = ground.corpus.sums(path)
    often: dict[int, int] = {}
    for sum_ in sums:
        if sum_ in weights:
            often[sum_] = often.get(sum_, 0) + 1
    return {line: weights[sum_] / often[sum_] for line, sum_ in enumerate(sums, 1) if sum_ in often}


def _resemblance(ground: Ground) -> dict[str, float]:
    """Return how much the message of each commit resembles the card, 1 for the most."""
    postings: dict[str, dict[str, int]] = {}
    lengths: dict[str, int] = {}
    for commit in ground.commits:
        counts = terms(commit.body[:_BODY])
        for term, times in terms(commit.subject).items():
            counts[term] += 2 * times
        lengths[commit.id] = counts.total()
        for term in counts.keys() & ground.query.words.keys():
            postings.setdefault(term, {})[commit.id] = counts[term]
    points = score(ground.query.words, postings, lengths, total=len(lengths), slope=0.4)
    most = max(points.values(), default=0)
    return {name: value / most for name, value in points.items() if value > 0}


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number} times"
