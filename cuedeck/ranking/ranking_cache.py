"""What a ranking heard from the workspace: where it would hear the same again, it is the same ranking."""

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
    """A ranking and all that decided about it."""

    ranking: Ranking
    query: Query
    commits: Sequence[Commit]
    resolver: Resolver
    pairs: Pairs
    means: Mapping[str, float]
    asked: Mapping[str, Mapping[str, int]]
    stated: Mapping[str, object]
    """What each file that is shown, or was looked at for its imports, says of imports and names."""
    lengths: Sequence[Mapping[str, int]]
    """Words of all texts and of all names, by path."""
    chunks: Mapping[str, Points]
    """What the chunks of files have of the card's words."""
    lines: Mapping[str, float]
    """What history says of the lines of files."""


def snapshot_inputs(ground: RankingContext, ranking: Ranking) -> CachedRanking:
    """Return a ranking with what was asked for it."""
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
    """Tell whether a ranking made now would be the one that was made then.

    Of a file that is shown nothing counts but what it imports and defines, and how many files have a word; of any
    other, all that a signal scores.
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
    """Tell whether a file that changed says the same to every signal, beside how often it has a word."""
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
    """Tell whether a file has any word that was asked for; how long it is counts only then."""
    return any(path in said for said in heard.asked.values())


def _stated(lookup: Lookup, path: str) -> object:
    file = lookup.file(path)
    return file and (file.imports, file.roots, [(symbol.name, symbol.kind) for symbol in file.symbols])


def _alike(one: Mapping[str, int], other: Mapping[str, int], shown: frozenset[str]) -> bool:
    """Tell whether a term stands in the same files, equally often where they are not shown."""
    if one is other:
        return True
    return one.keys() == other.keys() and all(other[path] == times or path in shown for path, times in one.items())
