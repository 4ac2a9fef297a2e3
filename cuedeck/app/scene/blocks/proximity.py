"""Distance of addresses from the root card, measured by the visits of a scene."""

from __future__ import annotations

import posixpath
from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING

from cuedeck.graph.resolve_ref import resolve
from cuedeck.model.address import split_anchor
from cuedeck.model.file import Link
from cuedeck.model.scene_values import Target

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace
    from cuedeck.model.scene_values import Visit


class VisitProximity:
    """Depth of the nearest visit of an address or a ledger entry."""

    def __init__(self, workspace: Workspace, visits: Sequence[Visit], named: Collection[str]) -> None:
        self.named = named
        """Addresses of the linked ledger entries."""
        self._workspace = workspace
        root = workspace.index.file(visits[0].path)
        self._card = root.card.id if root is not None and root.card is not None else ""
        self._visits: dict[str, list[Visit]] = {}
        for visit in visits:
            self._visits.setdefault(visit.path, []).append(visit)
        self._stems = {posixpath.basename(path).removesuffix(".md") for path in self._visits}

    def __len__(self) -> int:
        """Return the number of visits, which is greater than any depth."""
        return sum(map(len, self._visits.values()))

    @property
    def paths(self) -> Collection[str]:
        """Visited files and folders, in order."""
        return self._visits.keys()

    def depth(self, entry: str, addresses: Sequence[str], card: str = "") -> int | None:
        """Return the depth of the nearest visit that an entry concerns; None if there is none.

        An entry concerns the places that its `addresses` name, its card, and the visits that link to the entry itself.
        """
        found = [visit.depth for address in addresses for visit in self._meeting(address)]
        if card and card == self._card:
            found.append(0)
        if entry in self.named:
            found.append(1)
        return min(found, default=None)

    def depth_of(self, target: Target) -> int | None:
        """Return the depth of the nearest visit of a target; None if there is none."""
        return min((visit.depth for visit in self._at(target)), default=None)

    def _may_meet(self, address: str) -> bool:
        """Return whether an address may resolve to a visit, so that others need not be resolved.

        A bare name may belong to any file.
        """
        path = split_anchor(address)[0]
        is_bare = "/" not in path and "." not in path
        return is_bare or path.endswith("/") or posixpath.basename(path).removesuffix(".md") in self._stems

    def _meeting(self, address: str) -> Iterator[Visit]:
        if not self._may_meet(address):
            return
        target = resolve(Link(address, 0, "address", "", False), "", self._workspace.index, suggest=False)
        if not isinstance(target, Target):
            return
        if target.kind == "folder":
            for path, visits in self._visits.items():
                if path.startswith(target.path):
                    yield from visits
        yield from self._at(target)

    def _at(self, target: Target) -> Iterator[Visit]:
        for visit in self._visits.get(target.path, ()):
            if target.whole or any(start <= target.end and target.start <= end for start, end in visit.spans):
                yield visit
