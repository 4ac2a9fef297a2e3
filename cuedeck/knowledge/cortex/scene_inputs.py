"""Places of the cortex tree on which cached scenes depend.

The key of a cached scene contains the state of these places. They are stored in the
index: a conversation that no card links never changes a key, whatever its length.
"""

from __future__ import annotations

import hashlib
import json
import os
from typing import TYPE_CHECKING

from cuedeck.knowledge.cortex.cortex_places import spellings
from cuedeck.model.cortex_address import (
    CortexAddress,
    CortexAddressError,
    parse_cortex_address,
)
from cuedeck.model.errors import StorageError
from cuedeck.store.cortex.cortex_tree import CortexTree
from cuedeck.store.cortex.layer_store import layer_name
from cuedeck.store.files.fingerprint import is_settled, print_of
from cuedeck.store.index.schema import CORTEX_PLACES

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.store.cortex.cortex_tree import CortexEntry
    from cuedeck.store.index import Index
    from cuedeck.store.workspace_paths import WorkspacePaths

MOST = 500
"""Maximum number of stored places; above it only those of the last scene are kept, and
the other scenes are built again.
"""
LARGE = 1_000_000
"""Bytes above which a file is compared by its metadata instead of its content."""


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
    try:
        address = parse_cortex_address(text)
        kind = tree.kind_of(address)
        if kind == "folder":
            return text, _folder_state(tree, address)
        return text, [_file_state(tree, each) for each in spellings(address)]
    except (CortexAddressError, StorageError):  # the scene and `doctor` report it
        return text, "unreadable"


def _file_state(tree: CortexTree, address: CortexAddress) -> object:
    """Return the hash of a file; the fingerprint of a large one, empty for none."""
    if tree.kind_of(address) != "file":
        return ""
    print_ = print_of(tree.place(address))
    layer = None
    if address.parent is not None:
        layer = _layer_state(tree, address.parent, address.name)
    if print_ is None or (print_.size > LARGE and is_settled(print_)):
        return print_, layer
    return hashlib.sha256(tree.read(address)).hexdigest(), layer


def _layer_state(tree: CortexTree, folder: CortexAddress, name: str) -> object:
    """Return the fingerprint of the stored overview, which may be edited by hand."""
    return print_of(tree.reserved_place(folder, layer_name(name, "L1")))


def _folder_state(tree: CortexTree, folder: CortexAddress) -> str:
    """Return a hash of the names, sizes and times of everything in a folder."""
    digest = hashlib.sha256()
    digest.update(repr(_layer_state(tree, folder, "")).encode())
    for place, entries in tree.walk(folder):
        name = os.fsencode(place.text) if place else b""
        digest.update(name)
        for entry in entries:
            digest.update(repr(_row(entry)).encode())
    return digest.hexdigest()


def _row(entry: CortexEntry) -> tuple[object, ...]:
    if entry.is_folder:
        return (entry.name,)
    return tuple(entry)
