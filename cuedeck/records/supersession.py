"""Who takes the place of whom, as `supersedes` in the JSON of records says: a list of ids, or one id.

In a circle nobody takes anybody's place, until it is opened.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from cuedeck.model.memory_record import Record

KEY = "supersedes"

Links = Mapping[str, Sequence[str]]
"""By id of a record: the ids it says it supersedes."""


def targets_of(record: Record) -> list[str]:
    """Return the ids a record says it supersedes, each once; what is no text is the empty id, which nobody has."""
    said = record.value.get(KEY)
    if said is None:
        return []
    listed = said if isinstance(said, (list, tuple)) else [said]
    return list(dict.fromkeys(each if isinstance(each, str) else "" for each in listed))


def links_of(records: Iterable[Record]) -> Links:
    """Return who says to supersede whom, circles included."""
    links: dict[str, list[str]] = {}
    for record in records:
        targets = [each for each in targets_of(record) if each]
        if targets:
            links.setdefault(record.id, []).extend(targets)
    return links


def joined(files: Iterable[Links]) -> Links:
    """Return the links of several files as one."""
    links: dict[str, list[str]] = {}
    for file in files:
        for newer, targets in file.items():
            links.setdefault(newer, []).extend(targets)
    return links


def superseded(records: Iterable[Record]) -> dict[str, str]:
    """Return for each id that is superseded, known or not, who does it: of several the last, in a circle nobody."""
    return superseded_by(links_of(records))


def superseded_by(links: Links) -> dict[str, str]:
    """Return what `superseded` does, from links."""
    ring = {each: at for at, circle in enumerate(circles_of(links)) for each in circle}
    return {older: newer for newer, older in _pairs(links) if newer not in ring or ring[newer] != ring.get(older)}


def circles_of(links: Links) -> list[list[str]]:
    """Return the ids of each circle, those between two joined circles included."""
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
    """Return the links without those that lead, over whatever way, to an end."""
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
    """Tell whether following `after` from `start` comes by `end`."""
    seen = set()
    while start in after and start not in seen:
        seen.add(start)
        start = after[start]
        if start == end:
            return True
    return False
