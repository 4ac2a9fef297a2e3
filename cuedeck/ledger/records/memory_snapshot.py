"""Snapshot of the workspace's own memory: records of MEMORY.md, facts of LONGMEMORY.md,
ids and mentions.

It is cached while both files are unchanged. A fact counts as a record older than those
of MEMORY.md: its position is negative.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import islice, takewhile
from posixpath import commonprefix
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.ledger.mention_index import MentionIndex, names_of
from cuedeck.ledger.name_resolution import NameResolver
from cuedeck.ledger.records.long_memory_file import long_memory_facts
from cuedeck.ledger.records.memory_files import PRIMARY, memory_of
from cuedeck.ledger.records.record_lookup import every_record, file_names, superseded
from cuedeck.model.errors import ConfigurationError, StorageError
from cuedeck.model.paths import DEFAULT_PROFILE
from cuedeck.text.timestamps import moment_of

if TYPE_CHECKING:
    from datetime import datetime

    from cuedeck.engine.workspace import Workspace
    from cuedeck.ledger.records.record_file import RecordFile
    from cuedeck.model.memory_record import Record

_SHORTEST = 8
"""Minimal number of characters of a shortened id."""


class RecalledRecord(NamedTuple):
    """Record that mentions something visited."""

    depth: int
    """Distance from the root: one more than the depth of the nearest mentioned visit.
    """
    record: int
    """Index of the record in the list of records."""
    pieces: tuple[str, ...]
    """Facts that contain the mentions, for a record that merges several facts; empty if
    the whole text counts.
    """
    via: str
    """Address of the nearest mentioned visit."""


class MemorySnapshot:
    """One state of the memory with derived data."""

    def __init__(
        self, file: RecordFile, facts: Sequence[Record], resolver: NameResolver
    ) -> None:
        self.file = file
        self.facts = facts
        """Facts of LONGMEMORY.md, oldest first; the id of each is the mark of its first
        source.
        """
        self.resolver = resolver

    @cached_property
    def records(self) -> Sequence[Record]:
        """Records of MEMORY.md, oldest first."""
        return self.file.records

    def record(self, position: int) -> Record:
        """Return the record at a position; the facts have negative positions."""
        return (
            self.records[position]
            if position >= 0
            else self.facts[position + len(self.facts)]
        )

    @cached_property
    def ids(self) -> Sequence[str]:
        """Ids of all records and facts, sorted."""
        return sorted(self.places)

    @cached_property
    def places(self) -> Mapping[str, int]:
        """Position of the first record or fact of each id."""
        places: dict[str, int] = {}
        for at, record in enumerate(self.records):
            places.setdefault(record.id, at)
        for at, fact in enumerate(self.facts, -len(self.facts)):
            places.setdefault(fact.id, at)
        return places

    @cached_property
    def newest(self) -> datetime | None:
        """Time of the last record that has a timestamp."""
        moments = (moment_of(record.timestamp) for record in reversed(self.records))
        return next(filter(None, moments), None)

    @cached_property
    def replaced(self) -> Mapping[str, str]:
        """Map from the id of each superseded record to the id of its successor."""
        return superseded(self.records)

    @cached_property
    def mentions(self) -> MentionIndex:
        """Mentions in the facts, and in the records that are neither superseded nor
        secret.
        """
        in_facts = names_of(self.facts, first=-len(self.facts))
        return MentionIndex([*in_facts, *names_of(self.records, self.replaced)])

    def short(self, identity: str) -> str:
        """Return the shortest unique prefix of an id, with at least eight
        characters.
        """
        at = bisect_left(self.ids, identity)
        before = self.ids[max(at - 1, 0) : at]
        after = self.ids[at + 1 : at + 2]
        length = _SHORTEST
        for other in (*before, *after):
            common = commonprefix((identity, other))
            length = max(length, len(common) + 1)
        return identity[:length]

    def ids_with_prefix(self, start: str) -> Sequence[str]:
        """Return the ids that begin with `start`, sorted."""
        first = bisect_left(self.ids, start)
        following = islice(self.ids, first, None)
        return list(takewhile(lambda identity: identity.startswith(start), following))

    def current_id(self, identity: str) -> str:
        """Return the id at the end of the chain of successors of a record: its own id
        if it is not superseded.
        """
        seen = {identity}
        while identity in self.replaced and self.replaced[identity] not in seen:
            identity = self.replaced[identity]
            seen.add(identity)
        return identity


class _Snapshots(dict[str, MemorySnapshot]):
    """Snapshots of MEMORY.md, by profile id."""


def load_memory_snapshot(workspace: Workspace) -> MemorySnapshot | None:
    """Return the snapshot of the memory.

    None if the file is unreadable or links outside the workspace (`doctor` reports it).
    """
    try:
        memory = memory_of(workspace)
        file = memory.primary
        facts = long_memory_facts(memory)
    except (ConfigurationError, StorageError):
        return None
    snapshots = workspace.cached(_Snapshots)
    cached = snapshots.get(DEFAULT_PROFILE)
    if cached is None or cached.file is not file or cached.facts is not facts:
        index = workspace.index
        resolver = NameResolver(index, workspace.corpus, lambda: index.names)
        cached = snapshots[DEFAULT_PROFILE] = MemorySnapshot(file, facts, resolver)
    return cached


def record_ids(workspace: Workspace, start: str = "") -> Sequence[str]:
    """Return the ids of records that begin with `start`.

    The other files are read only if no id in MEMORY.md matches.

    Raises: StorageError.
    """
    snapshot = load_memory_snapshot(workspace)
    if snapshot is None:
        return ()
    found = snapshot.ids_with_prefix(start)
    if found:
        return found
    memory = memory_of(workspace)
    others = [name for name in file_names(memory) if name != PRIMARY]
    return [
        identity
        for identity in every_record(memory, others)
        if identity.startswith(start)
    ]
