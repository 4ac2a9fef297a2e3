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
from cuedeck.knowledge.layers.layer_computer import LayerComputer
from cuedeck.knowledge.layers.layer_file import EXTRACTIVE, file_hash, parse_layer_file
from cuedeck.knowledge.layers.layer_values import Level
from cuedeck.knowledge.layers.tree_state import Status, TreeReader, read_stored
from cuedeck.knowledge.recall.mask_units import mask_spans
from cuedeck.model.cortex_address import CortexAddress
from cuedeck.store.cortex.layer_store import LayerStore

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
    """Reads layers of many places with one context."""

    def __init__(self, workspace: Workspace) -> None:
        self._context = layer_context(workspace)
        self._store = LayerStore(workspace.paths)

    def read(self, address: CortexAddress, level: Level) -> LayerText:
        """Return a layer of an existing file or folder. Raises: NotFound,
        StorageError.
        """
        if self._store.tree.kind_of(address) == "folder":
            state = TreeReader(self._store, self._context).read(address)[0]
            stored = self._store.read(address, "", level)
            status = _status(stored, level, state.hash, address)
            kept = self._kept(stored, level, state.hash, status)
            if kept is not None:
                return kept
            pair = LayerComputer(self._store, self._context).folder(state)
            return self._made(pair.text(level), EXTRACTIVE, status)
        data = self._store.tree.read(address)
        current = file_hash(self._context.rules, address.text, data)
        stored = b""
        if address.parent is not None:
            stored = self._store.read(address.parent, address.name, level)
        status = _status(stored, level, current, address)
        if not stored and level not in needed_levels(data, self._context.count):
            status = "fresh"
        kept = self._kept(stored, level, current, status)
        if kept is not None:
            return kept
        pair = layers_of_file(self._context, address, data)
        made = self._made(pair.text(level), EXTRACTIVE, status)
        return made._replace(is_whole=pair.is_whole and level == "L1")

    def _kept(
        self, data: bytes, level: Level, input_hash: str, status: Status
    ) -> LayerText | None:
        """Return the layer in a layer file, if it describes the present text."""
        layer = parse_layer_file(data)
        if layer is None or layer.level != level or layer.input_hash != input_hash:
            return None
        producer = "hand" if layer.is_edited else layer.generated_by
        return self._made(layer.body, producer, status)

    def _made(self, body: str, producer: str, status: Status) -> LayerText:
        # A layer that was edited by hand may contain a secret.
        masked = mask_spans(body, self._context.find_secrets(body))
        text = f"{masked}\n" if masked else ""
        tokens = self._context.count.count(text)
        return LayerText(text, tokens, producer, False, status)


def _status(
    data: bytes, level: Level, input_hash: str, address: CortexAddress
) -> Status:
    """Return the status of a needed layer file from its bytes."""
    if not data:
        return "stale"
    return read_stored(data, level).status(input_hash, address.text)[0]


def read_layer(workspace: Workspace, address: CortexAddress, level: Level) -> LayerText:
    """Return a layer of an existing file or folder. Raises: NotFound, StorageError,
    ConfigurationError.
    """
    return CortexLayers(workspace).read(address, level)
