"""Layers of places of the cortex tree: the stored layer if it is fresh, else a computed
one. Reading never fails for want of a layer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cuedeck.knowledge.layers.compute_layers import (
    layer_context,
    layers_of_file,
    needed_levels,
)
from cuedeck.knowledge.layers.layer_file import (
    EXTRACTIVE,
    LayerFile,
    LayerPair,
    Level,
    file_hash,
    parse_layer_file,
)
from cuedeck.knowledge.layers.tree_state import (
    FolderState,
    LayerComputer,
    Status,
    layer_status,
    read_tree,
)
from cuedeck.knowledge.recall.mask_units import mask_spans
from cuedeck.model.cortex_address import CortexAddress
from cuedeck.store.cortex.cortex_tree import CortexTree
from cuedeck.store.cortex.layer_store import read_layer_data

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace


class LayerText(NamedTuple):
    """A layer of a file or folder."""

    text: str
    """Ends with a line break unless it is empty; secrets are masked."""
    tokens: int
    generated_by: str
    """`extractive`, the name of a command, or `hand` for an edited layer."""
    is_whole: bool
    """Whether the layer is the whole text."""
    status: Status
    """Status of the layer file. The text is that of the present file in any case;
    without need of a layer file it is `fresh`.
    """


class CortexLayers:
    """Reads layers of many places with one context; a folder is read once."""

    def __init__(self, workspace: Workspace) -> None:
        self._context = layer_context(workspace)
        self._tree = CortexTree(workspace.paths)
        self._computer = LayerComputer(self._tree, self._context)
        self._states: dict[CortexAddress, FolderState] = {}

    def read(self, address: CortexAddress, level: Level) -> LayerText:
        """Return a layer of an existing file or folder. Raises: NotFound,
        StorageError.
        """
        if self._tree.kind_of(address) == "folder":
            if address not in self._states:
                for state in read_tree(self._tree, self._context, address):
                    self._states[state.address] = state
            state = self._states[address]
            layer = state.layers.get(("", level))
            is_missing = ("", level) not in state.layers
            status = (
                "stale"
                if is_missing
                else layer_status(layer, state.hash, address.text)[0]
            )
            if layer is not None and layer.input_hash == state.hash:
                return self._stored(layer, status)
            return self._shown(self._computer.folder(state), level, status)
        data = self._tree.read(address)
        current = file_hash(self._context.rules, address.text, data)
        stored = b""
        if address.parent is not None:
            stored = read_layer_data(self._tree, address.parent, address.name, level)
        layer = parse_layer_file(stored)
        if stored:
            status = layer_status(layer, current, address.text)[0]
        elif level in needed_levels(data, self._context.count):
            status = "stale"
        else:
            status = "fresh"
        is_own = layer is not None and layer.level == level
        if layer is not None and is_own and layer.input_hash == current:
            return self._stored(layer, status)
        return self._shown(layers_of_file(self._context, address, data), level, status)

    def _stored(self, layer: LayerFile, status: Status) -> LayerText:
        producer = "hand" if layer.is_edited else layer.generated_by
        return self._text(layer.body, producer, status)

    def _shown(self, pair: LayerPair, level: Level, status: Status) -> LayerText:
        found = self._text(pair.text(level), EXTRACTIVE, status)
        return found._replace(is_whole=pair.is_whole and level == "L1")

    def _text(self, body: str, producer: str, status: Status) -> LayerText:
        # A layer that was edited by hand may contain a secret.
        masked = mask_spans(body, self._context.find_secrets(body))
        text = f"{masked}\n" if masked else ""
        return LayerText(text, self._context.count.count(text), producer, False, status)


def _status(layer: LayerFile | None, input_hash: str, address: CortexAddress) -> Status:
    return layer_status(layer, input_hash, address.text)[0]


def read_layer(workspace: Workspace, address: CortexAddress, level: Level) -> LayerText:
    """Return a layer of an existing file or folder. Raises: NotFound, StorageError,
    ConfigurationError.
    """
    return CortexLayers(workspace).read(address, level)
