"""Lookup of records in MEMORY.md, the daily logs and the archive."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from graphlib import CycleError, TopologicalSorter
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.ledger.id_prefix import has_long_id, pick, short_ids
from cuedeck.ledger.records.memory_files import PRIMARY, daily

if TYPE_CHECKING:
    from cuedeck.ledger.records.memory_files import MemoryFiles
    from cuedeck.model.memory_record import Record

LISTING = "cuedeck memory list"


class Found(NamedTuple):
    """Record with the files that contain it."""

    record: Record
    """Record as the first of the files contains it."""
    names: tuple[str, ...]
    """MEMORY.md first, then daily logs, then the archive."""


def file_names(memory: MemoryFiles) -> tuple[str, ...]:
    """Return the names of the files that contain records: MEMORY.md, the daily logs,
    the archive.
    """
    archive = filter(None, [memory.archive])
    return (PRIMARY, *map(daily, memory.days()), *archive)


def every_record(memory: MemoryFiles, names: Iterable[str]) -> dict[str, Found]:
    """Return the records of some files by id, in the order of first occurrence. Raises:
    StorageError.
    """
    found: dict[str, Found] = {}
    for name in names:
        for record in memory.read(name).records:
            known = found.get(record.id)
            if known is None:
                found[record.id] = Found(record, (name,))
            elif name not in known.names:
                found[record.id] = known._replace(names=(*known.names, name))
    return found


def find_record(memory: MemoryFiles, text: str) -> Found:
    """Return the record with the id `text` or with a unique id prefix `text`.

    Raises: NotFound with the nearest ids, Ambiguous, StorageError.
    """
    known = every_record(memory, file_names(memory))
    return known[pick(text, list(known), "record", LISTING)]


def with_short_ids(open_memory: Callable[[], MemoryFiles], text: str) -> str:
    """Return a text for a person, with the ids of records and experiences as short as
    they are unique. The memory is opened only for a text with ids. Raises:
    StorageError.
    """
    if not has_long_id(text):
        return text
    memory = open_memory()
    records = every_record(memory, file_names(memory))
    experiences = (entry.id for entry in memory.log("experiences").entries)
    return short_ids(text, {*records, *experiences})


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
    replaced: dict[str, str] = {}
    endless = _endless(links)
    for newer, targets in links.items():
        for older in targets:
            if newer not in endless or newer not in reached_from(older, links):
                replaced[older] = newer
    return replaced


def circles_of(links: Links) -> list[list[str]]:
    """Return the ids of each cycle; cycles with a common id count as one."""
    reached = {identity: reached_from(identity, links) for identity in _endless(links)}
    circles: list[list[str]] = []
    seen: set[str] = set()
    for start, found in reached.items():
        if start in seen or start not in found:
            continue
        circle = [each for each in found if start in reached.get(each, ())]
        circles.append(circle)
        seen.update(circle)
    return circles


def _endless(links: Links) -> dict[str, None]:
    """Return the ids whose links lead into a cycle, in order."""
    sorter = TopologicalSorter(links)
    with suppress(CycleError):
        sorter.prepare()
    endless = dict.fromkeys(links)
    while ready := sorter.get_ready():
        sorter.done(*ready)
        for identity in ready:
            endless.pop(identity, None)
    return endless


def reached_from(start: str, links: Links) -> dict[str, None]:
    """Return the ids that a record supersedes, directly or not, in order."""
    found = dict.fromkeys(links.get(start, ()))
    queue = list(found)
    for current in queue:
        for each in links.get(current, ()):
            if each not in found:
                found[each] = None
                queue.append(each)
    return found
