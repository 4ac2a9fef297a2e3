"""What a card reaches: the part of the reference graph within some links of it."""

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
"""Dead refs for which the nearest match is looked up; the rest are only listed."""

Key = tuple[str, int, int]
"""Path, first and last line: two spellings of one place are one node."""


class Step(NamedTuple):
    """One link that resolves, and where it leads."""

    link: Link
    target: Target


class Reach:
    """The subgraph around a root; each node keeps the order in which its refs are written."""

    def __init__(self, root: Target, lookup: Lookup) -> None:
        self.root = root
        self._lookup = lookup
        self._places = {key(root): root}
        self._steps: dict[Key, tuple[Step, ...]] = {}
        self._unresolved: dict[Unresolved, None] = {}
        self.entries: dict[str, None] = {}
        """Addresses of entries of ledgers that links lead to; a scene says them in its blocks, no visit shows them."""

    @property
    def unresolved(self) -> Sequence[Unresolved]:
        """Links that lead nowhere, in the order they were come upon; one in several nodes counts once."""
        return tuple(self._unresolved)

    def follow(self, source: Target, links: Iterable[tuple[Link, str]]) -> Sequence[Target]:
        """Take in what leaves `source`, as links and the files they stand in; return the targets that are new."""
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
        """Return each link between nodes as (address, address); a part that lies inside another counts as that one.

        Links of the farthest nodes are among them when they lead back, though no walk follows them.
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
    """For every place the outermost known place of its file that holds it."""

    def __init__(self, targets: Iterable[Target]) -> None:
        self._files: dict[str, list[Target]] = {}
        for target in targets:
            self._files.setdefault(target.path, []).append(target)
        self._ends: dict[str, list[int]] = {}
        for path, found in self._files.items():
            found.sort(key=lambda target: (target.start, -target.end))
            self._ends[path] = list(accumulate((target.end for target in found), max))

    def address(self, place: Key) -> str:
        # Of the places sorted by start, the first that reaches to the end of this one holds it.
        path, _, end = place
        return self._files[path][bisect_left(self._ends[path], end)].address


def key(target: Target) -> Key:
    """Return what makes a target the same place as another."""
    return target.path, target.start, target.end


def reach(root: Target, lookup: Lookup, depth: int, pinned: Sequence[str] = ()) -> Reach:
    """Follow links from `root`, at most `depth` of them in a row.

    `pinned` are refs every root has besides its own, at any depth. What does not resolve is noted once a place.
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
    """Return the links a target is responsible for: those on its lines, and its file's front-matter refs."""
    file = lookup.file(target.path)
    if file is None:
        return ()
    if target.whole:
        return file.links
    return (link for link in file.links if link.form == "refs" or target.start <= link.line <= target.end)


def _is_worth_a_visit(link: Link, target: Target) -> bool:
    """Leave out pictures and folders that prose merely points at; a ref or a pin to them is meant."""
    if target.kind == "binary":
        return link.form in ("refs", "pinned")
    return target.kind != "folder" or link.form != "markdown"
