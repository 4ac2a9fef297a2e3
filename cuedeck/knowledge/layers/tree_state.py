"""State of the cortex tree: the files of each folder, the layers that they have, and
the computation of the layers of folders.

The status of a layer is computed from hashes, never stored.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from cuedeck.knowledge.layers.compute_layers import (
    LayerContext,
    folder_title,
    is_day,
    layers_of_children,
    layers_of_file,
    message_of,
    needed_levels,
)
from cuedeck.knowledge.layers.folder_layers import MOST_CHILDREN
from cuedeck.knowledge.layers.layer_file import (
    EXTRACTIVE,
    LEVELS,
    LayerFile,
    LayerPair,
    file_hash,
    folder_hash,
    parse_layer_file,
)
from cuedeck.knowledge.layers.timeline_layers import timeline_layers
from cuedeck.model.cortex_address import DIMENSIONS, CortexAddress
from cuedeck.model.errors import CueDeckError
from cuedeck.store.cortex.cortex_tree import CortexTree
from cuedeck.store.cortex.layer_store import layer_places, read_layer_data

Status = Literal["fresh", "stale", "kept"]
STATUSES: tuple[Status, ...] = ("fresh", "stale", "kept")
FOREIGN = "its header is not one of CueDeck"
_EDITED = "its body was edited"
_MISSING = "there is no layer file"
_OLDER = "the text has changed"
GONE = "the file that it describes does not exist"
SPARE = "the text fits the limit, so it needs no layer file"
_UNKNOWN = LayerPair("", "")
"""Layers of a child that is only counted, or that was deleted during the build."""


class LayerRow(NamedTuple):
    """A layer of a file, or of a folder itself."""

    name: str
    """Name of the file; empty for the layer of the folder itself."""
    level: str
    """`L0` or `L1`."""
    status: Status
    reason: str


class FileState(NamedTuple):
    """A file of the tree."""

    hash: str
    """Input hash of its layers."""
    needs: Sequence[str]
    """Levels that need a layer file."""


@dataclass(slots=True)
class FolderState:
    """The state of one folder and its layers."""

    address: CortexAddress
    files: dict[str, FileState] = field(default_factory=dict)
    layers: dict[tuple[str, str], LayerFile | None] = field(default_factory=dict)
    """By the name of the file (empty for the folder itself) and the level; None for a
    file that CueDeck did not write.
    """
    folders: list[FolderState] = field(default_factory=list)
    hash: str = ""
    """Input hash of the layers of the folder."""

    def rows(self) -> Iterator[LayerRow]:
        """Yield the layers that exist or are needed, those of the folder first."""
        wanted: dict[tuple[str, str], str] = {}
        for level in LEVELS:
            wanted["", level] = self.hash
        for name, state in self.files.items():
            for needed in state.needs:
                wanted[name, needed] = state.hash
        for place in sorted(wanted.keys() | self.layers.keys()):
            name = place[0]
            if place not in self.layers:
                yield LayerRow(*place, "stale", _MISSING)
                continue
            source = self.address.child(name) if name else self.address
            status, reason = layer_status(
                self.layers[place], wanted.get(place, ""), source.text
            )
            if status == "stale" and place not in wanted:
                reason = SPARE if name in self.files else GONE
            yield LayerRow(*place, status, reason)

    @property
    def whole(self) -> int:
        """Number of layers that need no file, because the text fits the limit."""
        number = 0
        for name, state in self.files.items():
            for level in LEVELS:
                is_needed = level in state.needs or (name, level) in self.layers
                number += not is_needed
        return number


def layer_status(
    layer: LayerFile | None, input_hash: str, source: str
) -> tuple[Status, str]:
    """Return the status of an existing layer file, and the reason if it is not
    fresh.
    """
    if layer is None:
        return "kept", FOREIGN
    if layer.is_edited:
        return "kept", _EDITED
    if (layer.input_hash, layer.source) != (input_hash, source):
        return "stale", _OLDER
    return "fresh", ""


def read_tree(
    tree: CortexTree, context: LayerContext, top: CortexAddress | None = None
) -> list[FolderState]:
    """Return the state of a folder (None: the whole tree) and of every folder below it,
    a folder before those below it. A file that cannot be read has no layers. Raises:
    StorageError.
    """
    tops = [top] if top else []
    if top is None:
        names = {entry.name for entry in tree.entries(None) if entry.is_folder}
        tops = [CortexAddress((name,)) for name in DIMENSIONS if name in names]
    found: list[FolderState] = []
    waiting = [FolderState(address) for address in reversed(tops)]
    while waiting:
        state = waiting.pop()
        _read_folder(tree, context, state)
        found.append(state)
        waiting.extend(reversed(state.folders))
    for state in reversed(found):
        children = [(name, each.hash) for name, each in state.files.items()]
        children += [(f"{each.address.name}/", each.hash) for each in state.folders]
        state.hash = folder_hash(context.rules, state.address.text, children)
    return found


def _read_folder(tree: CortexTree, context: LayerContext, state: FolderState) -> None:
    folder = state.address
    for entry in tree.entries(folder):
        address = folder.child(entry.name)
        if entry.is_folder:
            state.folders.append(FolderState(address))
            continue
        try:
            data = tree.read(address)
        except CueDeckError:
            continue
        state.files[entry.name] = FileState(
            file_hash(context.rules, address.text, data),
            needed_levels(data, context.count),
        )
    for name, level in layer_places(tree, folder):
        layer = parse_layer_file(read_layer_data(tree, folder, name, level))
        is_other = layer is not None and layer.level != level
        state.layers[name, level] = None if is_other else layer


class LayerComputer:
    """Computes layers of folders. Edited layers and layers by a command are never used
    for those of another folder, so every computed layer is a function of the files.
    """

    def __init__(
        self, tree: CortexTree, context: LayerContext, *, uses_stored: bool = True
    ) -> None:
        """Without `uses_stored`, every layer is computed."""
        self._tree = tree
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
        stored = self._stored(state, name, state.files[name].hash)
        if stored is not None:
            return stored
        address = state.address.child(name)
        try:
            data = self._tree.read(address)
        except CueDeckError:
            return _UNKNOWN
        return layers_of_file(self._context, address, data)

    def _day(self, state: FolderState, pairs: Mapping[str, LayerPair]) -> LayerPair:
        messages = []
        for name in state.files:
            address = state.address.child(name)
            try:
                data = self._tree.read(address)
            except CueDeckError:
                continue
            messages.append(message_of(self._context, address, data))
        messages.sort(key=lambda each: (each.seq, each.name))
        self.inputs = [(f"{each.name}.md", each.text) for each in messages]
        title = folder_title(state.address)
        return timeline_layers(title, messages, self._context.count)

    def _children(
        self, state: FolderState, pairs: Mapping[str, LayerPair]
    ) -> LayerPair:
        folders = {f"{each.address.name}/": each for each in state.folders}
        found: dict[str, LayerPair] = {}
        for position, name in enumerate(sorted([*state.files, *folders])):
            if position >= MOST_CHILDREN:
                found[name] = _UNKNOWN
            elif name in folders:
                found[name] = self._folder_below(folders[name])
            else:
                found[name] = pairs.get(name) or self.file(state, name)
        self.inputs = [(name, pair.overview) for name, pair in found.items()]
        return layers_of_children(self._context, folder_title(state.address), found)

    def _folder_below(self, state: FolderState) -> LayerPair:
        known = self._pairs.get(state.address.text)
        return known or self._stored(state, "", state.hash) or self.folder(state)

    def _stored(
        self, state: FolderState, name: str, input_hash: str
    ) -> LayerPair | None:
        """Return the layers in fresh, computed layer files; None if one is not."""
        bodies = []
        for level in LEVELS:
            layer = state.layers.get((name, level))
            if not self._uses_stored or layer is None or layer.is_edited:
                return None
            if (layer.input_hash, layer.generated_by) != (input_hash, EXTRACTIVE):
                return None
            bodies.append(layer.body)
        return LayerPair(bodies[0], bodies[1])
