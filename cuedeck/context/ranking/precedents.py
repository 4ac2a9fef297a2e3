"""Precedents: past commits most like the task, with the present places of the lines
that they added.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from cuedeck.context.ranking.chunk_scores import LONGEST_LINE, line_worths
from cuedeck.context.ranking.rank_files import Ranking
from cuedeck.context.ranking.signal_scores import RankingContext, ScoredCommit
from cuedeck.model.scene_values import Span
from cuedeck.text.words import terms

MOST = 3
"""Maximum number of precedents."""
_LEAST = 0.8
"""Minimum score of a precedent."""
_LEAST_WORDS = 0.1
"""Minimum share of the task's words that the message and the lines of a precedent
contain together.
"""
_TRACED = 40
"""Maximum number of commits whose lines are traced."""
_MOST_FILES = 8
"""Maximum number of files of a precedent."""
_FILE_SHARE = 0.1
"""Minimum worth of a file of a precedent, as a share of its best file."""
_MOST_SPANS = 6
"""Maximum number of line ranges of a file."""
_GAP = 3
"""Maximum number of foreign lines inside a range."""
_WIDEST = 20
"""Maximum lines of a range; a wider one does not show a place."""
_SATURATED = 2
"""Number of occurrences from which a word counts no more."""
_MEAN_TERMS = 100
"""Number of terms in the lines of a commit that are scored without a loss."""


@dataclass(frozen=True, slots=True)
class PrecedentFile:
    """A file of a precedent with the present ranges of the lines that the commit
    added.
    """

    path: str
    spans: tuple[Span, ...]
    """Ranges in the order of lines."""
    key: int
    """Number of the line most like the task."""


@dataclass(frozen=True, slots=True)
class Precedent:
    """A past commit like the task."""

    id: str
    subject: str
    files: tuple[PrecedentFile, ...]
    """The most relevant files with surviving lines, best first."""
    touched: int
    """Number of all files that the commit touched."""


_Lines = Mapping[str, Sequence[int]]
"""The present lines that a commit added, by path."""


def find_precedents(context: RankingContext, ranking: Ranking) -> tuple[Precedent, ...]:
    """Return the precedents of the task, best first."""
    memo = context.memo
    lookup = context.lookup
    chosen = memo.get(
        "precedent candidates", "", ranking, lambda: _choose(context, ranking)
    )
    paths = {path for commit in chosen for path in commit.files}
    known = [path for path in sorted(paths) if lookup.file(path) is not None]
    hashes = [(path, lookup.hash(path)) for path in known]
    inputs = (ranking, context.query, hashes)
    return memo.get("precedents", "", inputs, lambda: _find(context, chosen))


def _choose(context: RankingContext, ranking: Ranking) -> Sequence[ScoredCommit]:
    """Return the commits whose lines are traced: by their words and files."""
    worths = {each.path: each.score / ranking.most for each in ranking.candidates}
    worths.update((source.path, 1.0) for source in context.query.sources)

    def score(commit: ScoredCommit) -> float:
        files = sum(worths.get(path, 0.0) for path in commit.files)
        return 2 * commit.overlap + files / math.sqrt(1 + len(commit.files))

    ranked = sorted(context.history.commits, key=lambda commit: -score(commit))
    return [commit for commit in ranked[:_TRACED] if score(commit)]


def _find(
    context: RankingContext, chosen: Sequence[ScoredCommit]
) -> tuple[Precedent, ...]:
    words = context.query.worths["words"]
    focus = context.query.worths["focus"]
    whole_focus = sum(focus.values())
    scored: list[tuple[float, ScoredCommit, _Lines]] = []
    for commit in chosen:
        lines, found = _trace(context, commit)
        if not lines:
            continue
        share = _task_share(words, found)
        shared_focus = sum(worth for term, worth in focus.items() if term in found)
        focus_share = shared_focus / whole_focus if whole_focus else 0.0
        score = 2 * commit.overlap + 2 * share + focus_share
        if score >= _LEAST and commit.overlap + share >= _LEAST_WORDS:
            scored.append((round(score, 3), commit, lines))
    scored.sort(key=lambda each: -each[0])
    return tuple(
        _describe(context, commit, lines) for _, commit, lines in scored[:MOST]
    )


def _trace(
    context: RankingContext, commit: ScoredCommit
) -> tuple[_Lines, Mapping[str, int]]:
    """Return the present lines that a commit added, and the counts of their terms."""
    hashes = {
        path: context.lookup.hash(path)
        for path, touched in commit.files.items()
        if len(touched.added) and context.lookup.file(path) is not None
    }

    def present(path: str) -> PresentLines:
        return PresentLines(context.corpus.sums(path))

    def trace() -> tuple[_Lines, Mapping[str, int]]:
        found: dict[str, Sequence[int]] = {}
        rows: list[str] = []
        for path, content in hashes.items():
            here = context.memo.get(
                "present lines", path, content, partial(present, path)
            )
            lines = here.trace(commit.files[path].added)
            if lines:
                found[path] = lines
                text = context.texts.text(path).split("\n")
                rows += [text[line - 1][:LONGEST_LINE] for line in lines]
        return found, terms("\n".join(rows))

    return context.memo.get("traced commit", commit.commit.id, hashes, trace)


def _task_share(worths: Mapping[str, float], found: Mapping[str, int]) -> float:
    """Return the weighted share of the task's words in some lines."""
    whole = sum(worths.values())
    if not whole:
        return 0.0
    shared = 0.0
    for term, worth in worths.items():
        shared += worth * min(1.0, found.get(term, 0) / _SATURATED)
    length = sum(found.values()) / _MEAN_TERMS
    return shared / whole / math.log(math.e + length)


