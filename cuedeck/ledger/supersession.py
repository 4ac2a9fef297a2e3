"""Replacement map of records, from the `supersedes` key in their JSON (one id or a
list).

Links within a cycle replace nothing until the cycle is broken.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cuedeck.model.memory_record import Record

KEY = "supersedes"

Links = Mapping[str, Sequence[str]]
"""For each record id, the ids it supersedes."""


def targets_of(record: Record) -> list[str]:
    """Return the ids a record supersedes, each once; a non-string value becomes the
    empty id, which no record has.
    """
    value = record.value.get(KEY)
    if value is None:
        return []
    targets = value if isinstance(value, (list, tuple)) else [value]
    ids = [target if isinstance(target, str) else "" for target in targets]
    return list(dict.fromkeys(ids))


def links_of(records: Iterable[Record]) -> Links:
    """Return the `supersedes` links of records, cycles included."""
    links: dict[str, list[str]] = {}
    for record in records:
        targets = list(filter(None, targets_of(record)))
        if targets:
            links.setdefault(record.id, []).extend(targets)
    return links


def superseded(records: Iterable[Record]) -> dict[str, str]:
    """Return a map from each superseded id, known or not, to the last record that
    supersedes it; cycles are ignored.
    """
    return superseded_by(links_of(records))


def superseded_by(links: Links) -> dict[str, str]:
    """Return the replacement map, as `superseded`, from links."""
    cycle_of: dict[str, int] = {}
    for number, cycle in enumerate(circles_of(links)):
        cycle_of.update(dict.fromkeys(cycle, number))
    replaced: dict[str, str] = {}
    for newer, older in _pairs(links):
        is_within_cycle = newer in cycle_of and cycle_of[newer] == cycle_of.get(older)
        if not is_within_cycle:
            replaced[older] = newer
    return replaced


def circles_of(links: Links) -> list[list[str]]:
    """Return the ids of each cycle; cycles connected by a path, with the ids on it,
    count as one.
    """
    pairs = _without_dead_ends(list(_pairs(links)))
    backwards = _without_dead_ends([(older, newer) for newer, older in pairs])
    neighbours: dict[str, list[str]] = {}
    for older, newer in backwards:
        neighbours.setdefault(newer, []).append(older)
        neighbours.setdefault(older, []).append(newer)
    seen: set[str] = set()
    circles = []
    for start in neighbours:
        if start in seen:
            continue
        circle = [start]
        seen.add(start)
        for each in circle:
            circle += [
                other for other in dict.fromkeys(neighbours[each]) if other not in seen
            ]
            seen.update(neighbours[each])
        circles.append(circle)
    return circles


def _without_dead_ends(pairs: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return the (source, target) pairs without those that lead only to dead ends."""
    sources: dict[str, list[str]] = {}
    open_ways: Counter[str] = Counter()
    for source, target in pairs:
        sources.setdefault(target, []).append(source)
        open_ways[source] += 1
    ends = [target for target in sources if target not in open_ways]
    for end in ends:
        for source in sources.get(end, ()):
            open_ways[source] -= 1
            if not open_ways[source]:
                ends.append(source)
    dropped = set(ends)
    return [pair for pair in pairs if dropped.isdisjoint(pair)]


def _pairs(links: Links) -> Iterator[tuple[str, str]]:
    """Yield each link as (newer, older)."""
    for newer, targets in links.items():
        for older in targets:
            yield newer, older


def leads_to(start: str, end: str, after: Mapping[str, str]) -> bool:
    """Return whether following `after` from `start` reaches `end`."""
    seen = set()
    while start in after and start not in seen:
        seen.add(start)
        start = after[start]
        if start == end:
            return True
    return False
