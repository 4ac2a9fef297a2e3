"""Comparison of the layers of the cortex tree with the files that they describe.

The status of a layer is computed from hashes, never stored. A cache spares the reading
of unchanged files: it holds for a folder as long as no name, size, time or inode in it
differs, by git's racy rule.
"""

from __future__ import annotations

import json
import time
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import starmap
from typing import Any, Literal, NamedTuple

from cuedeck.app.layers.compute_layers import LayerContext
from cuedeck.model.cortex_address import (
    DIMENSIONS,
    CortexAddress,
    CortexAddressError,
    parse_cortex_address,
)
from cuedeck.model.errors import CueDeckError
from cuedeck.parse.text_decoding import decode
from cuedeck.records.layers.layer_file import EXTRACTIVE, parse_layer_file
from cuedeck.records.layers.layer_hash import file_hash, folder_hash
from cuedeck.records.layers.layer_values import LEVELS, LIMITS, Level
from cuedeck.store.cortex.layer_store import (
    FILE_LAYERS,
    FOLDER_NAMES,
    LayerStore,
    Listing,
    Stamp,
    split_layer_name,
)
from cuedeck.store.fs.fingerprint import is_settled

Status = Literal["fresh", "stale", "missing", "manual", "foreign", "failed"]
STATUSES: tuple[Status, ...] = (
    "fresh",
    "stale",
    "missing",
    "manual",
    "foreign",
    "failed",
)
FORMAT = 1
"""Version of the cache."""
_SURELY_LONG = 256_000
"""Characters of a text that is longer than any layer; its tokens are not counted."""
_GONE = "the file that it describes does not exist"
_SPARE = "the text fits the limit, so it needs no layer file"
_OLDER = "the text has changed"
_EDITED = "its body was edited"
_FOREIGN = "its header is not one of CueDeck"


class LayerRow(NamedTuple):
    """A layer that is not fresh."""

    name: str
    """Name of the file; empty for the layer of the folder itself."""
    level: str
    """`L0` or `L1`; empty for a file that cannot be read."""
    status: Status
    reason: str


class LayerState(NamedTuple):
    """What a layer file says about itself."""

    kind: Literal["own", "edited", "foreign"]
    input_hash: str
    source: str
    generated_by: str


class FileState(NamedTuple):
    """A file of the tree."""

    hash: str
    """Input hash of its layers; empty for an unreadable file."""
    needs: str
    """Levels that need a layer file: empty, `L0`, or `L0L1`."""
    problem: str


@dataclass(slots=True)
class FolderScan:
    """The state of one folder and its layers."""

    address: CortexAddress | None
    """None for the folder of the dimensions."""
    text: str
    """Address as text; empty for the folder of the dimensions."""
    files_hash: str = ""
    """Hash of the names and hashes of its files."""
    file_count: int = 0
    fresh: int = 0
    """Fresh layers of its files."""
    whole: int = 0
    """Layers that need no file, because the text fits the limit."""
    rows: list[LayerRow] = field(default_factory=list)
    """Layers of its files that are not fresh."""
    own: dict[Level, LayerState] = field(default_factory=dict)
    """Layer files of the folder itself."""
    folder_names: list[str] = field(default_factory=list)
    files: dict[str, FileState] | None = None
    """Its files by name; None if they were taken from the cache."""
    detail: str = ""
    """JSON of the states of its files and layers, by fingerprint."""
    signature: str = ""
    """Hash of its listing; empty if it must be read again."""
    folders: list[FolderScan] = field(default_factory=list)
    hash: str = ""
    """Input hash of the layers of the folder."""

    def own_rows(self) -> list[LayerRow]:
        """Return the layers of the folder itself that are not fresh."""
        if self.address is None:
            return []
        rows = []
        for level in LEVELS:
            status, reason = status_of(self.own.get(level), self.hash, self.text)
            if status != "fresh":
                rows.append(LayerRow("", level, status, reason))
        return rows

    def states(self) -> dict[str, FileState]:
        """Return the states of its files, by name."""
        if self.files is not None:
            return self.files
        detail = _decode_detail(self.detail)
        return {stamp.name: state for stamp, state in detail.files.items()}


