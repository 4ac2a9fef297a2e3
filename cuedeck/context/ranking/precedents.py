"""Precedents: past commits most like the task, with the present places of the lines
that they added.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cuedeck.context.ranking.chunk_scores import order_chunks
from cuedeck.context.ranking.commit_relevance import ScoredCommit
from cuedeck.context.ranking.line_trace import PresentLines, merge_lines
from cuedeck.context.ranking.rank_files import Ranking
from cuedeck.context.ranking.signal_scores import RankingContext
from cuedeck.model.commit import Touched
from cuedeck.model.ports import Texts
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
_CHUNKED = 12
"""Number of best candidates whose passages are compared with the lines of commits."""
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
_LONGEST_LINE = 300
"""Number of characters of a line that are read."""
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
    score: float


@dataclass(frozen=True, slots=True)
class _Traced:
    """A commit with the present lines that it added, by path."""

    commit: ScoredCommit
    lines: Mapping[str, Sequence[int]]


_Worths = Mapping[str, Mapping[str, float]]
"""`Query.worths`: by `words` and `focus`, the weight of each term times its rarity."""


def find_precedents(
    context: RankingContext, ranking: Ranking, texts: Texts
) -> tuple[Precedent, ...]:
    """Return the precedents of the task, best first."""
    if not ranking.history.commits:
        return ()
    memo = context.memo
    chosen = memo.get(
        "precedent candidates", "", ranking, lambda: _choose(context, ranking)
    )
    paths = set(context.query.shown)
    for commit in chosen:
        paths.update(commit.files)
    known = [path for path in sorted(paths) if context.lookup.file(path) is not None]
    hashes = [(path, context.lookup.hash(path)) for path in known]
    inputs = (ranking, context.query, hashes)
    return memo.get(
        "precedents", "", inputs, lambda: _find(context, ranking, chosen, texts)
    )


def _choose(context: RankingContext, ranking: Ranking) -> Sequence[ScoredCommit]:
    worths = _file_worths(context, ranking)

    def score(commit: ScoredCommit) -> float:
        files = sum(worths.get(path, 0.0) for path in commit.files)
        return 2 * commit.overlap + files / math.sqrt(1 + len(commit.files))

    ranked = sorted(ranking.history.commits, key=lambda commit: -score(commit))
    return [commit for commit in ranked[:_TRACED] if score(commit)]


def _file_worths(context: RankingContext, ranking: Ranking) -> Mapping[str, float]:
    """Return the worth of the linked files."""
    worths = {each.path: each.score / ranking.most for each in ranking.candidates}
    worths.update((source.path, 1.0) for source in context.query.sources)
    return worths


def _find(
    context: RankingContext,
    ranking: Ranking,
    chosen: Sequence[ScoredCommit],
    texts: Texts,
) -> tuple[Precedent, ...]:
    worths = _file_worths(context, ranking)
    near = [source.path for source in context.query.sources]
    near += [each.path for each in ranking.candidates[:_CHUNKED]]
    places = {path: _line_places(context, ranking, path) for path in near}
    words = context.query.worths
    files = _Files(context, texts)
    whole_focus = sum(words["focus"].values())
    scored: list[tuple[float, _Traced]] = []
    for commit in chosen:
        traced = files.trace(commit)
        if not traced.lines:
            continue
        found = _count_terms(context, files, traced)
        share = _task_share(words["words"], found)
        focus = sum(worth for term, worth in words["focus"].items() if term in found)
        focus_share = focus / whole_focus if whole_focus else 0.0
        score = 2 * commit.overlap + 2 * share + focus_share
        score += _place_score(traced, places, worths)
        if score >= _LEAST and commit.overlap + share >= _LEAST_WORDS:
            scored.append((round(score, 3), traced))
    scored.sort(key=lambda each: -each[0])
    return tuple(
        _describe(score, traced, words, places, files)
        for score, traced in scored[:MOST]
    )


def _line_places(
    context: RankingContext, ranking: Ranking, path: str
) -> Mapping[int, float]:
    """Return by line the worth of its chunk: 1 in the chunk most like the task, and
    decreasing with its rank.
    """
    words = context.corpus.words(path)
    if words is None:
        return {}
    found: dict[int, float] = {}
    for rank, at in enumerate(order_chunks(context, path, words, ranking.history)):
        chunk = words.chunks[at]
        found.update(dict.fromkeys(range(chunk.start, chunk.end + 1), 1 / (1 + rank)))
    return found


class _Files:
    """Present lines of files, read once for all commits."""

    def __init__(self, context: RankingContext, texts: Texts) -> None:
        self._context = context
        self._texts = texts
        self._lines: dict[str, Sequence[str]] = {}
        self._present: dict[str, PresentLines] = {}

    def lines(self, path: str) -> Sequence[str]:
        """Return the text of each line of a file."""
        if path not in self._lines:
            self._lines[path] = self._texts.text(path).split("\n")
        return self._lines[path]

    def trace(self, commit: ScoredCommit) -> _Traced:
        """Return the present lines that a commit added."""
        found: dict[str, Sequence[int]] = {}
        for path, touched in commit.files.items():
            if len(touched.added) and self._context.lookup.file(path) is not None:
                lines = self._trace_file(commit.commit.id, path, touched)
                if lines:
                    found[path] = lines
        return _Traced(commit, found)

    def _trace_file(self, commit: str, path: str, touched: Touched) -> Sequence[int]:
        def trace() -> Sequence[int]:
            if path not in self._present:
                self._present[path] = PresentLines(self._context.corpus.sums(path))
            return self._present[path].trace(touched.added)

        content = self._context.lookup.hash(path)
        return self._context.memo.get("traced lines", (commit, path), content, trace)


def _count_terms(
    context: RankingContext, files: _Files, traced: _Traced
) -> Mapping[str, int]:

    def count() -> Mapping[str, int]:
        rows: list[str] = []
        for path, lines in traced.lines.items():
            text = files.lines(path)
            rows += [text[line - 1][:_LONGEST_LINE] for line in lines]
        return terms("\n".join(rows))

    hashes = {path: context.lookup.hash(path) for path in traced.lines}
    return context.memo.get(
        "terms of a commit",
        traced.commit.commit.id,
        hashes,
        count,
    )


def _task_share(worths: Mapping[str, float], found: Mapping[str, int]) -> float:
    """Return the weighted share of the task's words in some lines."""
    whole = sum(worths.values())
    if not whole:
        return 0.0
    share = (
        sum(
            worth * min(1.0, found.get(term, 0) / _SATURATED)
            for term, worth in worths.items()
        )
        / whole
    )
    return share / math.log(math.e + sum(found.values()) / _MEAN_TERMS)


