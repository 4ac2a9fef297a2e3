"""Files of the cortex tree that recall searches."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from cuedeck.knowledge.recall.recall_sources import Source
from cuedeck.model.cortex_address import DIMENSIONS, CortexAddress
from cuedeck.store.cortex.cortex_tree import CortexTree, day_addresses, sum_of_folder
from cuedeck.store.files.file_growth import Known
from cuedeck.store.files.fingerprint import is_settled
from cuedeck.store.workspace_paths import WorkspacePaths

if TYPE_CHECKING:
    pass


def cortex_sources(paths: WorkspacePaths) -> Mapping[str, Source]:
    """Return the files of the cortex tree by path: each memory and resource, and the
    folder of each day with messages.

    Raises: StorageError.
    """
    return dict(_walk(paths))


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
