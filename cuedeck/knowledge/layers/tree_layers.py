"""Layers of the cortex tree: their status, which is computed from hashes and never
stored, their computation, and reading.

Reading never fails for want of a layer file: a layer that is not fresh is computed.
Edited layers and layers by a command are never used for those of another folder, so
every computed layer is a function of the files.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from cuedeck.knowledge.layers.compute_layers import (
    folder_title,
    is_day,
    layer_context,
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
from cuedeck.knowledge.layers.timeline_layers import Message, timeline_layers
from cuedeck.model.cortex_address import DIMENSIONS, CortexAddress, Level
from cuedeck.model.errors import CueDeckError, StorageError
from cuedeck.model.secret import replace_secrets
from cuedeck.parse.notebook import as_shown
from cuedeck.parse.text_decoding import decode_with_nuls
from cuedeck.store.cortex.cortex_tree import CortexTree
from cuedeck.store.cortex.layer_store import layer_name, layer_places

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace

Status = Literal["fresh", "stale", "kept"]
STATUSES: tuple[Status, ...] = ("fresh", "stale", "kept")
FOREIGN = "its header is not one of CueDeck"
GONE = "the file that it describes does not exist"
SPARE = "the text fits the limit, so it needs no layer file"


@dataclass(slots=True)
class TreePlace:
    """A file or a folder of the tree."""

    address: CortexAddress
    is_folder: bool
    hash: str = ""
    """Input hash of its layers."""
    needs: Sequence[Level] = LEVELS
    """Levels that need a layer file."""
    children: list[TreePlace] = field(default_factory=list)
    """Those of a folder, in the order of their names."""

    @property
    def name(self) -> str:
        """The name, of a folder with a slash at its end."""
        return f"{self.address.name}/" if self.is_folder else self.address.name


class LayerRow(NamedTuple):
    """A layer that exists or is needed."""

    folder: CortexAddress
    """The folder of its file."""
    name: str
    """Name of the file that it describes; empty for the folder itself."""
    level: Level
    layer: LayerFile | None
    """The layer file; None if there is none, or one that CueDeck did not write."""
    status: Status
    reason: str = ""

    @property
    def address(self) -> CortexAddress:
        """Address that it describes."""
        return self.folder.child(self.name) if self.name else self.folder

    @property
    def file(self) -> str:
        """Reserved name of its file."""
        return layer_name(self.name, self.level)

    def as_json(self) -> dict[str, Any]:
        """Return the row of a status or a receipt as plain values."""
        return {
            "address": self.address.text,
            "layer": self.level,
            "path": f"{self.folder.path}/{self.file}",
            "status": self.status,
            "reason": self.reason,
        }


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


class TreeLayers:
    """The layers of a tree; each folder is read once."""

    def __init__(self, workspace: Workspace, *, uses_stored: bool = True) -> None:
        """Without `uses_stored`, every layer is computed."""
        self.tree = CortexTree(workspace.paths)
        self.context = layer_context(workspace)
        self._uses_stored = uses_stored
        self._folders: dict[CortexAddress, TreePlace] = {}
        self._pairs: dict[CortexAddress, LayerPair] = {}

    def folders(self, top: CortexAddress | None = None) -> list[TreePlace]:
        """Return a folder (None: the whole tree) and every folder below it, a folder
        before those below it. A file that cannot be read has no layers. Raises:
        StorageError.
        """
        tops = [CortexAddress((name,)) for name in DIMENSIONS] if top is None else [top]
        found: list[TreePlace] = []
        waiting = [
            TreePlace(address, True)
            for address in reversed(tops)
            if self.tree.kind_of(address) == "folder"
        ]
        while waiting:
            place = waiting.pop()
            place.children = list(self._children(place.address))
            found.append(place)
            waiting += [each for each in reversed(place.children) if each.is_folder]
        for place in reversed(found):
            hashes = [(child.name, child.hash) for child in place.children]
            place.hash = folder_hash(self.context.rules, place.address.text, hashes)
            self._folders[place.address] = place
        return found

    def _children(self, folder: CortexAddress) -> Iterator[TreePlace]:
        for entry in self.tree.entries(folder):
            if entry.is_folder:
                yield TreePlace(entry.address, True)
                continue
            try:
                yield self._file(entry.address, self.tree.read(entry.address))
            except CueDeckError:
                continue

    def _file(self, address: CortexAddress, data: bytes) -> TreePlace:
        digest = file_hash(self.context.rules, address.text, data)
        return TreePlace(
            address, False, digest, needed_levels(data, self.context.count)
        )

    def rows(self, folder: TreePlace) -> list[LayerRow]:
        """Return the layers of a folder and of its files that exist or are needed,
        those of the folder first.
        """
        files = {each.name: each for each in folder.children if not each.is_folder}
        stored = set(layer_places(self.tree, folder.address))
        wanted = {("", level) for level in LEVELS}
        for name, file in files.items():
            wanted.update((name, level) for level in file.needs)
        files[""] = folder
        return [
            self._row(folder.address, files.get(name), name, level)
            for name, level in sorted(wanted | stored)
        ]

    def _row(
        self, folder: CortexAddress, place: TreePlace | None, name: str, level: Level
    ) -> LayerRow:
        try:
            data = self.tree.read_reserved(folder, layer_name(name, level))
        except StorageError:
            data = b""
        layer = parse_layer_file(data or b"")
        if layer is not None and layer.level != level:
            layer = None
        row = LayerRow(folder, name, level, layer, "stale")
        if data is None:
            return row._replace(reason="there is no layer file")
        if layer is None:
            return row._replace(status="kept", reason=FOREIGN)
        if layer.is_edited:
            return row._replace(status="kept", reason="its body was edited")
        if place is None:
            return row._replace(reason=GONE)
        if level not in place.needs:
            return row._replace(reason=SPARE)
        if (layer.input_hash, layer.source) != (place.hash, place.address.text):
            return row._replace(reason="the text has changed")
        return row._replace(status="fresh")

    def pair(self, place: TreePlace) -> LayerPair:
        """Return the layers of a place: those in fresh, computed layer files, else new
        ones. A file that was deleted since has empty ones.
        """
        if place.address not in self._pairs:
            self._pairs[place.address] = self._stored(place) or self.compute(place)
        return self._pairs[place.address]

    def _stored(self, place: TreePlace) -> LayerPair | None:
        if not self._uses_stored or len(place.needs) < len(LEVELS):
            return None
        bodies = []
        for row in (self._row_of(place, level) for level in LEVELS):
            if row.status != "fresh" or row.layer is None:
                return None
            if row.layer.generated_by != EXTRACTIVE:
                return None
            bodies.append(row.layer.body)
        return LayerPair(bodies[0], bodies[1])

    def _row_of(self, place: TreePlace, level: Level) -> LayerRow:
        above = None if place.is_folder else place.address.parent
        name = "" if above is None else place.address.name
        return self._row(above or place.address, place, name, level)

    def compute(self, place: TreePlace) -> LayerPair:
        """Return new layers of a place, made of those of its children."""
        title = folder_title(place.address)
        if not place.is_folder:
            try:
                data = self.tree.read(place.address)
            except CueDeckError:
                return LayerPair("", "")
            return layers_of_file(self.context, place.address, data)
        if is_day(place.address):
            messages = self._messages(place)
            return timeline_layers(title, messages, self.context.count)
        pairs = {
            child.name: self.pair(child) if at < MOST_CHILDREN else LayerPair("", "")
            for at, child in enumerate(sorted(place.children, key=_name_of))
        }
        return layers_of_children(self.context, title, pairs)

    def inputs(self, place: TreePlace) -> list[tuple[str, str]]:
        """Return names and masked texts of which the layers of a place are made."""
        if not place.is_folder:
            return [(place.name, self._text(place.address))]
        if is_day(place.address):
            return [(f"{each.name}.md", each.text) for each in self._messages(place)]
        children = sorted(place.children, key=_name_of)[:MOST_CHILDREN]
        return [(child.name, self.pair(child).overview) for child in children]

    def _text(self, address: CortexAddress) -> str:
        data = self.tree.read(address)
        return self.context.masked(as_shown(address.name, decode_with_nuls(data)).text)

    def _messages(self, day: TreePlace) -> list[Message]:
        messages = []
        for child in day.children:
            if child.is_folder:
                continue
            try:
                text = self._text(child.address)
            except CueDeckError:
                continue
            messages.append(message_of(child.address, text))
        return sorted(messages, key=lambda each: (each.seq, each.name))

    def text(self, address: CortexAddress, level: Level) -> LayerText:
        """Return a layer of an existing file or folder. Raises: NotFound,
        StorageError.
        """
        if self.tree.kind_of(address) != "folder":
            place = self._file(address, self.tree.read(address))
        else:
            if address not in self._folders:
                self.folders(address)
            place = self._folders[address]
        row = self._row_of(place, level)
        status = row.status
        if row.status == "stale" and level not in place.needs and row.layer is None:
            status = "fresh"
        if row.layer is not None and row.layer.input_hash == place.hash:
            producer = "hand" if row.layer.is_edited else row.layer.generated_by
            return self._shown(row.layer.body, producer, status)
        pair = self.pair(place)
        found = self._shown(pair.text(level), EXTRACTIVE, status)
        return found._replace(is_whole=pair.is_whole and level == "L1")

    def _shown(self, body: str, producer: str, status: Status) -> LayerText:
        # A layer that was edited by hand may contain a secret.
        masked = replace_secrets(body, self.context.find_secrets(body))
        text = f"{masked}\n" if masked else ""
        tokens = self.context.count.count(text)
        return LayerText(text, tokens, producer, False, status)


def count_whole(folder: TreePlace, rows: Sequence[LayerRow]) -> int:
    """Return the number of layers of the files of a folder that need no layer file,
    because the text fits the limit.
    """
    files = sum(not each.is_folder for each in folder.children)
    existing = sum(bool(row.name) and row.reason != GONE for row in rows)
    return len(LEVELS) * files - existing


def _name_of(place: TreePlace) -> str:
    return place.name
