"""Layers of places of the cortex tree, as commands and nodes of the graph show them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cuedeck.model.cortex_address import CortexAddress, LayerName
from cuedeck.store.cortex.cortex_tree import CortexTree

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace


class LayerText(NamedTuple):
    """A layer of a file or folder."""

    layer: LayerName
    text: str
    """Secrets are masked."""
    generated_by: str = "extractive"


def read_layer(
    workspace: Workspace, address: CortexAddress, layer: LayerName
) -> LayerText:
    """Return a layer of a file or folder. Raises: NotFound, StorageError."""
    tree = CortexTree(workspace.paths)
    if tree.kind_of(address) == "folder":
        entries = tree.entries(address)
        names = [f"- {each.name}{'/' if each.is_folder else ''}\n" for each in entries]
        return LayerText(layer, "".join(names) or "The folder is empty.\n")
    return LayerText(layer, tree.read(address).decode("utf-8", "replace"))
