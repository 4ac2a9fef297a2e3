"""Permanent deletion of experiences from the file and from every scene that shows
them.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import TYPE_CHECKING

from cuedeck.knowledge.memory.rebuild_scenes import remake_scenes
from cuedeck.ledger.id_prefix import pick
from cuedeck.ledger.kinds.experience_kind import EXPERIENCE, LISTING
from cuedeck.store.cache.recall_index import remove_recall_index
from cuedeck.store.git.worktrees import places_in_worktrees
from cuedeck.store.workspace_paths import WorkspacePaths

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.ledger.records.memory_files import MemoryFiles
    from cuedeck.model.ports import Json


def forget_experience(workspace: Workspace, memory: MemoryFiles, text: str) -> Json:
    """Delete the experience with the id or id prefix `text`. Its record remains, but is
    not extracted again.

    Raises: NotFound with the nearest ids, Ambiguous; Locked, StorageError.
    """
    with memory.writing():
        known = {each.id: each for each in memory.entries(EXPERIENCE)}
        identity = pick(text, list(known), EXPERIENCE.name, LISTING)
        memory.forget(EXPERIENCE, [identity])
    rebuilt = list(remake_scenes(workspace))
    return {"id": identity, "record": known[identity].record or None, "remade": rebuilt}


def count_experiences(memory: MemoryFiles, record_ids: Collection[str]) -> int:
    """Return the number of experiences that `purge` deletes. Raises: StorageError."""
    return len(_extracted_from(memory, record_ids))


def purge(memory: MemoryFiles, record_ids: Collection[str]) -> None:
    """Delete the experiences with these ids or extracted from these records.

    An experience extracted from another record remains, without the deleted ids in its
    sources. Raises: Locked, StorageError.
    """
    with memory.writing():
        joined = []
        for each in memory.entries(EXPERIENCE):
            sources = tuple(one for one in each.sources if one not in record_ids)
            if sources != each.sources:
                joined.append(replace(each, sources=sources))
        if joined:
            memory.replace(EXPERIENCE, (), joined)
        gone = _extracted_from(memory, record_ids)
        memory.forget(EXPERIENCE, gone, record_ids)
    # The records were deleted before, so a new index cannot contain them.
    for place in places_in_worktrees(memory.workspace.root):
        remove_recall_index(WorkspacePaths(place).recall_index)


def _extracted_from(memory: MemoryFiles, record_ids: Collection[str]) -> list[str]:
    rows = memory.entries(EXPERIENCE)
    return [
        each.id for each in rows if not {each.id, each.record}.isdisjoint(record_ids)
    ]
