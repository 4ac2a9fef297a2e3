"""Status and verification of the layers of the cortex tree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from cuedeck.knowledge.layers.build_layers import row_as_json
from cuedeck.knowledge.layers.compute_layers import (
    LayerContext,
    layer_context,
    layers_of_file,
)
from cuedeck.knowledge.layers.folder_scan import FolderScan
from cuedeck.knowledge.layers.layer_computer import LayerComputer
from cuedeck.knowledge.layers.layer_file import EXTRACTIVE, parse_layer_file
from cuedeck.knowledge.layers.layer_states import STATUSES, LayerRow, is_extractive
from cuedeck.knowledge.layers.layer_values import LEVELS, LayerPair, Level
from cuedeck.knowledge.layers.scan_layers import LayerScanner
from cuedeck.model.cortex_address import CortexAddress
from cuedeck.model.errors import CueDeckError
from cuedeck.store.cortex.dirty_journal import DirtyJournal
from cuedeck.store.cortex.layer_store import LayerStore

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace

_DIFFERS = "a new computation gives another text"
_PlacedRow = tuple[CortexAddress, LayerRow]
"""A layer with its folder."""


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
    rows: list[_PlacedRow] = []
    for scan in scans:
        rows += _rows(scan)
    return _answer(
        workspace,
        scans,
        rows,
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
    verifier = _LayerVerifier(store, context)
    rows: list[_PlacedRow] = []
    for scan in reversed(scans):
        rows += _rows(scan)
        if scan.address is not None:
            differing = verifier.find_differing(
                scan,
                scan.address,
            )
            rows += [(scan.address, row) for row in differing]
    rows.sort(key=lambda each: (each[0].parts, each[1]))
    answer = _answer(
        workspace,
        scans,
        rows,
    )
    return {**answer, "verified": not rows}


def _rows(scan: FolderScan) -> Iterator[_PlacedRow]:
    if scan.address is None:
        return
    for row in (*scan.own_rows(), *scan.rows):
        yield scan.address, row


def _answer(
    workspace: Workspace,
    scans: list[FolderScan],
    rows: list[_PlacedRow],
) -> dict[str, Any]:
    counts = Counter(row.status for _, row in rows)
    folders = [scan for scan in scans if scan.address is not None]
    fresh_of_files = sum(scan.fresh for scan in folders)
    fresh_of_folders = sum(len(LEVELS) - len(scan.own_rows()) for scan in folders)
    differing = sum(row.reason == _DIFFERS for _, row in rows)
    counts["fresh"] = fresh_of_files + fresh_of_folders - differing
    marked = DirtyJournal(workspace.paths).read()
    return {
        **{status: counts[status] for status in STATUSES},
        "whole": sum(scan.whole for scan in folders),
        "files": sum(scan.file_count for scan in folders),
        "folders": len(folders),
        "layers": [row_as_json(folder, row) for folder, row in rows],
        "marked": [address.text for address in marked.folders],
    }


class _LayerVerifier:
    """Comparison of stored layers with those of a new computation."""

    def __init__(self, store: LayerStore, context: LayerContext) -> None:
        self._store = store
        self._context = context
        self._computer = LayerComputer(store, context, uses_stored=False)

    def find_differing(
        self, scan: FolderScan, folder: CortexAddress
    ) -> Iterator[LayerRow]:
        """Yield the fresh, computed layers of a folder whose text is not the one that a
        new computation gives. The folders below it must be compared first.
        """
        not_fresh: set[tuple[str, str]] = set()
        for row in (*scan.own_rows(), *scan.rows):
            not_fresh.add((row.name, row.level))

        pairs: dict[str, LayerPair] = {}
        for name, state in scan.states().items():
            levels = [level for level in LEVELS if level in state.needs]
            fresh = [level for level in levels if (name, level) not in not_fresh]
            if not fresh:
                continue
            pair = self._compute_file(folder.child(name))
            if pair is None:
                continue
            pairs[name] = pair
            yield from self._compare(folder, name, fresh, pair)

        of_folder = self._computer.folder(scan, pairs)
        computed = [level for level in LEVELS if is_extractive(scan.own.get(level))]
        fresh = [level for level in computed if ("", level) not in not_fresh]
        yield from self._compare(folder, "", fresh, of_folder)

    def _compute_file(self, address: CortexAddress) -> LayerPair | None:
        """Return the layers of a file; None if it was deleted since it was listed."""
        try:
            data = self._store.tree.read(address)
        except CueDeckError:
            return None
        return layers_of_file(self._context, address, data)

    def _compare(
        self,
        folder: CortexAddress,
        name: str,
        levels: Iterable[Level],
        pair: LayerPair,
    ) -> Iterator[LayerRow]:
        """Yield the levels of a file, or of the folder if the name is empty, at which
        the stored layer is not that of the pair.
        """
        for level in levels:
            stored = self._store.read(
                folder,
                name,
                level,
            )
            if not _is_equal(stored, pair.text(level)):
                yield LayerRow(
                    name,
                    level,
                    "stale",
                    _DIFFERS,
                )


def _is_equal(stored: bytes, text: str) -> bool:
    """Return whether a stored layer has this text; one that was not extracted is equal
    to every text.
    """
    layer = parse_layer_file(stored)
    if layer is None:
        return False
    if layer.generated_by != EXTRACTIVE:
        return True
    return layer.body == text
