"""Snapshot of the workspace's own MEMORY.md: records, ids and mentions, cached while the file is unchanged."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.app.memory.file_digests import digested_file
from cuedeck.app.memory.memory_profiles import memory_of
from cuedeck.app.memory.record_lookup import file_names
from cuedeck.model.errors import ConfigurationError, StorageError
from cuedeck.model.profile import DEFAULT_PROFILE
from cuedeck.parse.timestamps import moment_of
from cuedeck.records.mention_index import MentionIndex
from cuedeck.records.name_resolution import NameResolver
from cuedeck.records.supersession import superseded_by
from cuedeck.store.memory.digest_cache import DigestsUnfinished
from cuedeck.store.memory.memory_files import PRIMARY

if TYPE_CHECKING:
    from datetime import datetime

    from cuedeck.app.workspace import Workspace
    from cuedeck.model.memory_record import Record
    from cuedeck.records.file_digest import Digested
    from cuedeck.scene.ledger_blocks import Row

_SHORTEST = 8
"""Minimal number of characters of a shortened id."""


class RecalledRecord(NamedTuple):
    """Record that mentions something visited."""

    depth: int
    """Depth of the nearest mentioned visit."""
    record: int
    """Index of the record in the list of records."""
    pieces: tuple[str, ...]
    """Facts that contain the mentions, for a record that merges several facts; empty if the whole text counts."""


class MemorySnapshot:
    """One state of MEMORY.md with derived data."""

    def __init__(self, file: Digested, meanings: NameResolver) -> None:
        self.file = file
        self.meanings = meanings
        self.told: tuple[object, Sequence[RecalledRecord], int] | None = None
        """Cached selection of the memory block: its mentions, the chosen records, and the number of those left out."""
        self.rows: dict[tuple[int, tuple[str, ...]], Row] = {}
        """Cached rows of the block without secrets, by index of the record and its pieces."""

    @cached_property
    def records(self) -> Sequence[Record]:
        """Records, oldest first."""
        return self.file.records

    @cached_property
    def ids(self) -> Sequence[str]:
        """Ids of all records, sorted."""
        return sorted(set(self.file.record_ids))

    @cached_property
    def places(self) -> Mapping[str, int]:
        """Index of the first record of each id."""
        return {identity: at for at, identity in reversed(list(enumerate(self.file.record_ids)))}

    @cached_property
    def newest(self) -> datetime | None:
        """Time of the last record that has a timestamp."""
        return next((moment for record in reversed(self.records) if (moment := moment_of(record.timestamp))), None)

    @cached_property
    def replaced(self) -> Mapping[str, str]:
        """Map from the id of each superseded record to the id of its successor."""
        return superseded_by(self.file.links)

    @cached_property
    def sayings(self) -> MentionIndex:
        """Mentions in the records that are neither superseded nor secret."""
        return MentionIndex(self.file.named(self.replaced))

    def short(self, identity: str) -> str:
        """Return the shortest unique prefix of an id, with at least eight characters."""
        at = bisect_left(self.ids, identity)
        near = (*self.ids[max(at - 1, 0) : at], *self.ids[at + 1 : at + 2])
        return identity[: max(_SHORTEST, *(_shared(identity, each) + 1 for each in near), 0)]

    def beginning(self, start: str) -> Sequence[str]:
        """Return the ids that begin with `start`, sorted."""
        first = bisect_left(self.ids, start)
        last = first
        while last < len(self.ids) and self.ids[last].startswith(start):
            last += 1
        return self.ids[first:last]

    def current_id(self, identity: str) -> str:
        """Return the id at the end of the chain of successors of a record: its own id if it is not superseded."""
        seen = {identity}
        while identity in self.replaced and self.replaced[identity] not in seen:
            identity = self.replaced[identity]
            seen.add(identity)
        return identity


def _shared(one: str, other: str) -> int:
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


class _Snapshots(dict[str, MemorySnapshot]):
    """Snapshots of MEMORY.md, by profile id."""


def load_memory_snapshot(workspace: Workspace) -> MemorySnapshot | None:
    """Return the snapshot of MEMORY.md.

    None if the file is unreadable or links outside the workspace (`doctor` reports it), or if the deadline of the
    workspace passes before it is read.
    """
    try:
        file = digested_file(workspace, memory_of(workspace), PRIMARY)
    except (ConfigurationError, StorageError, DigestsUnfinished):
        return None
    snapshots = workspace.cached(_Snapshots)
    kept = snapshots.get(DEFAULT_PROFILE)
    if kept is None or kept.file is not file:
        index = workspace.index
        meanings = NameResolver(index, workspace.corpus, lambda: index.names)
        kept = snapshots[DEFAULT_PROFILE] = MemorySnapshot(file, meanings)
    return kept


def record_ids(workspace: Workspace, start: str = "") -> Sequence[str]:
    """Return the ids of records that begin with `start`.

    The other files are read only if no id in MEMORY.md matches.

    Raises: StorageError.
    """
    kept = load_memory_snapshot(workspace)
    found = kept.beginning(start) if kept else ()
    if found or kept is None:
        return found
    memory = memory_of(workspace)
    others = (record.id for name in file_names(memory) if name != PRIMARY for record in memory.read(name).records)
    return list(dict.fromkeys(each for each in others if each.startswith(start)))