def status_of(
    state: LayerState | None, input_hash: str, source: str
) -> tuple[Status, str]:
    """Return the status of a needed layer and the reason if it is not fresh."""
    if state is None:
        return "missing", ""
    if state.kind == "foreign":
        return "foreign", _FOREIGN
    if state.kind == "edited":
        return "manual", _EDITED
    if state.input_hash != input_hash or state.source != source:
        return "stale", _OLDER
    return "fresh", ""


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
        self,
        only: Collection[str] | None = None,
        top: CortexAddress | None = None,
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
        ordered = _pre_order(first)
        for scan in reversed(ordered):
            if scan.address is not None:
                below = [(f"{_name(each)}/", each.hash) for each in scan.folders]
                children = [("", scan.files_hash), *below]
                scan.hash = folder_hash(self._context.rules, scan.text, children)
        return ordered

    def save(self, scans: Collection[FolderScan]) -> None:
        """Store what the scan found, if it differs from the cache. Raises:
        StorageError.
        """
        folders = {scan.text: _encode(scan) for scan in scans}
        if "" not in folders:  # only a part of the tree was scanned
            folders = {**self._known, **folders}
        value = {"format": FORMAT, "rules": self._context.rules, "folders": folders}
        if value != self._stored:
            self._store.save_cache(value)

    def _read(self, scan: FolderScan, only: Collection[str] | None) -> None:
        """Fill the state of a folder, from the cache if nothing in it changed."""
        known = self._known.get(scan.text)
        if only is not None and scan.text not in only and _restore(scan, known):
            return
        checked_ns = time.time_ns()
        listing = self._store.list_folder(scan.address)
        signature = _signature(listing)
        if _is_same(known, signature) and _restore(scan, known):
            return
        self._examine(scan, listing, known, checked_ns)
        rows = (*listing.files, *listing.layers)
        if all(is_settled(Stamp(*row), checked_ns) for row in rows):
            scan.signature = signature

    def _examine(
        self, scan: FolderScan, listing: Listing, known: Any, checked_ns: int
    ) -> None:
        """Read the new and changed files of a folder and their layers."""
        folder = scan.address
        names = [name for name in listing.folders if name != FILE_LAYERS]
        if folder is None:
            scan.folder_names = [name for name in DIMENSIONS if name in names]
            return
        scan.folder_names = [name for name in names if _child(folder, name) is not None]
        old_files, old_layers = _reliable(_decode_detail(_detail_of(known)))
        files: dict[Stamp, FileState] = {}
        layers: dict[Stamp, LayerState] = {}
        for stamp in starmap(Stamp, listing.files):
            level = _OWN_LEVELS.get(stamp.name)
            if level is not None:
                state = old_layers.get(stamp) or self._layer(folder, "", level, stamp)
                if state is not None:
                    layers[stamp] = state
                    scan.own[level] = state
                continue
            address = _child(folder, stamp.name)
            if address is not None:
                files[stamp] = old_files.get(stamp) or self._file(address)
        by_layer: dict[tuple[str, str], LayerState] = {}
        for stamp in starmap(Stamp, listing.layers):
            place = split_layer_name(stamp.name)
            if place is None:
                continue
            state = old_layers.get(stamp) or self._layer(folder, *place, stamp)
            if state is not None:
                layers[stamp] = state
                by_layer[place] = state
        scan.files = {stamp.name: state for stamp, state in files.items()}
        _compare(scan, scan.files, by_layer)
        scan.detail = _encode_detail(_Detail(checked_ns, files, layers))

    def _file(self, address: CortexAddress) -> FileState:
        try:
            data = self._store.tree.read(address)
        except CueDeckError as error:
            return FileState("", "", error.message)
        return FileState(
            file_hash(self._context.rules, address.text, data), self._needs(data), ""
        )

    def _needs(self, data: bytes) -> str:
        """Return the levels that a file needs layer files for: those whose limit its
        text exceeds.
        """
        if len(data) <= LIMITS["L0"]:  # a token has at least one byte
            return ""
        decoded = decode(data)
        if decoded.binary:
            return ""
        if len(decoded.text) > _SURELY_LONG:
            return "L0L1"
        tokens = self._context.count.count(decoded.text)
        return "".join(level for level in LEVELS if tokens > LIMITS[level])

    def _layer(
        self, folder: CortexAddress, name: str, level: str, stamp: Stamp
    ) -> LayerState | None:
        """Return the state of a layer file; None for an empty one, which a power
        failure may leave.
        """
        data = self._store.read(folder, name, level) if stamp.size else b""
        if not data.strip():
            return None
        layer = parse_layer_file(data)
        if layer is None or layer.level != level:
            return LayerState("foreign", "", "", "")
        kind: Literal["own", "edited"] = "edited" if layer.is_edited else "own"
        return LayerState(kind, layer.input_hash, layer.source, layer.generated_by)


_OWN_LEVELS: dict[str, Level] = {FOLDER_NAMES[level]: level for level in LEVELS}


