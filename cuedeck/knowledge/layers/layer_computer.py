"""Layers of folders of the cortex tree, computed from those of their children."""

from __future__ import annotations

from collections.abc import Mapping

from cuedeck.knowledge.layers.compute_layers import (
    LayerContext,
    folder_title,
    is_day,
    layers_of_children,
    layers_of_day,
    layers_of_file,
    message_of,
)
from cuedeck.knowledge.layers.folder_layers import MOST_CHILDREN
from cuedeck.knowledge.layers.layer_file import parse_layer_file
from cuedeck.knowledge.layers.layer_values import LEVELS, LayerPair
from cuedeck.knowledge.layers.tree_state import FolderState
from cuedeck.model.cortex_address import CortexAddress
from cuedeck.model.errors import CueDeckError
from cuedeck.store.cortex.layer_store import LayerStore

_UNKNOWN = LayerPair("", "")
"""Layers of a child that is only counted, or that was deleted during the build."""


class LayerComputer:
    """Computes layers of folders. Edited layers and layers by a command are never used
    for those of another folder, so every computed layer is a function of the files.
    """

    def __init__(
        self, store: LayerStore, context: LayerContext, *, uses_stored: bool = True
    ) -> None:
        """Without `uses_stored`, every layer is computed."""
        self._store = store
        self._context = context
        self._uses_stored = uses_stored
        self._pairs: dict[str, LayerPair] = {}
        """Layers of folders that were computed, until their parents used them."""
        self.inputs: list[tuple[str, str]] = []
        """Names and masked texts from which the last folder was computed."""

    def folder(
        self, state: FolderState, pairs: Mapping[str, LayerPair] | None = None
    ) -> LayerPair:
        """Return the layers of a folder.

        `pairs` are layers of its files that the caller has computed. Other layers are
        read from fresh layer files, and computed where there are none.
        """
        compute = self._day if is_day(state.address) else self._children
        pair = compute(state, pairs or {})
        for child in state.folders:
            self._pairs.pop(child.address.text, None)
        self._pairs[state.address.text] = pair
        return pair

    def file(self, state: FolderState, name: str) -> LayerPair:
        """Return the layers of a file of a folder."""
        file = state.files[name]
        address = state.address.child(name)
        stored = self._stored(state, name, file.hash)
        if stored is not None:
            return stored
        data = self._read(address)
        if data is None:
            return _UNKNOWN
        return layers_of_file(self._context, address, data)

    def _day(self, state: FolderState, pairs: Mapping[str, LayerPair]) -> LayerPair:
        messages = []
        for name, file in state.files.items():
            address = state.address.child(name)
            data = None if file.problem else self._read(address)
            if data is not None:
                messages.append(message_of(self._context, address, data))
        messages.sort(key=lambda each: (each.seq, each.name))
        self.inputs = [(f"{each.name}.md", each.text) for each in messages]
        return layers_of_day(self._context, state.address, messages)

    def _children(
        self, state: FolderState, pairs: Mapping[str, LayerPair]
    ) -> LayerPair:
        folders = {f"{each.address.name}/": each for each in state.folders}
        names = [name for name, file in state.files.items() if not file.problem]
        found: dict[str, LayerPair] = {}
        for position, name in enumerate(sorted([*names, *folders])):
            if position >= MOST_CHILDREN:
                found[name] = _UNKNOWN
            elif name in folders:
                found[name] = self._folder_below(folders[name])
            else:
                found[name] = pairs.get(name) or self.file(state, name)
        self.inputs = [(name, pair.overview) for name, pair in found.items()]
        title = folder_title(state.address)
        return layers_of_children(self._context, title, found)

    def _folder_below(self, state: FolderState) -> LayerPair:
        known = self._pairs.get(state.address.text)
        return known or self._stored(state, "", state.hash) or self.folder(state)

    def _stored(
        self, state: FolderState, name: str, input_hash: str
    ) -> LayerPair | None:
        """Return the layers in fresh, computed layer files; None if one is not."""
        bodies = []
        for level in LEVELS:
            is_computed = state.is_computed(name, level, input_hash)
            if not self._uses_stored or not is_computed:
                return None
            data = self._store.read(state.address, name, level)
            layer = parse_layer_file(data)
            if layer is None or layer.is_edited or layer.input_hash != input_hash:
                return None
            bodies.append(layer.body)
        return LayerPair(bodies[0], bodies[1])

    def _read(self, address: CortexAddress) -> bytes | None:
        try:
            return self._store.tree.read(address)
        except CueDeckError:
            return None
