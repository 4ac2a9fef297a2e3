"""Cached ranking with the inputs that decide whether it is still valid."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cuedeck.graph.counterparts import Pairs
from cuedeck.graph.imports import Resolver
from cuedeck.model.commit import Commit
from cuedeck.model.ports import Lookup
from cuedeck.ranking.git_signals import line_worth
from cuedeck.ranking.rank_files import Ranking
from cuedeck.ranking.related_cache import Points
from cuedeck.ranking.signal_scores import RankingContext
from cuedeck.ranking.task_query import Query


@dataclass(frozen=True, slots=True)
class CachedRanking:
    """A ranking with all inputs that influenced it."""

    ranking: Ranking
    query: Query
    commits: Sequence[Commit]
    resolver: Resolver
    pairs: Pairs
    means: Mapping[str, float]
    asked: Mapping[str, Mapping[str, int]]
    stated: Mapping[str, object]
    """Imports and definitions of each file that is shown or whose imports were followed."""
    lengths: Sequence[Mapping[str, int]]
    """Word counts of all texts and of all names, by path."""
    chunks: Mapping[str, Points]
    """BM25 points of the chunks of each file for the words of the card."""
    lines: Mapping[str, float]
    """Total weight of the lines of each file with history."""


def snapshot_inputs(ground: RankingContext, ranking: Ranking) -> CachedRanking:
    """Return a ranking together with the inputs used for it."""
    stated = {path: _stated(ground.lookup, path) for path in (*ground.query.shown, *ground.looked_up)}
    return CachedRanking(
        ranking,
        ground.query,
        ground.commits,
        ground.resolver,
        ground.pairs,
        dict(ground.means),
        dict(ground.asked),
        stated,
        tuple(map(dict, _both(ground))),
        dict(ground.warm.chunks["words"][1]) if "words" in ground.warm.chunks else {},
        {path: line_worth(ground, ranking.past, path) for path in ranking.past.traced},
    )


def is_valid(heard: CachedRanking, ground: RankingContext) -> bool:
    """Return whether a new ranking would equal the cached one.

    For a shown file only its imports, its definitions and the set of its terms matter; for any other file, everything
    that a signal scores.
    """
    behind = ground.warm.behind
    return (
        behind is not None
        and heard.query == ground.query
        and (heard.commits is ground.commits or heard.commits == ground.commits)
        and heard.resolver is ground.resolver
        and heard.pairs is ground.pairs
        and heard.means == ground.means
        and all(_alike(said, ground.corpus.postings(term), heard.query.shown) for term, said in heard.asked.items())
        and all(_says_the_same(heard, ground, path) for path in behind)
    )


def _says_the_same(heard: CachedRanking, ground: RankingContext, path: str) -> bool:
    """Return whether a changed file still has the same inputs for every signal, except term counts."""
    if path in heard.stated and heard.stated[path] != _stated(ground.lookup, path):
        return False
    if path in heard.query.shown:
        return True
    return (
        (_lengths(heard.lengths, path) == _lengths(_both(ground), path) or not _is_scored(heard, path))
        and (path not in heard.chunks or heard.chunks[path] == ground.chunk_points(path, "words", heard.query.words))
        and (path not in heard.lines or heard.lines[path] == line_worth(ground, heard.ranking.past, path))
    )


def _both(ground: RankingContext) -> Sequence[Mapping[str, int]]:
    return ground.corpus.lengths(), ground.corpus.names()


def _lengths(both: Sequence[Mapping[str, int]], path: str) -> Sequence[int | None]:
    return [each.get(path) for each in both]


def _is_scored(heard: CachedRanking, path: str) -> bool:
    """Return whether a file contains any requested term; its length matters only then."""
    return any(path in said for said in heard.asked.values())


def _stated(lookup: Lookup, path: str) -> object:
    file = lookup.file(path)
    return file and (file.imports, file.roots, [(symbol.name, symbol.kind) for symbol in file.symbols])


def _alike(one: Mapping[str, int], other: Mapping[str, int], shown: frozenset[str]) -> bool:
    """Return whether a term occurs in the same files, with equal counts in files that are not shown."""
    if one is other:
        return True
    return one.keys() == other.keys() and all(other[path] == times or path in shown for path, times in one.items())