def _compare(
    scan: FolderScan,
    files: Mapping[str, FileState],
    layers: Mapping[tuple[str, str], LayerState],
) -> None:
    """Fill the statuses of the layers of the files of a folder."""
    folder = scan.address
    assert folder is not None
    rows: list[LayerRow] = []
    pairs = []
    for name in sorted(files):
        state = files[name]
        pairs.append((name, state.hash))
        if state.problem:
            rows.append(LayerRow(name, "", "failed", state.problem))
            continue
        address = folder.child(name)
        for level in LEVELS:
            layer = layers.get((name, level))
            if level in state.needs:
                status, reason = status_of(layer, state.hash, address.text)
            elif layer is None:
                scan.whole += 1
                continue
            else:
                status, reason = _spare_status(layer, _SPARE)
            if status == "fresh":
                scan.fresh += 1
            else:
                rows.append(LayerRow(name, level, status, reason))
    for place in sorted(layers):
        if place[0] not in files:
            status, reason = _spare_status(layers[place], _GONE)
            rows.append(LayerRow(*place, status, reason))
    scan.rows = rows
    scan.file_count = len(files)
    scan.files_hash = folder_hash("", "", pairs)


def _spare_status(layer: LayerState, reason: str) -> tuple[Status, str]:
    """Return the status of a layer file that is not needed."""
    if layer.kind == "own":
        return "stale", reason
    return ("manual", _EDITED) if layer.kind == "edited" else ("foreign", _FOREIGN)


def is_extractive(state: LayerState | None) -> bool:
    """Return whether a layer was computed without a command and not edited since."""
    return (
        state is not None and state.kind == "own" and (state.generated_by == EXTRACTIVE)
    )


def _pre_order(top: FolderScan) -> list[FolderScan]:
    found: list[FolderScan] = []
    waiting = [top]
    while waiting:
        scan = waiting.pop()
        found.append(scan)
        waiting.extend(reversed(scan.folders))
    return found


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


def _detail_of(known: Any) -> str:
    if isinstance(known, list) and len(known) == _FIELDS and isinstance(known[-1], str):
        return known[-1]
    return ""


_FIELDS = 7


def _encode(scan: FolderScan) -> list[Any]:
    return [
        scan.signature,
        scan.files_hash,
        [scan.file_count, scan.fresh, scan.whole],
        [list(row) for row in scan.rows],
        {level: list(state) for level, state in scan.own.items()},
        scan.folder_names,
        scan.detail,
    ]


def _restore(scan: FolderScan, known: Any) -> bool:
    """Fill a scan from the cache; return False if the cache has none or a damaged
    one.
    """
    match known:
        case [
            str(signature),
            str(files_hash),
            [int(files), int(fresh), int(whole)],
            list(rows),
            dict(own),
            list(names),
            str(detail),
        ]:
            try:
                scan.rows = [LayerRow(*row) for row in rows]
                scan.own = {
                    level: LayerState(*own[level]) for level in LEVELS if level in own
                }
            except TypeError:
                return False
            scan.signature = signature
            scan.files_hash = files_hash
            scan.file_count, scan.fresh, scan.whole = files, fresh, whole
            scan.folder_names = names
            scan.detail = detail
            return True
    return False


class _Detail(NamedTuple):
    """The states of the files and layers of a folder, by fingerprint."""

    checked_ns: int
    """Time before they were read."""
    files: dict[Stamp, FileState]
    layers: dict[Stamp, LayerState]


def _encode_detail(detail: _Detail) -> str:
    value = [
        detail.checked_ns,
        [[*stamp, *state] for stamp, state in detail.files.items()],
        [[*stamp, *state] for stamp, state in detail.layers.items()],
    ]
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


_STAMP_FIELDS = 5


def _decode_detail(text: str) -> _Detail:
    if not text:
        return _Detail(0, {}, {})
    try:
        checked_ns, files, layers = json.loads(text)
        return _Detail(
            checked_ns,
            {
                Stamp(*row[:_STAMP_FIELDS]): FileState(*row[_STAMP_FIELDS:])
                for row in files
            },
            {
                Stamp(*row[:_STAMP_FIELDS]): LayerState(*row[_STAMP_FIELDS:])
                for row in layers
            },
        )
    except (ValueError, TypeError):  # a damaged cache is not used
        return _Detail(0, {}, {})


def _reliable(
    detail: _Detail,
) -> tuple[dict[Stamp, FileState], dict[Stamp, LayerState]]:
    """Return the states whose fingerprints certainly differ after a change."""
    at = detail.checked_ns
    return (
        {stamp: each for stamp, each in detail.files.items() if is_settled(stamp, at)},
        {stamp: each for stamp, each in detail.layers.items() if is_settled(stamp, at)},
    )
