"""Storage of the changed files in the index of recall, in one transaction."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from typing import TYPE_CHECKING

from cuedeck.knowledge.recall.update_file import (
    fault_note,
    update_cortex_files,
    update_file,
)
from cuedeck.model.errors import Stale, StorageError
from cuedeck.store.cache.recall_index_writer import write_index

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.knowledge.recall.recall_sources import Change
    from cuedeck.store.cache.recall_index import FileState, RecallIndex
    from cuedeck.store.cache.recall_index_writer import RecallWriter


def store_changes(
    workspace: Workspace,
    index: RecallIndex,
    changes: Sequence[Change],
    of_cortex: Sequence[Change],
    find_gone: Callable[[Mapping[str, FileState]], Set[str]],
) -> list[str]:
    """Read changed files into the index and remove missing ones; return notes about
    files that cannot be read.

    `of_cortex` are the changed files of the cortex tree, `changes` the others;
    `find_gone` returns the paths of states whose files no longer exist.
    """
    with write_index(index) as writer:
        # Another process may have changed the index before this transaction began.
        states = index.files()
        for path in sorted(find_gone(states)):
            writer.remove(states[path])
        faults = update_cortex_files(workspace, writer, of_cortex, states)
        for change in changes:
            state = states.get(change.path)
            faults += _store_change(workspace, writer, change, state)
    return faults


def _store_change(
    workspace: Workspace,
    writer: RecallWriter,
    change: Change,
    state: FileState | None,
) -> Sequence[str]:
    """Read one changed file; return a note if it cannot be read."""
    try:
        update_file(workspace, writer, change, state)
    except FileNotFoundError:
        if state is not None:
            writer.remove(state)
    except Stale:
        raise
    except StorageError as error:
        return (fault_note(change.path, error),)
    return ()
