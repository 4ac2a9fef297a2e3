"""Layers of folders of the cortex tree, computed from those of their children."""

from __future__ import annotations

from collections.abc import Mapping

from cuedeck.knowledge.layers.compute_layers import (
    LayerContext,
    is_day,
    layers_of_day,
    layers_of_file,
    layers_of_folder,
    message_of,
)
from cuedeck.knowledge.layers.folder_layers import MOST_CHILDREN
from cuedeck.knowledge.layers.folder_scan import FolderScan
from cuedeck.knowledge.layers.layer_file import EXTRACTIVE, parse_layer_file
from cuedeck.knowledge.layers.layer_states import is_extractive
from cuedeck.knowledge.layers.layer_values import LEVELS, LayerPair
from cuedeck.model.cortex_address import CortexAddress
from cuedeck.model.errors import CueDeckError
from cuedeck.store.cortex.layer_store import LayerStore

_ALL_LEVELS = "".join(LEVELS)
_UNKNOWN = LayerPair("", "")
"""Layers of a child that is only counted, or that was deleted during the build."""


class LayerComputer:
    """Computes layers of folders. Edited layers and layers by a command are never used
    for those of another folder, so every computed layer is a function of the files.
    """

    def __init__(
        self,
        store: LayerStore,
        context: LayerContext,
        *,
        uses_stored: bool = True,
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
        self,
        scan: FolderScan,
        pairs: Mapping[str, LayerPair] | None = None,
    ) -> LayerPair:
        """Return the layers of a folder.

        `pairs` are layers of its files that the caller has computed. Other layers are
        read from fresh layer files, and computed where there are none.
        """
        address = scan.address
        assert address is not None
        states = scan.states()
        names = sorted(name for name, state in states.items() if not state.problem)
        pair = (
            self._day(address, names)
            if is_day(address)
            else self._children(
                scan,
                address,
                names,
                pairs or {},
            )
        )
        for child in scan.folders:
            self._pairs.pop(child.text, None)
        self._pairs[address.text] = pair
        return pair

    def _day(
        self,
        folder: CortexAddress,
        names: list[str],
    ) -> LayerPair:
        messages = []
        for name in names:
            address = folder.child(name)
            data = self._read(address)
            if data is not None:
                messages.append(
                    message_of(
                        self._context,
                        address,
                        data,
                    )
                )
        messages.sort(key=lambda each: (each.seq, each.name))
        self.inputs = [(f"{each.name}.md", each.text) for each in messages]
        return layers_of_day(
            self._context,
            folder,
            messages,
        )

    def _children(
        self,
        scan: FolderScan,
        folder: CortexAddress,
        names: list[str],
        pairs: Mapping[str, LayerPair],
    ) -> LayerPair:
        scans = {}
        for each in scan.folders:
            if each.address:
                scans[f"{each.address.name}/"] = each
        found: dict[str, LayerPair] = {}
        for position, name in enumerate(sorted([*names, *scans])):
            if position >= MOST_CHILDREN:
                found[name] = _UNKNOWN
            elif name in scans:
                found[name] = self._folder_below(scans[name])
            elif pairs.get(name):
                found[name] = pairs[name]
            else:
                found[name] = self._file(scan, folder.child(name))
        self.inputs = [(name, pair.overview) for name, pair in found.items()]
        return layers_of_folder(
            self._context,
            folder,
            found,
        )

    def _folder_below(self, scan: FolderScan) -> LayerPair:
        known = self._pairs.get(scan.text)
        if known is not None:
            return known
        assert scan.address is not None
        is_stored = not scan.own_rows() and all(
            is_extractive(scan.own.get(level)) for level in LEVELS
        )
        stored = (
            self._stored(
                scan.address,
                "",
                scan.hash,
            )
            if is_stored
            else None
        )
        return stored or self.folder(scan)

    def _file(
        self,
        scan: FolderScan,
        address: CortexAddress,
    ) -> LayerPair:
        state = scan.states().get(address.name)
        if state is not None and state.needs == _ALL_LEVELS:
            assert scan.address is not None
            stored = self._stored(
                scan.address,
                address.name,
                state.hash,
            )
            if stored is not None:
                return stored
        data = self._read(address)
        if data is None:
            return _UNKNOWN
        return layers_of_file(
            self._context,
            address,
            data,
        )

    def _stored(
        self,
        folder: CortexAddress,
        name: str,
        input_hash: str,
    ) -> LayerPair | None:
        """Return the layers in fresh, computed layer files; None if one is not."""
        if not self._uses_stored:
            return None
        bodies = []
        for level in LEVELS:
            layer = parse_layer_file(
                self._store.read(
                    folder,
                    name,
                    level,
                )
            )
            if layer is None or layer.is_edited or layer.input_hash != input_hash:
                return None
            if layer.generated_by != EXTRACTIVE:
                return None
            bodies.append(layer.body)
        return LayerPair(bodies[0], bodies[1])

    def _read(self, address: CortexAddress) -> bytes | None:
        try:
            return self._store.tree.read(address)
        except CueDeckError:
            return None
