"""State of the cortex tree: the files of each folder, and the layers that they have.

The status of a layer is computed from hashes, never stored. A cache spares the reading
of unchanged files: it holds for a file as long as its size, times and inode are the
same, by git's racy rule.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from cuedeck.knowledge.layers.compute_layers import LayerContext, needed_levels
from cuedeck.knowledge.layers.layer_file import (
    EXTRACTIVE,
    file_hash,
    folder_hash,
    parse_layer_file,
)
from cuedeck.knowledge.layers.layer_values import LEVELS
from cuedeck.model.cortex_address import (
    DIMENSIONS,
    CortexAddress,
    CortexAddressError,
    parse_cortex_address,
)
from cuedeck.model.errors import CueDeckError
from cuedeck.store.cortex.layer_store import (
    FOLDER_NAMES,
    LayerStore,
    Row,
    Stamp,
    split_layer_name,
)
from cuedeck.store.files.fingerprint import is_settled

Status = Literal["fresh", "stale", "kept", "failed"]
STATUSES: tuple[Status, ...] = ("fresh", "stale", "kept", "failed")
FOREIGN = "its header is not one of CueDeck"
_EDITED = "its body was edited"
_MISSING = "there is no layer file"
_OLDER = "the text has changed"
_GONE = "the file that it describes does not exist"
_SPARE = "the text fits the limit, so it needs no layer file"
_PRINT_FIELDS = 5
"""Size, times and inode of a file, and the time at which it was read."""


class LayerRow(NamedTuple):
    """A layer of a file, or of a folder itself."""

    name: str
    """Name of the file; empty for the layer of the folder itself."""
    level: str
    """`L0` or `L1`; empty for a file that cannot be read."""
    status: Status
    reason: str = ""


class FileState(NamedTuple):
    """A file of the tree."""

    hash: str
    """Input hash of its layers; empty for an unreadable file."""
    needs: str
    """Levels that need a layer file: empty, `L0`, or `L0L1`."""
    problem: str = ""


class StoredLayer(NamedTuple):
    """What a layer file says about itself."""

    input_hash: str
    source: str
    generated_by: str
    kept: str
    """Why a build keeps it; empty for a layer that CueDeck wrote."""

    def status(self, input_hash: str, source: str) -> tuple[Status, str]:
        """Return the status and the reason if it is not fresh."""
        if self.kept:
            return "kept", self.kept
        if (self.input_hash, self.source) != (input_hash, source):
            return "stale", _OLDER
        return "fresh", ""


def read_stored(data: bytes, level: str) -> StoredLayer:
    """Return the state of an existing layer file."""
    layer = parse_layer_file(data)
    if layer is None or layer.level != level:
        return StoredLayer(
            "",
            "",
            "",
            FOREIGN,
        )
    kept = _EDITED if layer.is_edited else ""
    return StoredLayer(
        layer.input_hash,
        layer.source,
        layer.generated_by,
        kept,
    )


@dataclass(slots=True)
class FolderState:
    """The state of one folder and its layers."""

    address: CortexAddress
    files: dict[str, FileState] = field(default_factory=dict)
    layers: dict[tuple[str, str], StoredLayer] = field(default_factory=dict)
    """By the name of the file (empty for the folder itself) and the level."""
    folders: list[FolderState] = field(default_factory=list)
    hash: str = ""
    """Input hash of the layers of the folder."""

    def rows(self) -> Iterator[LayerRow]:
        """Yield the layers that exist or are needed, those of the folder first."""
        wanted: dict[tuple[str, str], str] = {}
        for level in LEVELS:
            wanted["", level] = self.hash
        for name, state in self.files.items():
            if state.problem:
                yield LayerRow(
                    name,
                    "",
                    "failed",
                    state.problem,
                )
            for level in LEVELS:
                if level in state.needs:
                    wanted[name, level] = state.hash
        for place in sorted(wanted.keys() | self.layers.keys()):
            state_of_file = self.files.get(place[0])
            if state_of_file is None or not state_of_file.problem:
                yield self._row(*place, wanted.get(place))

    def _row(
        self,
        name: str,
        level: str,
        wanted: str | None,
    ) -> LayerRow:
        stored = self.layers.get((name, level))
        if stored is None:
            return LayerRow(
                name,
                level,
                "stale",
                _MISSING,
            )
        if wanted is not None:
            source = self.address.child(name) if name else self.address
            return LayerRow(name, level, *stored.status(wanted, source.text))
        if stored.kept:
            return LayerRow(
                name,
                level,
                "kept",
                stored.kept,
            )
        reason = _SPARE if name in self.files else _GONE
        return LayerRow(
            name,
            level,
            "stale",
            reason,
        )

    @property
    def whole(self) -> int:
        """Number of layers that need no file, because the text fits the limit."""
        number = 0
        for name, state in self.files.items():
            for level in LEVELS:
                is_needed = level in state.needs or (name, level) in self.layers
                number += not is_needed and not state.problem
        return number

    def is_computed(
        self,
        name: str,
        level: str,
        input_hash: str,
    ) -> bool:
        """Return whether a stored layer is fresh, unedited and not by a command."""
        stored = self.layers.get((name, level))
        if stored is None or stored.kept or stored.generated_by != EXTRACTIVE:
            return False
        return stored.input_hash == input_hash


class TreeReader:
    """Reads the state of the tree, with the cache of earlier reads."""

    def __init__(
        self, store: LayerStore, context: LayerContext, *, use_cache: bool = True
    ) -> None:
        self._store = store
        self._context = context
        self._stored = store.load_cache() if use_cache else {}
        self._known: dict[str, Any] = {}
        if self._stored.get("rules") == context.rules:
            known = self._stored.get("states")
            self._known = known if isinstance(known, dict) else {}
        self._seen: dict[str, list[Any]] = {}

    def read(self, top: CortexAddress | None = None) -> list[FolderState]:
        """Return the state of a folder (None: the whole tree) and of every folder below
        it, a folder before those below it. Raises: StorageError.
        """
        names: Sequence[str] = ()
        if top is None:
            listed = self._store.list_folder(None).folders
            names = [name for name in DIMENSIONS if name in listed]
        tops = [top] if top else [parse_cortex_address(name) for name in names]
        found: list[FolderState] = []
        waiting = [FolderState(address) for address in reversed(tops)]
        while waiting:
            state = waiting.pop()
            self._examine(state)
            found.append(state)
            waiting.extend(reversed(state.folders))
        for state in reversed(found):
            children = [(name, each.hash) for name, each in state.files.items()]
            children += [(f"{each.address.name}/", each.hash) for each in state.folders]
            state.hash = folder_hash(self._context.rules, state.address.text, children)
        self._save(is_whole=top is None)
        return found

    def _save(self, *, is_whole: bool) -> None:
        states = self._seen if is_whole else {**self._known, **self._seen}
        value = {"rules": self._context.rules, "states": states}
        if value != self._stored:
            self._store.save_cache(value)
            self._stored = value

    def _examine(self, state: FolderState) -> None:
        """Read the files and the layers of a folder."""
        folder = state.address
        listing = self._store.list_folder(folder)
        for name in listing.folders:
            address = _child(folder, name)
            if address is not None:
                state.folders.append(FolderState(address))
        for row in listing.files:
            level = _OWN_LEVELS.get(row[0])
            if level is not None:
                state.layers["", level] = self._layer(
                    folder,
                    row,
                    "",
                    level,
                )
                continue
            address = _child(folder, row[0])
            if address is not None:
                state.files[row[0]] = self._file(address, row)
        for row in listing.layers:
            place = split_layer_name(row[0])
            if place is not None:
                state.layers[place] = self._layer(folder, row, *place)

    def _file(self, address: CortexAddress, row: Row) -> FileState:
        match self._recall(address.text, row):
            case [str(found), str(needs)]:
                return FileState(found, needs)
        checked_ns = time.time_ns()
        try:
            data = self._store.tree.read(address)
        except CueDeckError as error:
            return FileState("", "", error.message)
        state = FileState(
            hash=file_hash(self._context.rules, address.text, data),
            needs=needed_levels(data, self._context.count),
        )
        self._seen[address.text] = [*row[1:], checked_ns, state.hash, state.needs]
        return state

    def _layer(
        self, folder: CortexAddress, row: Row, name: str, level: str
    ) -> StoredLayer:
        key = f"{folder.text}/{name} {level}"
        match self._recall(key, row):
            case [str(found), str(source), str(generated_by), str(kept)]:
                return StoredLayer(
                    found,
                    source,
                    generated_by,
                    kept,
                )
        checked_ns = time.time_ns()
        stored = read_stored(self._store.read(folder, name, level), level)
        self._seen[key] = [*row[1:], checked_ns, *stored]
        return stored

    def _recall(self, key: str, row: Row) -> list[Any] | None:
        """Return what the cache has about an unchanged file."""
        known = self._known.get(key)
        if not isinstance(known, list) or known[: _PRINT_FIELDS - 1] != [*row[1:]]:
            return None
        checked_ns = known[_PRINT_FIELDS - 1]
        if not isinstance(checked_ns, int) or not is_settled(Stamp(*row), checked_ns):
            return None
        self._seen[key] = known
        return known[_PRINT_FIELDS:]


_OWN_LEVELS = {FOLDER_NAMES[level]: level for level in LEVELS}


def _child(folder: CortexAddress, name: str) -> CortexAddress | None:
    """Return the address of a name in a folder; None for a name that no address has."""
    if name[0] == ".":
        return None
    try:
        address = folder.child(name)
    except (CortexAddressError, UnicodeError):
        return None
    return address if address.name == name else None
