"""The state of the folders of the cortex tree and their layers, and its stored form."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from cuedeck.knowledge.layers.layer_states import (
    FileState,
    LayerRow,
    LayerState,
    status_of,
)
from cuedeck.knowledge.layers.layer_values import LEVELS, Level
from cuedeck.model.cortex_address import CortexAddress

FilePrint = tuple[str, int, int, int, int]
"""Name, size, modification time, status change time and inode of a file."""


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
        detail = decode_detail(self.detail)
        return {each[0]: state for each, state in detail.files.items()}


def in_pre_order(top: FolderScan) -> list[FolderScan]:
    found: list[FolderScan] = []
    waiting = [top]
    while waiting:
        scan = waiting.pop()
        found.append(scan)
        waiting.extend(reversed(scan.folders))
    return found


class ListingDetail(NamedTuple):
    """The states of the files and layers of a folder, by fingerprint."""

    checked_ns: int
    """Time before they were read."""
    files: dict[FilePrint, FileState]
    layers: dict[FilePrint, LayerState]


def encode_detail(detail: ListingDetail) -> str:
    value = [
        detail.checked_ns,
        [[*stamp, *state] for stamp, state in detail.files.items()],
        [[*stamp, *state] for stamp, state in detail.layers.items()],
    ]
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


_PRINT_FIELDS = 5


def decode_detail(text: str) -> ListingDetail:
    if not text:
        return ListingDetail(0, {}, {})
    try:
        checked_ns, files, layers = json.loads(text)
        return ListingDetail(
            checked_ns,
            {_print_of(row): FileState(*row[_PRINT_FIELDS:]) for row in files},
            {_print_of(row): LayerState(*row[_PRINT_FIELDS:]) for row in layers},
        )
    except (ValueError, TypeError):  # a damaged cache is not used
        return ListingDetail(0, {}, {})


def _print_of(row: list[Any]) -> FilePrint:
    name, size, mtime_ns, ctime_ns, inode = row[:_PRINT_FIELDS]
    return name, size, mtime_ns, ctime_ns, inode


_FIELDS = 7


def encode_scan(scan: FolderScan) -> list[Any]:
    return [
        scan.signature,
        scan.files_hash,
        [scan.file_count, scan.fresh, scan.whole],
        [list(row) for row in scan.rows],
        {level: list(state) for level, state in scan.own.items()},
        scan.folder_names,
        scan.detail,
    ]


def restore_scan(scan: FolderScan, known: Any) -> bool:
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


def detail_of(known: Any) -> str:
    """Return the stored states of the files and layers of a folder; empty if there are
    none.
    """
    if isinstance(known, list) and len(known) == _FIELDS and isinstance(known[-1], str):
        return known[-1]
    return ""
