"""Taking experiences out for good: of the file and of every scene that told them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from cuedeck.app.experiences.experience_repository import LISTING, held_of
from cuedeck.records.id_prefix import pick

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace
    from cuedeck.store.memory.memory_files import MemoryFiles


def forget_experience(project: Workspace, memory: MemoryFiles, text: str) -> dict[str, Any]:
    """Take out the experience that `text` names; its record stays, and becomes none again.

    Raises: NotFound with the nearest ids, Ambiguous; Locked, StorageError.
    """
    from cuedeck.app.memory.rebuild_scenes import remake_scenes

    held = held_of(memory)
    with memory.writing() as writer:
        known = {each.id: each for each in held.read().experiences}
        identity = pick(text, list(known), "experience", LISTING)
        held.remove(writer, [identity])
    memory.changed("forget")
    return {"id": identity, "record": known[identity].record or None, "remade": list(remake_scenes(project))}


def purge(memory: MemoryFiles, record_ids: Collection[str], dry_run: bool) -> int:
    """Take out the experiences made of some records, or with these ids; return how many there are.

    An experience that another record says stays, and no longer names the ones that go as its sources.
    For who holds the lock of the memory. With `dry_run` they are only counted.
    Raises: StorageError.
    """
    from cuedeck.store.memory.memory_writer import Writer

    held = held_of(memory)
    wanted = frozenset(record_ids)
    known = held.read().experiences
    ids = [each.id for each in known if each.record in wanted or each.id in wanted]
    named = [each for each in known if each.id not in ids and not wanted.isdisjoint(each.sources)]
    if not dry_run and wanted and held.read() != ((), ()):
        held.remove(Writer(memory), ids, wanted)
        if named:
            kept = [replace(each, sources=tuple(id_ for id_ in each.sources if id_ not in wanted)) for each in named]
            held.replace(Writer(memory), [each.id for each in named], kept)
    return len(ids)
