"""Comparison of the layers of the cortex tree with the files that they describe.

The status of a layer is computed from hashes, never stored. A cache spares the reading
of unchanged files: it holds for a folder as long as no name, size, time or inode in it
differs, by git's racy rule.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping
from hashlib import blake2b
from typing import Any

from cuedeck.knowledge.layers.compute_layers import LayerContext, needed_levels
from cuedeck.knowledge.layers.folder_scan import (
    FilePrint,
    FolderScan,
    ListingDetail,
    decode_detail,
    detail_of,
    encode_detail,
    encode_scan,
    in_pre_order,
    restore_scan,
)
from cuedeck.knowledge.layers.layer_hash import file_hash, folder_hash
from cuedeck.knowledge.layers.layer_states import (
    FileState,
    LayerState,
    compare_layers,
    read_layer_state,
)
from cuedeck.knowledge.layers.layer_values import LEVELS, Level
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
    Listing,
    Stamp,
    split_layer_name,
)
from cuedeck.store.files.fingerprint import is_settled

FORMAT = 2
"""Version of the cache."""


class LayerScanner:
    """Scans the tree, with the cache of earlier scans."""

    def __init__(
        self, store: LayerStore, context: LayerContext, *, use_cache: bool = True
    ) -> None:
        self._store = store
        self._context = context
        self._known: Mapping[str, Any] = {}
        self._stored: Mapping[str, Any] = {}
        if use_cache:
            self._stored = store.load_cache()
            is_current = self._stored.get("format") == FORMAT
            if is_current and self._stored.get("rules") == context.rules:
                folders = self._stored.get("folders")
                self._known = folders if isinstance(folders, dict) else {}

    def scan(
        self, only: Collection[str] | None = None, top: CortexAddress | None = None
    ) -> list[FolderScan]:
        """Return the state of a folder (None: the whole tree) and of every folder below
        it, a folder before those below it.

        With `only`, just the folders with these addresses are read; what the cache has
        about the others is used. Raises: StorageError.
        """
        first = FolderScan(top, top.text if top else "")
        waiting = [first]
        while waiting:
            scan = waiting.pop()
            self._read(scan, only)
            for name in scan.folder_names:
                address = _child(scan.address, name)
                if address is not None:
                    scan.folders.append(FolderScan(address, address.text))
            waiting.extend(reversed(scan.folders))
        ordered = in_pre_order(first)
        for scan in reversed(ordered):
            if scan.address is not None:
                below = [(f"{_name(each)}/", each.hash) for each in scan.folders]
                children = [("", scan.files_hash), *below]
                scan.hash = folder_hash(self._context.rules, scan.text, children)
        return ordered

    def save(self, scans: Collection[FolderScan]) -> None:
        """Store the states of the folders, if they differ from the cache."""
        folders = {scan.text: encode_scan(scan) for scan in scans}
        if "" not in folders:  # only a part of the tree was scanned
            folders = {**self._known, **folders}
        value = {"format": FORMAT, "rules": self._context.rules, "folders": folders}
        if value != self._stored:
            self._store.save_cache(value)

    def _read(self, scan: FolderScan, only: Collection[str] | None) -> None:
        """Fill the state of a folder, from the cache if nothing in it changed."""
        known = self._known.get(scan.text)
        if only is not None and scan.text not in only and restore_scan(scan, known):
            return
        checked_ns = time.time_ns()
        listing = self._store.list_folder(scan.address)
        signature = _signature(listing)
        if _is_same(known, signature) and restore_scan(scan, known):
            return
        self._examine(scan, listing, known, checked_ns)
        rows = (*listing.files, *listing.layers)
        if all(_is_settled(row, checked_ns) for row in rows):
            scan.signature = signature

    def _examine(
        self, scan: FolderScan, listing: Listing, known: Any, checked_ns: int
    ) -> None:
        """Read the new and changed files of a folder and their layers."""
        folder = scan.address
        if folder is None:
            scan.folder_names = [name for name in DIMENSIONS if name in listing.folders]
            return
        scan.folder_names = [
            name for name in listing.folders if _child(folder, name) is not None
        ]
        old = _reliable(decode_detail(detail_of(known)))
        new = ListingDetail(checked_ns, {}, {})
        files: dict[str, FileState] = {}
        sources: dict[str, str] = {}
        for row in listing.files:
            name = row[0]
            if name in _OWN_LEVELS:
                self._examine_own(scan, folder, row, old, new)
                continue
            address = _child(folder, name)
            if address is None:
                continue
            state = old.files.get(row) or self._file(address)
            new.files[row] = files[name] = state
            sources[name] = address.text
        by_place: dict[tuple[str, str], LayerState] = {}
        for row in listing.layers:
            place = split_layer_name(row[0])
            if place is None:
                continue
            found = old.layers.get(row) or self._layer(folder, *place)
            new.layers[row] = by_place[place] = found
        compared = compare_layers(files, by_place, sources)
        scan.files = files
        scan.file_count = len(files)
        scan.files_hash = compared.files_hash
        scan.fresh = compared.fresh
        scan.whole = compared.whole
        scan.rows = list(compared.rows)
        scan.detail = encode_detail(new)

    def _examine_own(
        self,
        scan: FolderScan,
        folder: CortexAddress,
        row: FilePrint,
        old: ListingDetail,
        new: ListingDetail,
    ) -> None:
        """Read the layer of the folder itself that a row of the listing names."""
        level = _OWN_LEVELS[row[0]]
        state = old.layers.get(row) or self._layer(folder, "", level)
        new.layers[row] = state
        scan.own[level] = state

    def _file(self, address: CortexAddress) -> FileState:
        try:
            data = self._store.tree.read(address)
        except CueDeckError as error:
            return FileState("", "", error.message)
        return FileState(
            hash=file_hash(self._context.rules, address.text, data),
            needs=needed_levels(data, self._context.count),
            problem="",
        )

    def _layer(self, folder: CortexAddress, name: str, level: str) -> LayerState:
        return read_layer_state(self._store.read(folder, name, level), level)


_OWN_LEVELS: dict[str, Level] = {FOLDER_NAMES[level]: level for level in LEVELS}


def _child(folder: CortexAddress | None, name: str) -> CortexAddress | None:
    """Return the address of a name in a folder; None for a name that no address has."""
    if name[0] == ".":
        return None
    try:
        address = parse_cortex_address(name) if folder is None else folder.child(name)
    except (CortexAddressError, UnicodeError):
        return None
    return address if address.name == name else None


def _name(scan: FolderScan) -> str:
    return scan.address.name if scan.address else ""


def _signature(listing: Listing) -> str:
    return blake2b(
        repr(tuple(listing)).encode("utf-8", "replace"), digest_size=16
    ).hexdigest()


def _is_same(known: Any, signature: str) -> bool:
    return isinstance(known, list) and known[:1] == [signature]


def _reliable(detail: ListingDetail) -> ListingDetail:
    """Return the states whose fingerprints certainly differ after a change."""
    at = detail.checked_ns
    return ListingDetail(
        at,
        {row: each for row, each in detail.files.items() if _is_settled(row, at)},
        {row: each for row, each in detail.layers.items() if _is_settled(row, at)},
    )


def _is_settled(row: FilePrint, at_ns: int) -> bool:
    return is_settled(Stamp(*row), at_ns)