def _describe(
    context: RankingContext, commit: ScoredCommit, traced: _Lines
) -> Precedent:
    ranked: list[tuple[float, PrecedentFile]] = []
    for path, lines in traced.items():
        text = context.texts.text(path).split("\n")
        worths = line_worths(context, {line: text[line - 1] for line in lines})
        ranges = merge_lines(lines, worths, gap=_GAP, widest=_WIDEST)
        ranges.sort(key=lambda each: -round(each[0], 3))
        best = ranges[:_MOST_SPANS]
        spans = tuple(sorted(span for _, span in best))
        inside = {line for first, last in spans for line in range(first, last + 1)}
        shown = [line for line in lines if line in inside]
        key = max(shown, key=lambda line: round(worths[line], 3))
        total = round(sum(worth for worth, _ in best), 3)
        ranked.append((total, PrecedentFile(path, spans, key)))
    ranked.sort(key=lambda each: -each[0])
    least = ranked[0][0] * _FILE_SHARE
    files = tuple(file for worth, file in ranked[:_MOST_FILES] if worth >= least)
    return Precedent(commit.commit.id, commit.commit.subject, files, len(commit.files))


_MOST_EQUAL = 3
"""Maximum number of equal lines of a commit that are found by their number."""


class PresentLines:
    """Lines of a present file, in which the added lines of commits are looked up.

    `sums` has the `line_sum` of each line; 0 marks a line that is too short to
    identify.
    """

    def __init__(self, sums: Sequence[int]) -> None:
        self._numbers = [number for number, sum_ in enumerate(sums, 1) if sum_]
        self._sums = [sum_ for sum_ in sums if sum_]
        self._places: dict[int, list[int]] = {}
        """Indexes of each sum."""
        for place, sum_ in enumerate(self._sums):
            self._places.setdefault(sum_, []).append(place)

    def trace(self, added: Sequence[int]) -> tuple[int, ...]:
        """Return the sorted line numbers at which added lines are in the file; `added`
        has their sums in order.

        A sum that occurs equally often on both sides, at most `_MOST_EQUAL` times, is
        certain. Any other added line counts only where it continues such a line in the
        same order, so that common lines scatter no matches over the file.
        """
        wanted = [sum_ for sum_ in added if sum_]
        indexes: dict[int, list[int]] = {}
        for at, sum_ in enumerate(wanted):
            indexes.setdefault(sum_, []).append(at)
        found: dict[int, int] = {}
        """Place of each found line, by its index in `wanted`."""
        for sum_, asked in indexes.items():
            places = self._places.get(sum_, ())
            if len(places) == len(asked) <= _MOST_EQUAL:
                found.update(zip(asked, places, strict=True))
        if not found:
            return ()
        self._continue(found, wanted, 1)
        self._continue(found, wanted, -1)
        return tuple(sorted({self._numbers[place] for place in found.values()}))

    def _continue(
        self, found: dict[int, int], wanted: Sequence[int], step: int
    ) -> None:
        for at in range(len(wanted))[::step]:
            place = found.get(at - step)
            if place is None or at in found:
                continue
            place += step
            is_inside = 0 <= place < len(self._sums)
            if is_inside and self._sums[place] == wanted[at]:
                found[at] = place


def merge_lines(
    lines: Sequence[int], worths: Mapping[int, float], *, gap: int, widest: int
) -> list[tuple[float, Span]]:
    """Return ranges that cover lines with at most `gap` lines between them, each with
    the worth of its lines.

    A range wider than `widest` is cut to the window of that width with the greatest
    worth, the first of equal ones. Order: by line.
    """
    groups: list[list[int]] = []
    for line in lines:
        if groups and line - groups[-1][-1] <= gap:
            groups[-1].append(line)
        else:
            groups.append([line])
    return [_best_window(group, worths, widest) for group in groups]


def _best_window(
    group: Sequence[int], worths: Mapping[int, float], widest: int
) -> tuple[float, Span]:
    windows: list[tuple[float, Span]] = []
    for at, first in enumerate(group):
        end = bisect_left(group, first + widest)
        inside = group[at:end]
        worth = sum(worths.get(line, 0.0) for line in inside)
        windows.append((worth, (first, inside[-1])))
    return max(windows, key=lambda window: round(window[0], 6))
