"""Status and verification of the layers of the cortex tree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from cuedeck.app.layers.build_layers import row_as_json
from cuedeck.app.layers.compute_layers import (
    LayerContext,
    layer_context,
    layers_of_file,
)
from cuedeck.app.layers.layer_computer import LayerComputer
from cuedeck.app.layers.scan_layers import LayerScanner
from cuedeck.model.cortex_address import CortexAddress
from cuedeck.model.errors import CueDeckError
from cuedeck.records.layers.folder_scan import FolderScan
from cuedeck.records.layers.layer_file import EXTRACTIVE, parse_layer_file
from cuedeck.records.layers.layer_states import STATUSES, LayerRow, is_extractive
from cuedeck.records.layers.layer_values import LEVELS, LayerPair, Level
from cuedeck.store.cortex.dirty_journal import DirtyJournal
from cuedeck.store.cortex.layer_store import LayerStore

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace

_DIFFERS = "a new computation gives another text"


def layer_status(workspace: Workspace, *, use_cache: bool = True) -> dict[str, Any]:
    """Return the number of layers by status, and the layers that are not fresh.

    Without the cache every file is read. Raises: StorageError, ConfigurationError.
    """
    context = layer_context(workspace)
    store = LayerStore(workspace.paths)
    scanner = LayerScanner(
        store,
        context,
        use_cache=use_cache,
    )
    scans = scanner.scan()
    scanner.save(scans)
    return _answer(
        workspace,
        scans,
        [row for scan in scans for row in _rows(scan)],
    )


def verify_layers(workspace: Workspace) -> dict[str, Any]:
    """Return the status without the cache, and compare each fresh layer with a new
    computation; the answer has `verified`, whether everything is fresh and equal.

    Raises: StorageError, ConfigurationError.
    """
    context = layer_context(workspace)
    store = LayerStore(workspace.paths)
    scanner = LayerScanner(
        store,
        context,
        use_cache=False,
    )
    scans = scanner.scan()
    computer = LayerComputer(
        store,
        context,
        uses_stored=False,
    )
    rows: list[tuple[CortexAddress, LayerRow]] = []
    for scan in reversed(scans):
        rows += _rows(scan)
        if scan.address is not None:
            rows += _differing(
                scan,
                scan.address,
                store,
                context,
                computer,
            )
    rows.sort(key=lambda each: (each[0].parts, each[1]))
    answer = _answer(
        workspace,
        scans,
        rows,
    )
    return {**answer, "verified": not rows}


def _rows(scan: FolderScan) -> Iterator[tuple[CortexAddress, LayerRow]]:
    if scan.address is None:
        return
    for row in (*scan.own_rows(), *scan.rows):
        yield scan.address, row


def _answer(
    workspace: Workspace,
    scans: list[FolderScan],
    rows: list[tuple[CortexAddress, LayerRow]],
) -> dict[str, Any]:
    counts = Counter(row.status for _, row in rows)
    folders = [scan for scan in scans if scan.address is not None]
    every = sum(scan.fresh for scan in folders) + sum(
        len(LEVELS) - len(scan.own_rows()) for scan in folders
    )
    differing = sum(1 for _, row in rows if row.reason == _DIFFERS)
    counts["fresh"] = every - differing
    marked = DirtyJournal(workspace.paths).read()
    return {
        **{status: counts[status] for status in STATUSES},
        "whole": sum(scan.whole for scan in folders),
        "files": sum(scan.file_count for scan in folders),
        "folders": len(folders),
        "layers": [row_as_json(folder, row) for folder, row in rows],
        "marked": [address.text for address in marked.folders],
    }


def _differing(
    scan: FolderScan,
    folder: CortexAddress,
    store: LayerStore,
    context: LayerContext,
    computer: LayerComputer,
) -> Iterator[tuple[CortexAddress, LayerRow]]:
    """Yield the fresh, computed layers of a folder whose text is not the one that a new
    computation gives.
    """
    pairs: dict[str, LayerPair] = {}
    not_fresh = {(row.name, row.level) for row in (*scan.own_rows(), *scan.rows)}
    for name, state in scan.states().items():
        levels = [
            level
            for level in LEVELS
            if level in state.needs and (name, level) not in not_fresh
        ]
        if not levels:
            continue
        address = folder.child(name)
        try:
            data = store.tree.read(address)
        except CueDeckError:
            continue  # deleted since it was listed
        pairs[name] = layers_of_file(
            context,
            address,
            data,
        )
        for level in levels:
            if not _is_equal(
                store,
                folder,
                name,
                level,
                pairs[name],
            ):
                yield (
                    folder,
                    LayerRow(
                        name,
                        level,
                        "stale",
                        _DIFFERS,
                    ),
                )
    pair = computer.folder(scan, pairs)
    for level in LEVELS:
        is_computed = is_extractive(scan.own.get(level))
        if ("", level) in not_fresh or not is_computed:
            continue
        if not _is_equal(
            store,
            folder,
            "",
            level,
            pair,
        ):
            yield (
                folder,
                LayerRow(
                    "",
                    level,
                    "stale",
                    _DIFFERS,
                ),
            )


def _is_equal(
    store: LayerStore,
    folder: CortexAddress,
    name: str,
    level: Level,
    pair: LayerPair,
) -> bool:
    layer = parse_layer_file(
        store.read(
            folder,
            name,
            level,
        )
    )
    if layer is None:
        return False
    return layer.generated_by != EXTRACTIVE or layer.body == pair.text(level)