def _place_score(
    traced: _Traced,
    places: Mapping[str, Mapping[int, float]],
    worths: Mapping[str, float],
) -> float:
    """Return how near the surviving lines are to the places that match the task
    best.
    """
    total = 0.0
    for path, lines in traced.lines.items():
        by_line = places.get(path, {})
        total += worths.get(path, 0.0) * max(
            (by_line.get(line, 0.0) for line in lines), default=0.0
        )
    return total / math.sqrt(1 + len(traced.commit.files))


def _describe(
    score: float,
    traced: _Traced,
    words: _Worths,
    places: Mapping[str, Mapping[int, float]],
    files: _Files,
) -> Precedent:
    ranked: list[tuple[float, PrecedentFile]] = []
    for path, lines in traced.lines.items():
        worths = _line_worths(files.lines(path), lines, words, places.get(path, {}))
        ranges = merge_lines(lines, worths, gap=_GAP, widest=_WIDEST)
        best = sorted(ranges, key=lambda each: -round(each[0], 3))[:_MOST_SPANS]
        spans = tuple(sorted(span for _, span in best))
        shown_lines = [
            line
            for line in lines
            if any(first <= line <= last for first, last in spans)
        ]
        key = max(shown_lines, key=lambda line: round(worths[line], 3))
        ranked.append(
            (round(sum(worth for worth, _ in best), 3), PrecedentFile(path, spans, key))
        )
    ranked.sort(key=lambda each: -each[0])
    least = ranked[0][0] * _FILE_SHARE
    files_shown = tuple(file for worth, file in ranked[:_MOST_FILES] if worth >= least)
    commit = traced.commit.commit
    touched = len(traced.commit.files)
    return Precedent(
        commit.id,
        commit.subject,
        files_shown,
        touched,
        score,
    )


def _line_worths(
    text: Sequence[str],
    lines: Sequence[int],
    words: _Worths,
    places: Mapping[int, float],
) -> Mapping[int, float]:
    """Return the worth of each line: its words of the task and of the focus, and its
    chunk.
    """
    most_task = max(words["words"].values(), default=0.0) or 1.0
    most_focus = max(words["focus"].values(), default=0.0) or 1.0
    worths: dict[int, float] = {}
    for line in lines:
        found = terms(text[line - 1][:_LONGEST_LINE])
        task = sum(words["words"].get(term, 0.0) for term in found) / most_task
        focus = sum(words["focus"].get(term, 0.0) for term in found) / most_focus
        worths[line] = min(task, 2.0) + min(focus, 2.0) + 2 * places.get(line, 0.0)
    return worths
