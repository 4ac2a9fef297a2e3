"""Files of the cortex tree that recall searches."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Collection, Iterator, Mapping

from cuedeck.knowledge.recall.recall_sources import Source
from cuedeck.model.cortex_address import DIMENSIONS, CortexAddress, parse_cortex_address
from cuedeck.model.errors import StorageError
from cuedeck.model.light_typing import TYPE_CHECKING
from cuedeck.model.paths import CORTEX
from cuedeck.store.cortex.cortex_tree import CortexTree, day_addresses, sum_of_folder
from cuedeck.store.files.file_growth import Known
from cuedeck.store.files.fingerprint import is_settled
from cuedeck.store.workspace_paths import WorkspacePaths

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.store.cache.recall_index import FileState


class CortexSources:
    """The files of the cortex tree of an open workspace.

    The tree is walked once. After that, a workspace that follows file events names the
    changed paths: a changed file is compared, and the tree is walked again only after
    any other change.
    """

    def __init__(self) -> None:
        self._sources: Mapping[str, Source] | None = None
        self._changed: set[str] | None = None
        """Paths of sources that were not compared since they changed; None for all."""
        self.walks = 0
        """Number of walks through the tree."""

    @property
    def files(self) -> Mapping[str, Source]:
        """The present files by path: each memory and resource, and the folder of each
        day with messages.
        """
        return self._sources or {}

    def look(self, workspace: Workspace) -> None:
        """Find the present files. Raises: StorageError."""
        changed = workspace.take_cortex_changes()
        if (
            self._sources is None
            or changed is None
            or not self._note(workspace, changed)
        ):
            self._sources = self._changed = None
            self.walks += 1
            self._sources = dict(_walk(workspace.paths))

    def to_compare(self, states: Mapping[str, FileState]) -> list[Source]:
        """Return the files that may differ from their states."""
        sources = self.files
        if self._changed is None:
            return list(sources.values())
        paths = self._changed & sources.keys()
        paths |= sources.keys() - states.keys()
        return [sources[path] for path in sorted(paths)]

    def confirm(self) -> None:
        """Note that all files were compared with their states."""
        self._changed = set()

    def _note(self, workspace: Workspace, changed: Collection[str]) -> bool:
        """Note the changed files; return False if the tree has to be walked."""
        assert self._sources is not None
        tree = CortexTree(workspace.paths)
        for path in changed:
            if "/." in path[len(CORTEX) :]:  # a layer, or metadata
                continue
            day = posixpath.dirname(path)
            if day in self._sources:  # a message
                path = day
            source = self._sources.get(path)
            if source is None or not _is_source(tree, source):
                return False
            if self._changed is not None:
                self._changed.add(path)
        return True


def _is_source(tree: CortexTree, source: Source) -> bool:
    """Return whether a known source is still a file, or a folder of messages."""
    kind = "folder" if source.reader == "timeline" else "file"
    try:
        return tree.kind_of(parse_cortex_address(source.path)) == kind
    except StorageError:
        return False


def _walk(paths: WorkspacePaths) -> Iterator[tuple[str, Source]]:
    for path, reader in _files(paths):
        place = paths.absolute(path)
        check = edit_check(place) if reader == "timeline" else None
        yield path, Source(path, place, reader, "cortex", is_edited=check)


def _files(paths: WorkspacePaths) -> Iterator[tuple[str, str]]:
    """Yield the path and the reader of each memory and resource, and of the folder of
    each day with messages.

    Raises: StorageError.
    """
    tree = CortexTree(paths)
    for dimension in DIMENSIONS:
        top = CortexAddress((dimension,))
        if dimension == "session":
            for entry in tree.entries(top):
                if entry.is_folder:
                    for day in day_addresses(tree, top.child(entry.name)):
                        yield day.path, "timeline"
            continue
        for folder, entries in tree.walk(top):
            above = folder.path if folder is not None else ""
            for entry in entries:
                if above and not entry.is_folder:
                    yield f"{above}/{entry.name}", "cortex"


def edit_check(place: str) -> Callable[[Known], bool]:
    """Return the function that compares the messages in the folder of a day with a
    state; a folder that was deleted meanwhile counts as unchanged.
    """

    def check(known: Known) -> bool:
        try:
            found = sum_of_folder(place)
        except OSError:
            return False
        return found.total != known.rest or not is_settled(found, known.checked_ns)

    return check
