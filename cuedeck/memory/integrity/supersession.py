"""Records that others have taken the place of, as `supersedes` in their JSON says."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from cuedeck.memory.integrity.age import age_of
from cuedeck.memory.integrity.finding import ERROR, INFO, SUPERSEDED, Finding, set_free, shown
from cuedeck.model.record import Record

KEY = "supersedes"

Links = Mapping[str, Sequence[str]]


class Supersession(NamedTuple):
    """What is superseded, and what is wrong with it."""

    superseded: frozenset[str]
    """Ids of records that take no part any more."""
    findings: tuple[Finding, ...]


def read_supersession(records: Sequence[Record], elsewhere: Collection[str] = ()) -> Supersession:
    """Read who supersedes whom. In a circle nobody supersedes anybody, until it is opened.

    `elsewhere` are ids that are known, but of none of the records.
    """
    known = {record.id: record for record in records}
    links: dict[str, list[str]] = {}
    findings = []
    for record in records:
        if record.value.get(KEY) is not None:
            targets = _targets(record)
            links[record.id] = [each for each in targets if each in known]
            findings += [_unknown(record, each) for each in targets if each not in known and each not in elsewhere]
    circles = _circles(links)
    findings += [_circle([known[each] for each in circle]) for circle in circles]
    ring = {each: at for at, circle in enumerate(circles) for each in circle}
    superseded = frozenset(
        older for newer, older in _pairs(links) if newer not in ring or ring[newer] != ring.get(older)
    )
    return Supersession(superseded, tuple(findings))


def _targets(record: Record) -> list[str]:
    """Return the ids a record supersedes; what is no text names an id that is not there."""
    said = record.value[KEY]
    listed = said if isinstance(said, (list, tuple)) else [said]
    return list(dict.fromkeys(each if isinstance(each, str) else "" for each in listed))


def _pairs(links: Links) -> Iterator[tuple[str, str]]:
    return ((newer, older) for newer, targets in links.items() for older in targets)


def _circles(links: Links) -> list[list[str]]:
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


def _unknown(record: Record, older: str) -> Finding:
    # Only information: what is superseded may be forgotten later.
    named = "something that is no id" if not older or record.is_secret else f"`{shown(older)}`, which is not here"
    return Finding(record.id, "", SUPERSEDED, INFO, f"{shown(record.id)} supersedes {named}", set_free(record.id))


def _circle(records: Sequence[Record]) -> Finding:
    ordered = sorted(records, key=age_of)
    newest, oldest = ordered[-1].id, ordered[0].id
    if len(ordered) == 1:
        return Finding(newest, "", SUPERSEDED, ERROR, f"{shown(newest)} supersedes itself", set_free(newest))
    message = f"{shown(newest)} and {shown(oldest)} supersede each other, in a circle of {len(ordered)}"
    return Finding(newest, oldest, SUPERSEDED, ERROR, message, set_free(oldest))
