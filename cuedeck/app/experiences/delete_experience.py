"""Permanent deletion of experiences from the file and from every scene that shows them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from cuedeck.app.experiences.experience_repository import LISTING, experiences_of
from cuedeck.app.memory.rebuild_scenes import remake_scenes
from cuedeck.records.id_prefix import pick
from cuedeck.store.memory.memory_writer import Writer, writing

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace
    from cuedeck.store.memory.memory_files import MemoryFiles


def forget_experience(workspace: Workspace, memory: MemoryFiles, text: str) -> dict[str, Any]:
    """Delete the experience with the id or id prefix `text`. Its record remains, but is not extracted again.

    Raises: NotFound with the nearest ids, Ambiguous; Locked, StorageError.
    """
    held = experiences_of(memory)
    with writing(memory) as writer:
        known = {each.id: each for each in held.read().experiences}
        identity = pick(text, list(known), "experience", LISTING)
        held.remove(writer, [identity])
    memory.changed("forget")
    return {"id": identity, "record": known[identity].record or None, "remade": list(remake_scenes(workspace))}


def purge(memory: MemoryFiles, record_ids: Collection[str], dry_run: bool) -> int:
    """Delete the experiences with these ids or extracted from these records; return their number.

    An experience extracted from another record remains, without the deleted ids in its sources. The caller must hold
    the lock of the memory. With `dry_run` nothing is deleted.
    Raises: StorageError.
    """
    held = experiences_of(memory)
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
