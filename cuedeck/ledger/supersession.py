"""Replacement map of records, from the `supersedes` key in their JSON (one id or a
list).

Links within a cycle replace nothing until the cycle is broken.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
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
    for newer, targets in links.items():
        for older in targets:
            is_within_cycle = newer in cycle_of and cycle_of[newer] == cycle_of.get(
                older
            )
            if not is_within_cycle:
                replaced[older] = newer
    return replaced


def circles_of(links: Links) -> list[list[str]]:
    """Return the ids of each cycle; cycles with a common id count as one."""
    reached = {identity: _reached_from(identity, links) for identity in links}
    circles: list[list[str]] = []
    seen: set[str] = set()
    for start in links:
        if start in seen or start not in reached[start]:
            continue
        circle = [each for each in reached[start] if start in reached.get(each, ())]
        circles.append(circle)
        seen.update(circle)
    return circles


def _reached_from(start: str, links: Links) -> dict[str, None]:
    """Return the ids that a record supersedes, directly or not, in order."""
    found = dict.fromkeys(links.get(start, ()))
    queue = list(found)
    for current in queue:
        for each in links.get(current, ()):
            if each not in found:
                found[each] = None
                queue.append(each)
    return found


def leads_to(start: str, end: str, after: Mapping[str, str]) -> bool:
    """Return whether following `after` from `start` reaches `end`."""
    seen = set()
    while start in after and start not in seen:
        seen.add(start)
        start = after[start]
        if start == end:
            return True
    return False
