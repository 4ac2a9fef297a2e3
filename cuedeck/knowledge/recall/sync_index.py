"""Update of the index of recall: reads what changed since the last search."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar

from cuedeck.knowledge.recall.open_recall import (
    MOST_IN_HOOK,
    IndexUnfinished,
    open_recall,
)
from cuedeck.knowledge.recall.recall_sources import (
    Change,
    Source,
    Sources,
    print_of_source,
    recall_sources,
)
from cuedeck.model.errors import StorageError
from cuedeck.model.paths import CORTEX
from cuedeck.model.secret import PLACEHOLDER
from cuedeck.store.cache.recall_index import RecallIndex
from cuedeck.store.files.fingerprint import is_settled
from cuedeck.store.index.schema import DAMAGE, VALUES_CHANGED, is_broken, is_locked

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.store.cache.recall_index import FileState, RecallIndex
    from cuedeck.store.index import Index
    from cuedeck.store.workspace_paths import WorkspacePaths


Answer = TypeVar("Answer")

_BYTES_OF_DOC = 4_000
"""Size that a card or doc counts as; the index of files does not know it."""
_INDEXED_KINDS = ("card", "doc")
"""Kinds of files of the workspace that are searched."""


def with_index(
    workspace: Workspace,
    search: Callable[[RecallIndex, Sequence[str]], Answer],
    *,
    is_current: bool = False,
) -> Answer:
    """Return the result of a search in the index, which is up to date then; a corrupt
    index is built again. With `is_current` another search has just updated it.

    The notes that the search receives say what could not be indexed. Raises:
    StorageError, Stale; IndexUnfinished in a hook if too much has changed.
    """
    return workspace.settled(lambda: _with_index(workspace, search, is_current))


def _with_index(
    workspace: Workspace,
    search: Callable[[RecallIndex, Sequence[str]], Answer],
    is_current: bool,
) -> Answer:
    # Opened before the settings are read, because it has a copy of them.
    files = workspace.index
    index = open_recall(workspace).index(workspace)
    try:
        if is_current:
            return search(index, ())
        notes = sync_index(workspace, files, index)
        if files.meta(VALUES_CHANGED):
            # A text that was read reveals a secret, which others may contain.
            workspace.refresh()
            index = open_recall(workspace).index(workspace)
            notes = sync_index(workspace, files, index)
        return search(index, notes)
    except DAMAGE as error:
        if not is_broken(error):
            message = f"the index of recall cannot be read: {error}"
            hint = "run the command again; `cuedeck clean` removes the index"
            raise StorageError(message, hint=hint) from error
    index = open_recall(workspace).index(workspace)
    index.start_over(in_memory=False)
    return search(index, sync_index(workspace, files, index))


def sync_index(
    workspace: Workspace, files: Index, index: RecallIndex
) -> tuple[str, ...]:
    """Bring the index up to date; return notes about files that are not searched.

    The index `files` must be up to date. An index whose file cannot be written is
    continued in memory. Raises: Stale, errors of `DAMAGE` for a corrupt index.
    """
    sources = recall_sources(workspace)
    cortex: Mapping[str, Source] = {}
    try:
        cortex = _cortex_sources(workspace.paths)
    except StorageError as error:
        note = f"the cortex tree is not searched: {error.message}"
        sources = sources._replace(notes=(*sources.notes, note))
    try:
        return _sync(
            workspace,
            files,
            index,
            sources,
            cortex,
        )
    except DAMAGE as error:
        if is_broken(error):
            raise
        if not is_locked(error):
            # The disk is full, for example. The file lacks the newest lines, and it may
            # still contain deleted ones.
            index.start_over(in_memory=True)
            return _sync(
                workspace,
                files,
                index,
                sources,
                cortex,
            )
        note = "another process updates the index; the newest lines may be missing"
        return (*sources.notes, note)


def _sync(
    workspace: Workspace,
    files: Index,
    index: RecallIndex,
    sources: Sources,
    cortex: Mapping[str, Source],
) -> tuple[str, ...]:
    _follow_values(files, index)
    indexed = {
        path: Change(path, None, kind, hash_)
        for kind in _INDEXED_KINDS
        for path, hash_ in files.hashes_of_kind(kind).items()
    }
    states = index.files()
    changes = list(_changed(sources.files, states))
    for path, change in indexed.items():
        state = states.get(path)
        if state is None or state.stamp.hash != change.hash:
            changes.append(change)
    changes += _changed(cortex.values(), states)
    paths = {source.path for source in sources.files}
    paths.update(indexed)
    if not changes and not _gone(states, cortex, paths):
        return sources.notes
    if workspace.deadline is not None:
        _check_size(changes, states)
    # Most searches find nothing to read, so they do not load what reads files.
    from cuedeck.knowledge.recall.store_changes import store_changes

    def find_gone(states: Mapping[str, FileState]) -> set[str]:
        return _gone(states, cortex, paths)

    faults = store_changes(workspace, index, changes, find_gone)
    return (*sources.notes, *faults)


def _follow_values(files: Index, index: RecallIndex) -> None:
    """Empty an index with texts in which other secret values must be masked."""
    digest = files.values_digest
    if index.values == digest:
        return
    values = files.known_values()
    for text in index.texts():
        if PLACEHOLDER in text or next(values.find(text), None) is not None:
            # Rows cannot be replaced: the words of deleted rows remain in the file.
            index.start_over(in_memory=index.is_in_memory)
            break
    index.set_values(digest)


def _cortex_sources(paths: WorkspacePaths) -> Mapping[str, Source]:
    """Return the files of the cortex tree by path. Raises: StorageError."""
    if not (paths.has_folder(CORTEX) or paths.shared.has_folder(CORTEX)):
        return {}
    # Most workspaces have no cortex tree.
    from cuedeck.knowledge.recall.cortex_units import cortex_sources

    return cortex_sources(paths)


def _gone(
    states: Mapping[str, FileState],
    cortex: Mapping[str, Source],
    paths: Collection[str],
) -> set[str]:
    """Return the paths of states whose files no longer exist; `paths` are those of the
    files outside the cortex tree.
    """
    return states.keys() - paths - cortex.keys()


def _check_size(changes: Sequence[Change], states: Mapping[str, FileState]) -> None:
    """Raise IndexUnfinished if changed files have more new bytes than a hook reads."""
    unread = 0
    for change in changes:
        if change.source is None:
            unread += _BYTES_OF_DOC
            continue
        state = states.get(change.path)
        known = state.stamp.size if state else 0
        found = print_of_source(change.source)
        size = found.size if found else 0
        # Only reading tells whether the known part is still the same.
        unread += size - known if size >= known else size
    if unread > MOST_IN_HOOK:
        raise IndexUnfinished


def _changed(
    sources: Iterable[Source], states: Mapping[str, FileState]
) -> Iterator[Change]:
    for source in sources:
        state = states.get(source.path)
        found = print_of_source(source)
        if state is None:
            if found is not None:
                yield Change(source.path, source)
        elif (
            found is None
            or found != state.stamp[: len(found)]
            or not is_settled(found, state.stamp.checked_ns)
        ):
            yield Change(source.path, source)
