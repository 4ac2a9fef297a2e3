"""What a ranking heard from the workspace: where it would hear the same again, it is the same ranking."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cuedeck.graph.imports import Resolver
from cuedeck.graph.pairs import Pairs
from cuedeck.model.history import Commit
from cuedeck.model.ports import Lookup
from cuedeck.scene.related.evidence import Ground
from cuedeck.scene.related.query import Query
from cuedeck.scene.related.ranking import Ranking


@dataclass(frozen=True, slots=True)
class Heard:
    """A ranking and all that decided about it."""

    ranking: Ranking
    query: Query
    commits: Sequence[Commit]
    resolver: Resolver
    pairs: Pairs
    means: Mapping[str, float]
    asked: Mapping[str, Mapping[str, int]]
    stated: Mapping[str, object]
    """What each shown file says of imports and names."""


def take_down(ground: Ground, ranking: Ranking) -> Heard:
    """Return a ranking with what was asked for it."""
    stated = {path: _stated(ground.lookup, path) for path in ground.query.shown}
    means, asked = dict(ground.means), dict(ground.asked)
    return Heard(ranking, ground.query, ground.commits, ground.resolver, ground.pairs, means, asked, stated)


def holds(heard: Heard, ground: Ground) -> bool:
    """Tell whether a ranking made now would be the one that was made then.

    Only files that are shown may have changed since: of them nothing counts but what they import and define, and
    how many files have a word.
    """
    behind, shown = ground.warm.behind, heard.query.shown
    return (
        behind is not None
        and heard.query == ground.query
        and (heard.commits is ground.commits or heard.commits == ground.commits)
        and heard.resolver is ground.resolver
        and heard.pairs is ground.pairs
        and heard.means == ground.means
        and all(path in shown and heard.stated[path] == _stated(ground.lookup, path) for path in behind)
        and all(_alike(said, ground.corpus.postings(term), shown) for term, said in heard.asked.items())
    )


def _stated(lookup: Lookup, path: str) -> object:
    file = lookup.file(path)
    return file and (file.imports, file.roots, [(symbol.name, symbol.kind) for symbol in file.symbols])


def _alike(one: Mapping[str, int], other: Mapping[str, int], shown: frozenset[str]) -> bool:
    """Tell whether a term stands in the same files, equally often where they are not shown."""
    if one is other:
        return True
    return one.keys() == other.keys() and all(other[path] == times or path in shown for path, times in one.items())
