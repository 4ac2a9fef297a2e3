"""Update of the index of recall: reads what changed since the last search."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar

from cuedeck.knowledge.recall.recall_sources import (
    IndexUnfinished,
    Source,
    print_of_source,
    recall_sources,
)
from cuedeck.ledger.records.memory_files import forgotten_ids
from cuedeck.ledger.statement_files import statement_paths
from cuedeck.model.errors import StorageError
from cuedeck.store.cache.recall_index import RecallIndex
from cuedeck.store.files.fingerprint import is_settled
from cuedeck.store.index.schema import DAMAGE, VALUES_CHANGED, is_broken, is_locked

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.store.cache.recall_index import FileState

Answer = TypeVar("Answer")


class OpenRecall:
    """The index of one workspace; the settings stay the same."""

    def __init__(self) -> None:
        self._index: RecallIndex | None = None
        self._forgotten: frozenset[str] = frozenset()

    def index(self, workspace: Workspace) -> RecallIndex:
        """Return the open index; a deleted or replaced one is opened again."""
        forgotten = forgotten_ids(workspace)
        is_old = self._forgotten != forgotten
        if self._index is not None and (is_old or self._index.is_replaced):
            self.close()
        if self._index is None:
            self._forgotten = forgotten
            place = workspace.paths.recall_index
            # `hashlib` would load OpenSSL, which takes longer than opening the index.
            from _blake2 import blake2b

            settings = workspace.settings
            # Copies of the known values of secrets are masked in the texts.
            ids = "\n".join([*sorted(forgotten), workspace.index.values_digest])
            digest = blake2b(ids.encode("utf-8", "surrogatepass"), digest_size=8)
            # The settings themselves, because their hash would load the formats.
            version = f"{settings.secrets!r} forgotten={digest.hexdigest()}"
            self._index = RecallIndex(place, version)
        return self._index

    def close(self) -> None:
        """Close the index, if it is open; it is opened again on next use."""
        if self._index is not None:
            self._index.close()
        self._index = None


def open_recall(workspace: Workspace) -> OpenRecall:
    """Return the open index of a workspace, the same until the settings change."""
    return workspace.cached(OpenRecall)


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


def search_statements(
    workspace: Workspace, search: Callable[[RecallIndex], Answer], empty: Answer
) -> Answer:
    """Return the result of a search for statements in one state of the index; `empty`
    without conversations, and in a hook if too much has changed. Raises: StorageError,
    Stale.
    """
    if not statement_paths(workspace.paths):
        return empty

    def read(index: RecallIndex, notes: Sequence[str]) -> Answer:
        with index.reading():
            return search(index)

    try:
        return with_index(workspace, read)
    except IndexUnfinished:
        return empty


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
        notes = _sync(workspace, index)
        if files.meta(VALUES_CHANGED):
            # A text that was read reveals a secret, which others may contain.
            workspace.refresh()
            index = open_recall(workspace).index(workspace)
            notes = _sync(workspace, index)
        return search(index, notes)
    except DAMAGE as error:
        if not is_broken(error):
            message = f"the index of recall cannot be read: {error}"
            hint = "run the command again; `cuedeck clean` removes the index"
            raise StorageError(message, hint=hint) from error
    index = open_recall(workspace).index(workspace)
    index.start_over(in_memory=False)
    return search(index, _sync(workspace, index))


def _sync(workspace: Workspace, index: RecallIndex) -> Sequence[str]:
    """Bring the index up to date; return notes about files that are not searched.

    The index of files must be up to date. An index whose file cannot be written is
    continued in memory. Raises: Stale, errors of `DAMAGE` for a corrupt index.
    """
    sources, notes = recall_sources(workspace)
    try:
        return [*notes, *_store_changes(workspace, index, sources)]
    except DAMAGE as error:
        if is_broken(error):
            raise
        if is_locked(error):
            note = "another process updates the index; the newest lines may be missing"
            return [*notes, note]
    # The disk is full, for example. The file lacks the newest lines, and it may still
    # contain deleted ones.
    index.start_over(in_memory=True)
    return [*notes, *_store_changes(workspace, index, sources)]


def _store_changes(
    workspace: Workspace, index: RecallIndex, sources: Sequence[Source]
) -> Sequence[str]:
    states = index.files()
    changed = [source for source in sources if _is_changed(source, states)]
    paths = {source.path for source in sources}
    if not changed and states.keys() <= paths:
        return ()
    # Most searches find nothing to read, so they do not load what reads files.
    from cuedeck.knowledge.recall.store_changes import store_changes

    return store_changes(
        workspace,
        index,
        changed,
        paths,
    )


def _is_changed(source: Source, states: Mapping[str, FileState]) -> bool:
    state = states.get(source.path)
    if not source.place:
        return state is None or state.stamp.hash != source.hash
    found = print_of_source(source)
    if state is None or found is None:
        return (state is None) != (found is None)
    is_same = found == state.stamp[: len(found)]
    return not is_same or not is_settled(found, state.stamp.checked_ns)
