"""Nearest visit of an address or a ledger entry."""

from __future__ import annotations

import posixpath
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from cuedeck.graph.resolve_ref import resolve_citation
from cuedeck.model.address import split_anchor
from cuedeck.model.entry_node import ENTRY_KINDS
from cuedeck.model.scene_values import Mentioned, Target

if TYPE_CHECKING:
    from cuedeck.model.scene_values import Unresolved, Visit
    from cuedeck.store.index import Index

_WHY = {
    "affects": "it affects {}",
    "on": "it failed on {}",
    "mentions": "it mentions {}",
    "decided_in": "it was made in {}",
    "check": "it no longer holds",
}
"""Reason for an entry in a block, by its edge to a visit."""


class VisitProximity:
    """Visits of a scene by the addresses that entries contain."""

    def __init__(
        self,
        index: Index,
        visits: Sequence[Visit],
        unresolved: Iterable[Unresolved] = (),
    ) -> None:
        self._index = index
        self._root = visits[0]
        root = index.file(self._root.path)
        self._card = root.card.id if root is not None and root.card else ""
        self._visits: dict[str, list[Visit]] = {}
        linked: dict[str, Mentioned] = {}
        for visit in visits:
            if visit.kind in ENTRY_KINDS:
                via = visit.via or ""
                edge = visit.edge or "refs"
                address = visit.address
                linked[address] = Mentioned(address, visit.depth, via, edge, visit.why)
            else:
                self._visits.setdefault(visit.path, []).append(visit)
        self.visited = frozenset(linked)
        """Addresses of the ledger entries that are visits."""
        for each in unresolved:
            if each.reason == "superseded" and each.suggestion:
                linked.setdefault(each.suggestion, self._successor(each))
        self.linked: Mapping[str, Mentioned] = linked
        """Linked ledger entries, and the successors of those that are superseded, by
        address.
        """
        self._stems = {_stem(path) for path in self._visits}

    def __len__(self) -> int:
        """Return a number greater than any depth."""
        return sum(map(len, self._visits.values())) + len(self.linked)

    @property
    def paths(self) -> Collection[str]:
        """Visited files and folders, in order."""
        return self._visits.keys()

    def of_entry(
        self, entry: str, addresses: Sequence[str], edge: str, card: str = ""
    ) -> Mentioned | None:
        """Return the relation of an entry to the nearest visit that it concerns; None
        if there is none.

        An entry concerns the places that its `addresses` name, its card, and the visits
        that link to the entry itself.
        """
        visits = [visit for each in addresses for visit in self._meeting(each)]
        found = [_relation(entry, visit, edge) for visit in visits]
        if card and card == self._card:
            found.append(self.of_root(entry, "decided_in"))
        if entry in self.linked:
            found.append(self.linked[entry])
        return min(found, key=_depth, default=None)

    def of_root(self, entry: str, edge: str) -> Mentioned:
        """Return the relation of an entry to the root card."""
        return _relation(entry, self._root, edge)

    def of_targets(
        self, entry: str, targets: Iterable[Target], edge: str
    ) -> Mentioned | None:
        """Return the relation of an entry to the nearest visit of its targets."""
        visits = filter(None, map(self.visit_of, targets))
        nearest = min(visits, key=_depth, default=None)
        return _relation(entry, nearest, edge) if nearest else None

    def visit_of(self, target: Target) -> Visit | None:
        """Return the nearest visit of a target; None if there is none."""
        return min(self._at(target), key=_depth, default=None)

    def _successor(self, superseded: Unresolved) -> Mentioned:
        """Return the relation of the entry that replaced a linked one to the visit with
        the link.
        """
        sources = self._visits.get(superseded.source, ())
        source = min(sources, key=_depth, default=self._root)
        place = f"line {superseded.line} of {superseded.source}"
        why = f"it replaced {superseded.ref}, which {place} names"
        return _relation(superseded.suggestion, source, "refs", why)

    def _may_meet(self, address: str) -> bool:
        """Return whether an address may resolve to a visit, so that others need not be
        resolved.

        A bare name may belong to any file.
        """
        path = split_anchor(address)[0]
        is_bare = "/" not in path and "." not in path
        return is_bare or path.endswith("/") or _stem(path) in self._stems

    def _meeting(self, address: str) -> Iterator[Visit]:
        if not self._may_meet(address):
            return
        target = resolve_citation(address, self._index)
        if not isinstance(target, Target):
            return
        if target.kind == "folder":
            for path, visits in self._visits.items():
                if path.startswith(target.path):
                    yield from visits
        yield from self._at(target)

    def _at(self, target: Target) -> Iterator[Visit]:
        for visit in self._visits.get(target.path, ()):
            if target.whole or any(
                start <= target.end and target.start <= end
                for start, end in visit.spans
            ):
                yield visit


def _stem(path: str) -> str:
    return posixpath.basename(path).removesuffix(".md")


def _depth(each: Mentioned | Visit) -> int:
    return each.depth


def _relation(entry: str, visit: Visit, edge: str, why: str = "") -> Mentioned:
    """Return the relation of an entry to a visit."""
    why = why or _WHY[edge].format(visit.address)
    return Mentioned(entry, visit.depth + 1, visit.address, edge, why)
