"""Files of the cortex tree that recall searches."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from cuedeck.model.cortex_address import DIMENSIONS, CortexAddress
from cuedeck.store.cortex.cortex_tree import (
    CortexTree,
    day_addresses,
    sum_of_folder,
)
from cuedeck.store.fs.file_growth import Known
from cuedeck.store.workspace_paths import WorkspacePaths


def cortex_sources(paths: WorkspacePaths) -> Iterator[tuple[str, str]]:
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
            return sum_of_folder(place) != known.rest
        except OSError:
            return False

    return check
