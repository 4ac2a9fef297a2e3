"""Layers of places of the cortex tree: the stored layer if it is fresh, else a computed
one. Reading never fails for want of a layer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cuedeck.app.layers.compute_layers import (
    LayerContext,
    layer_context,
    layers_of_file,
)
from cuedeck.app.layers.layer_computer import LayerComputer
from cuedeck.app.layers.scan_layers import LayerScanner
from cuedeck.app.recall.mask_units import mask_spans
from cuedeck.model.cortex_address import CortexAddress
from cuedeck.records.layers.layer_file import EXTRACTIVE, LayerFile, parse_layer_file
from cuedeck.records.layers.layer_hash import file_hash
from cuedeck.records.layers.layer_values import LayerPair, Level
from cuedeck.store.cortex.layer_store import LayerStore

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace


class LayerText(NamedTuple):
    """A layer of a file or folder."""

    text: str
    """Ends with a line break unless it is empty; secrets are masked."""
    tokens: int
    generated_by: str
    """`extractive`, the name of a command, or `hand` for an edited layer."""
    is_whole: bool
    """Whether the layer is the whole text."""


class CortexLayers:
    """Reads layers of many places with one context."""

    def __init__(self, workspace: Workspace) -> None:
        self._context: LayerContext = layer_context(workspace)
        self._store = LayerStore(workspace.paths)
        self._find_secrets = workspace.find_secrets

    def read(self, address: CortexAddress, level: Level) -> LayerText:
        """Return a layer of an existing file or folder. Raises: NotFound,
        StorageError.
        """
        if self._store.tree.kind_of(address) == "folder":
            return self._folder(address, level)
        data = self._store.tree.read(address)
        folder = address.parent
        if folder is not None:
            stored = self._stored(folder, address.name, level)
            current = file_hash(self._context.rules, address.text, data)
            if stored is not None and stored.input_hash == current:
                return self._of_stored(stored)
        return self._of_pair(layers_of_file(self._context, address, data), level)

    def _folder(self, address: CortexAddress, level: Level) -> LayerText:
        scanner = LayerScanner(self._store, self._context)
        scans = scanner.scan(top=address)
        scanner.save(scans)
        stored = self._stored(address, "", level)
        if stored is not None and stored.input_hash == scans[0].hash:
            return self._of_stored(stored)
        pair = LayerComputer(self._store, self._context).folder(scans[0])
        return self._of_pair(pair, level)

    def _stored(
        self, folder: CortexAddress, name: str, level: Level
    ) -> LayerFile | None:
        layer = parse_layer_file(self._store.read(folder, name, level))
        if layer is None or layer.level != level:
            return None
        return layer

    def _of_stored(self, stored: LayerFile) -> LayerText:
        producer = "hand" if stored.is_edited else stored.generated_by
        return self._made(stored.body, producer, is_whole=False)

    def _of_pair(self, pair: LayerPair, level: Level) -> LayerText:
        is_whole = pair.is_whole and level == "L1"
        return self._made(pair.text(level), EXTRACTIVE, is_whole=is_whole)

    def _made(self, body: str, producer: str, *, is_whole: bool) -> LayerText:
        # A layer that was edited by hand may contain a secret.
        masked = mask_spans(body, self._find_secrets(body))
        text = f"{masked}\n" if masked else ""
        return LayerText(text, self._context.count.count(text), producer, is_whole)


def read_layer(workspace: Workspace, address: CortexAddress, level: Level) -> LayerText:
    """Return a layer of an existing file or folder. Raises: NotFound, StorageError,
    ConfigurationError.
    """
    return CortexLayers(workspace).read(address, level)
