"""Permanent deletion of experiences from the file and from every scene that shows
them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from cuedeck.knowledge.memory.rebuild_scenes import remake_scenes
from cuedeck.ledger.id_prefix import pick
from cuedeck.ledger.kinds.experience_kind import EXPERIENCE, LISTING
from cuedeck.store.cache.recall_index import remove_recall_index
from cuedeck.store.git.worktrees import places_in_worktrees
from cuedeck.store.workspace_paths import WorkspacePaths

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.ledger.records.memory_files import MemoryFiles
    from cuedeck.model.memory_record import Experience


def forget_experience(
    workspace: Workspace, memory: MemoryFiles, text: str
) -> dict[str, Any]:
    """Delete the experience with the id or id prefix `text`. Its record remains, but is
    not extracted again.

    Raises: NotFound with the nearest ids, Ambiguous; Locked, StorageError.
    """
    with memory.writing():
        known = {each.id: each for each in memory.entries(EXPERIENCE)}
        identity = pick(text, list(known), EXPERIENCE.name, LISTING)
        memory.forget(EXPERIENCE, [identity])
    memory.changed("forget")
    rebuilt = list(remake_scenes(workspace))
    return {"id": identity, "record": known[identity].record or None, "remade": rebuilt}


def count_experiences(memory: MemoryFiles, record_ids: Collection[str]) -> int:
    """Return the number of experiences that `purge` deletes. Raises: StorageError."""
    return len(list(_extracted_from(memory, record_ids)))


def purge(memory: MemoryFiles, record_ids: Collection[str]) -> None:
    """Delete the experiences with these ids or extracted from these records.

    An experience extracted from another record remains, without the deleted ids in its
    sources. Raises: Locked, StorageError.
    """
    with memory.writing():
        gone = {each.id for each in _extracted_from(memory, record_ids)}
        joined = []
        for each in memory.entries(EXPERIENCE):
            sources = tuple(one for one in each.sources if one not in record_ids)
            if each.id not in gone and sources != each.sources:
                joined.append(replace(each, sources=sources))
        memory.forget(EXPERIENCE, gone, record_ids)
        if joined:
            memory.replace(EXPERIENCE, (), joined)
    # The records were deleted before, so a new index cannot contain them.
    for place in places_in_worktrees(memory.workspace.root):
        remove_recall_index(WorkspacePaths(place).recall_index)


def _extracted_from(
    memory: MemoryFiles, record_ids: Collection[str]
) -> Iterator[Experience]:
    for each in memory.entries(EXPERIENCE):
        if each.id in record_ids or each.record in record_ids:
            yield each
