"""The subgraph of the reference graph within a given number of links of a root."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from cuedeck.graph.resolve_ref import LEDGERS, resolve
from cuedeck.model.file import Link
from cuedeck.model.paths import CONFIG
from cuedeck.model.ports import Lookup
from cuedeck.model.scene_values import Target, Unresolved

_SUGGESTED = 100
"""Maximum dead refs for which the nearest match is searched; the rest are only listed."""

Key = tuple[str, int, int]
"""Path, first and last line; two spellings of the same place are one node."""


class Step(NamedTuple):
    """One resolved link with its target."""

    link: Link
    target: Target


class Reach:
    """The subgraph around a root; each node keeps its links in written order."""

    def __init__(self, root: Target, lookup: Lookup) -> None:
        self.root = root
        self._lookup = lookup
        self._places = {key(root): root}
        self._steps: dict[Key, tuple[Step, ...]] = {}
        self._unresolved: dict[Unresolved, None] = {}
        self.entries: dict[str, None] = {}
        """Addresses of linked ledger entries; a scene shows them in its blocks, not as visits."""

    @property
    def unresolved(self) -> Sequence[Unresolved]:
        """Unresolved links in the order of discovery; a link inside several nodes counts once."""
        return tuple(self._unresolved)

    def follow(self, source: Target, links: Iterable[tuple[Link, str]]) -> Sequence[Target]:
        """Add the links that leave `source`, each with the path of its file; return the targets not seen before."""
        steps: list[Step] = []
        new: list[Target] = []
        for link, path in links:
            target = resolve(link, path, self._lookup, suggest=len(self._unresolved) < _SUGGESTED)
            if isinstance(target, Unresolved):
                self._unresolved[target] = None
            elif target.address.startswith(LEDGERS):
                self.entries[target.address] = None
            elif key(target) != key(source) and _is_worth_a_visit(link, target):
                steps.append(Step(link, target))
                if key(target) not in self._places:
                    self._places[key(target)] = target
                    new.append(target)
        self._steps[key(source)] = tuple(steps)
        return new

    def steps(self, target: Target) -> Sequence[Step]:
        """Return the links that leave `target`, in written order."""
        return self._steps.get(key(target), ())

    def every_step(self) -> Iterator[Step]:
        """Yield every link, nearest source first."""
        return (step for steps in self._steps.values() for step in steps)

    def edges(self) -> list[tuple[str, str]]:
        """Return the links between nodes as (address, address); a part inside another node counts as that node.

        Includes links from the farthest nodes back to known nodes, although the walk does not follow them.
        """
        outer = _Outer(self._places.values())
        return [(outer.address(source), outer.address(key(step.target))) for source, step in self._closed()]

    def _closed(self) -> Iterator[tuple[Key, Step]]:
        for place, target in self._places.items():
            if place in self._steps:
                yield from ((place, step) for step in self._steps[place])
                continue
            for link in _links(target, self._lookup):
                found = resolve(link, target.path, self._lookup, suggest=False)
                if isinstance(found, Target) and key(found) in self._places and key(found) != place:
                    yield place, Step(link, found)


class _Outer:
    """Maps each place to the outermost known place of the same file that contains it."""

    def __init__(self, targets: Iterable[Target]) -> None:
        self._files: dict[str, list[Target]] = {}
        for target in targets:
            self._files.setdefault(target.path, []).append(target)
        self._ends: dict[str, list[int]] = {}
        for path, found in self._files.items():
            found.sort(key=lambda target: (target.start, -target.end))
            self._ends[path] = list(accumulate((target.end for target in found), max))

    def address(self, place: Key) -> str:
        # Places are sorted by start, so the first one that ends at or after `end` contains this place.
        path, _, end = place
        return self._files[path][bisect_left(self._ends[path], end)].address


def key(target: Target) -> Key:
    """Return the key that is equal for two targets of the same place."""
    return target.path, target.start, target.end


def reach(root: Target, lookup: Lookup, depth: int, pinned: Sequence[str] = ()) -> Reach:
    """Follow links from `root`, at most `depth` of them in a row.

    `pinned` refs are added to the links of the root, at any depth. An unresolved link is recorded once per place.
    """
    found = Reach(root, lookup)
    own = _placed(root, lookup) if depth else ()
    frontier = found.follow(root, [*own, *((Link(ref, 0, "pinned", "", True), CONFIG) for ref in pinned)])
    for _ in range(depth - 1):
        frontier = [target for source in frontier for target in found.follow(source, _placed(source, lookup))]
    return found


def _placed(target: Target, lookup: Lookup) -> Iterator[tuple[Link, str]]:
    return ((link, target.path) for link in _links(target, lookup))


def _links(target: Target, lookup: Lookup) -> Iterable[Link]:
    """Return the links on the lines of a target and the front-matter refs of its file."""
    file = lookup.file(target.path)
    if file is None:
        return ()
    if target.whole:
        return file.links
    return (link for link in file.links if link.form == "refs" or target.start <= link.line <= target.end)


def _is_worth_a_visit(link: Link, target: Target) -> bool:
    """Return whether to visit a target: images, and folders in Markdown links, only if a ref or a pin names them."""
    if target.kind == "binary":
        return link.form in ("refs", "pinned")
    return target.kind != "folder" or link.form != "markdown"
