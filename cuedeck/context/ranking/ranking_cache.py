"""Cached results of ranking: a memo keyed by content, and the last ranking.

A ranking reads the terms of every file, so its inputs cannot be a key of the memo:
comparing all of them would cost as much as the workspace is large. An edit of a file
that the scene shows changes a ranking only through the imports, the definitions and the
set of terms of the file; an edit of another file makes a new ranking.
"""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from cuedeck.context.ranking.rank_files import Ranking
    from cuedeck.context.ranking.signal_scores import RankingContext
    from cuedeck.model.ports import Lookup

Value = TypeVar("Value")

_MOST = 10_000
"""Maximum results of one kind, for example of rendered nodes."""


class Memo:
    """Least recently used cache of results, each with the inputs for which it is valid.

    Inputs are compared by equality. They contain content hashes instead of paths alone,
    so nothing has to be invalidated when a file changes.
    """

    def __init__(self) -> None:
        self._kinds: defaultdict[str, OrderedDict[Hashable, tuple[object, Any]]] = (
            defaultdict(OrderedDict)
        )

    def get(
        self, kind: str, name: Hashable, inputs: object, make: Callable[[], Value]
    ) -> Value:
        """Return the result of `make` for these inputs, from the memo if the last
        inputs of `name` were equal.
        """
        results = self._kinds[kind]
        known = results.get(name)
        if known is None or known[0] != inputs:
            known = results[name] = (inputs, make())
            if len(results) > _MOST:
                results.popitem(last=False)
        results.move_to_end(name)
        value: Value = known[1]
        return value

    def forget(self, kind: str, name: Hashable) -> None:
        """Drop a result that is valid only once."""
        self._kinds[kind].pop(name, None)


@dataclass(slots=True)
class RankingCache:
    """The last ranking with its inputs, and the paths that changed since."""

    ranking: Ranking | None = None
    changed: set[str] = field(default_factory=set)
    inputs: tuple[object, ...] = ()
    postings: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """Every requested term with its postings."""
    declared: Mapping[str, object] = field(default_factory=dict)
    """Imports and definitions of each shown file."""

    def note_changes(self, paths: Iterable[str] | None) -> None:
        """Remember changed, added or removed files."""
        if paths is None:
            self.ranking = None
        else:
            self.changed.update(paths)

    def rank(
        self, context: RankingContext, make: Callable[[RankingContext], Ranking]
    ) -> Ranking:
        """Return the last ranking if a new one would equal it, else that of `make`."""
        inputs = (context.query, context.used, context.commits, dict(context.means))
        if self.ranking is None or not self._is_valid(context, inputs):
            self.ranking = make(context)
            self.changed = set()
            self.inputs = (*inputs, context.resolver, context.pairs)
            self.postings = dict(context.asked)
            self.declared = {
                path: _declared(context.lookup, path) for path in context.query.shown
            }
        return self.ranking

    def _is_valid(self, context: RankingContext, inputs: tuple[object, ...]) -> bool:
        if not self.changed <= context.query.shown:
            return False
        if self.inputs != (*inputs, context.resolver, context.pairs):
            return False
        for path in self.changed:
            if self.declared[path] != _declared(context.lookup, path):
                return False
        return all(
            postings.keys() == context.corpus.postings(term).keys()
            for term, postings in self.postings.items()
        )


def _declared(lookup: Lookup, path: str) -> object:
    file = lookup.file(path)
    if file is None:
        return None
    names = [(symbol.name, symbol.kind) for symbol in file.symbols]
    return file.imports, file.roots, names
