"""Names and contents of layer files.

A folder has `.abstract.md` and `.overview.md`; a file has `.layers/NAME.l0.md` and
`.layers/NAME.l1.md` in its folder.
"""

from __future__ import annotations

from collections.abc import Iterator

from cuedeck.model.cortex_address import CortexAddress, Level
from cuedeck.model.errors import StorageError
from cuedeck.store.cortex.cortex_tree import CortexTree
from cuedeck.store.files import nofollow

FILE_LAYERS = ".layers"
"""Folder of the layers of the files in the same folder."""
FOLDER_NAMES: dict[Level, str] = {"L0": ".abstract.md", "L1": ".overview.md"}
_FILE_ENDINGS: dict[Level, str] = {"L0": ".l0.md", "L1": ".l1.md"}


def layer_name(name: str, level: Level) -> str:
    """Return the reserved name of a layer: that of a file, or with an empty `name` that
    of the folder itself.
    """
    if not name:
        return FOLDER_NAMES[level]
    return f"{FILE_LAYERS}/{name}{_FILE_ENDINGS[level]}"


def layer_places(
    tree: CortexTree, folder: CortexAddress
) -> Iterator[tuple[str, Level]]:
    """Yield the name of the file (empty for the folder itself) and the level of each
    layer in a folder.
    """
    own = _names(tree.place(folder))
    for level, name in FOLDER_NAMES.items():
        if name in own:
            yield "", level
    if FILE_LAYERS not in own:
        return
    for name in _names(tree.reserved_place(folder, FILE_LAYERS)):
        for level, ending in _FILE_ENDINGS.items():
            file = name.removesuffix(ending)
            if file not in ("", name):
                yield file, level


def read_layer_data(
    tree: CortexTree, folder: CortexAddress, name: str, level: Level
) -> bytes:
    """Return the bytes of a layer; empty if it is missing or cannot be read."""
    try:
        return tree.read_reserved(folder, layer_name(name, level)) or b""
    except StorageError:
        return b""


def _names(folder: str) -> list[str]:
    try:
        return nofollow.list_folder(folder)
    except OSError:  # missing, or a link
        return []
