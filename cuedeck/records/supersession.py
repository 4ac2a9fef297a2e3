"""Replacement map of records, from the `supersedes` key in their JSON (one id or a list).

Links within a cycle replace nothing until the cycle is broken.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from cuedeck.model.memory_record import Record

KEY = "supersedes"

Links = Mapping[str, Sequence[str]]
"""For each record id, the ids it supersedes."""


def targets_of(record: Record) -> list[str]:
    """Return the ids a record supersedes, each once; a non-string value becomes the empty id, which no record has."""
    said = record.value.get(KEY)
    if said is None:
        return []
    listed = said if isinstance(said, (list, tuple)) else [said]
    return list(dict.fromkeys(each if isinstance(each, str) else "" for each in listed))


def links_of(records: Iterable[Record]) -> Links:
    """Return the `supersedes` links of records, cycles included."""
    links: dict[str, list[str]] = {}
    for record in records:
        targets = [each for each in targets_of(record) if each]
        if targets:
            links.setdefault(record.id, []).extend(targets)
    return links


def joined(files: Iterable[Links]) -> Links:
    """Return the links of several files as one map."""
    links: dict[str, list[str]] = {}
    for file in files:
        for newer, targets in file.items():
            links.setdefault(newer, []).extend(targets)
    return links


def superseded(records: Iterable[Record]) -> dict[str, str]:
    """Return a map from each superseded id, known or not, to the last record that supersedes it; cycles are ignored."""
    return superseded_by(links_of(records))


def superseded_by(links: Links) -> dict[str, str]:
    """Return the replacement map, as `superseded`, from links."""
    ring = {each: at for at, circle in enumerate(circles_of(links)) for each in circle}
    return {older: newer for newer, older in _pairs(links) if newer not in ring or ring[newer] != ring.get(older)}


def circles_of(links: Links) -> list[list[str]]:
    """Return the ids of each cycle; cycles connected by a path, with the ids on it, count as one."""
    left = _between(_between(links), backwards=True)
    near: dict[str, list[str]] = {}
    for newer, older in _pairs(left):
        near.setdefault(newer, []).append(older)
        near.setdefault(older, []).append(newer)
    seen: set[str] = set()
    circles = []
    for start in near:
        if start not in seen:
            circle = [start]
            seen.add(start)
            for each in circle:
                circle += [step for step in dict.fromkeys(near[each]) if step not in seen]
                seen.update(near[each])
            circles.append(circle)
    return circles


def _between(links: Links, *, backwards: bool = False) -> Links:
    """Return the links without those that lead only to dead ends."""
    pairs = [(older, newer) if backwards else (newer, older) for newer, older in _pairs(links)]
    sources: dict[str, list[str]] = {}
    open_ways: dict[str, int] = {}
    for source, target in pairs:
        sources.setdefault(target, []).append(source)
        open_ways[source] = open_ways.get(source, 0) + 1
    ends = [each for each in sources if each not in open_ways]
    for end in ends:
        for source in sources.get(end, ()):
            open_ways[source] -= 1
            if not open_ways[source]:
                ends.append(source)
    dropped = set(ends)
    return _gather((newer, older) for newer, older in _pairs(links) if newer not in dropped and older not in dropped)


def _gather(pairs: Iterable[tuple[str, str]]) -> Links:
    links: dict[str, list[str]] = {}
    for newer, older in pairs:
        links.setdefault(newer, []).append(older)
    return links


def _pairs(links: Links) -> Iterator[tuple[str, str]]:
    return ((newer, older) for newer, targets in links.items() for older in targets)


def leads_to(start: str, end: str, after: Mapping[str, str]) -> bool:
    """Return whether following `after` from `start` reaches `end`."""
    seen = set()
    while start in after and start not in seen:
        seen.add(start)
        start = after[start]
        if start == end:
            return True
    return False
