"""Permanent deletion of experiences from the file and from every scene that shows
them.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from cuedeck.knowledge.memory.rebuild_scenes import remake_scenes
from cuedeck.ledger.experiences.experience_repository import LISTING, experiences_of
from cuedeck.ledger.id_prefix import pick
from cuedeck.ledger.records.memory_writer import Writer, writing
from cuedeck.store.cache.recall_index import remove_recall_index
from cuedeck.store.git.worktrees import places_in_worktrees
from cuedeck.store.workspace_paths import WorkspacePaths

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.ledger.experiences.experience_repository import ExperienceIndex
    from cuedeck.ledger.records.memory_files import MemoryFiles
    from cuedeck.model.experience import Experience


def forget_experience(
    workspace: Workspace, memory: MemoryFiles, text: str
) -> dict[str, Any]:
    """Delete the experience with the id or id prefix `text`. Its record remains, but is
    not extracted again.

    Raises: NotFound with the nearest ids, Ambiguous; Locked, StorageError.
    """
    store = experiences_of(memory)
    with writing(memory) as writer:
        known = {each.id: each for each in store.read().experiences}
        identity = pick(text, list(known), "experience", LISTING)
        store.remove(writer, [identity])
    memory.changed("forget")
    rebuilt = list(remake_scenes(workspace))
    return {"id": identity, "record": known[identity].record or None, "remade": rebuilt}


def purge(memory: MemoryFiles, record_ids: Collection[str], dry_run: bool) -> int:
    """Delete the experiences with these ids or extracted from these records; return
    their number.

    An experience extracted from another record remains, without the deleted ids in its
    sources. The caller must hold the lock of the memory. With `dry_run` nothing is
    deleted. Raises: StorageError.
    """
    store = experiences_of(memory)
    deleted = frozenset(record_ids)
    file = store.read()
    ids = [
        each.id
        for each in file.experiences
        if not deleted.isdisjoint((each.id, each.record))
    ]
    if dry_run or not deleted:
        return len(ids)
    if file != ((), ()):
        _remove(store, memory, ids, deleted)
    # The records were deleted before, so a new index cannot contain them.
    for place in places_in_worktrees(memory.workspace.root):
        remove_recall_index(WorkspacePaths(place).recall_index)
    return len(ids)


def _remove(
    store: ExperienceIndex,
    memory: MemoryFiles,
    ids: Collection[str],
    deleted: frozenset[str],
) -> None:
    file = store.read()
    remaining = [each for each in file.experiences if each.id not in ids]
    joined = [each for each in remaining if not deleted.isdisjoint(each.sources)]
    store.remove(Writer(memory), ids, deleted)
    if joined:
        corrected = [_without_sources(each, deleted) for each in joined]
        store.replace(Writer(memory), [each.id for each in joined], corrected)


def _without_sources(experience: Experience, deleted: Collection[str]) -> Experience:
    sources = tuple(source for source in experience.sources if source not in deleted)
    return replace(experience, sources=sources)
