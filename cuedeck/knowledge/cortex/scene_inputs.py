"""Places of the cortex tree on which cached scenes depend.

The key of a cached scene contains the state of these places. They are stored in the
index: a conversation that no card links never changes a key, whatever its length.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

from cuedeck.knowledge.cortex.cortex_places import spellings
from cuedeck.model.cortex_address import (
    CortexAddress,
    CortexAddressError,
    parse_cortex_address,
)
from cuedeck.model.errors import StorageError
from cuedeck.store.cortex.cortex_tree import CortexTree
from cuedeck.store.cortex.layer_store import read_layer_data
from cuedeck.store.index.schema import CORTEX_PLACES

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.store.index import Index
    from cuedeck.store.workspace_paths import WorkspacePaths

MOST = 500
"""Maximum number of stored places; above it only those of the last scene are kept, and
the other scenes are built again.
"""


class CortexInputs:
    """Places looked up since the settings were read."""

    def __init__(self) -> None:
        self._places: dict[CortexAddress, None] = {}

    def note(self, address: CortexAddress) -> None:
        """Note a place, existing or not."""
        self._places[address] = None

    def take(self) -> list[CortexAddress]:
        """Return the noted places and forget them."""
        found = list(self._places)
        self._places.clear()
        return found


def store_inputs(workspace: Workspace) -> None:
    """Add the places looked up by the scene that was just built to the stored ones."""
    new = [address.text for address in workspace.cached(CortexInputs).take()]
    stored = _stored(workspace.index)
    if set(new) <= set(stored):
        return
    merged = sorted({*stored, *new})
    if len(merged) > MOST:
        merged = sorted(set(new))
    workspace.index.set_meta(CORTEX_PLACES, json.dumps(merged, ensure_ascii=False))


def state_of_inputs(index: Index, paths: WorkspacePaths) -> object:
    """Return a value that changes whenever a stored place changes."""
    tree = CortexTree(paths)
    return [_state(tree, text) for text in _stored(index)]


def _stored(index: Index) -> list[str]:
    text = index.meta(CORTEX_PLACES)
    return json.loads(text) if text else []


def _state(tree: CortexTree, text: str) -> object:
    """Return the hash of a file with its overview, which may be edited by hand, or of
    the names, sizes and times of everything in a folder.
    """
    digest = hashlib.sha256()
    try:
        for address in spellings(parse_cortex_address(text)):
            kind = tree.kind_of(address)
            digest.update(kind.encode())
            if kind == "file" and address.parent is not None:
                digest.update(tree.read(address))
                digest.update(read_layer_data(tree, address.parent, address.name, "L1"))
            elif kind == "folder":
                digest.update(read_layer_data(tree, address, "", "L1"))
                for folder, entries in tree.walk(address):
                    rows = [each[: 2 if each.is_folder else None] for each in entries]
                    digest.update(repr((folder, rows)).encode())
    except (CortexAddressError, StorageError):  # the scene and `doctor` report it
        return text, "unreadable"
    return text, digest.hexdigest()
