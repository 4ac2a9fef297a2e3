"""Status and verification of the layers of the cortex tree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from cuedeck.knowledge.layers.build_layers import row_as_json
from cuedeck.knowledge.layers.compute_layers import LayerContext, layer_context
from cuedeck.knowledge.layers.layer_computer import LayerComputer
from cuedeck.knowledge.layers.layer_file import EXTRACTIVE, parse_layer_file
from cuedeck.knowledge.layers.layer_values import LayerPair, Level
from cuedeck.knowledge.layers.tree_state import (
    STATUSES,
    FolderState,
    LayerRow,
    TreeReader,
)
from cuedeck.store.cortex.layer_store import LayerStore

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace

_DIFFERS = "a new computation gives another text"


def layer_status(workspace: Workspace, *, use_cache: bool = True) -> dict[str, Any]:
    """Return the number of layers by status, and the layers that are not fresh.

    Without the cache every file is read. Raises: StorageError, ConfigurationError.
    """
    store = LayerStore(workspace.paths)
    context = layer_context(workspace)
    states = TreeReader(store, context, use_cache=use_cache).read()
    return _answer(states, [list(state.rows()) for state in states])


def verify_layers(workspace: Workspace) -> dict[str, Any]:
    """Return the status without the cache, and compare each fresh layer with a new
    computation; the answer has `verified`, whether everything is fresh and equal.

    Raises: StorageError, ConfigurationError.
    """
    store = LayerStore(workspace.paths)
    context = layer_context(workspace)
    states = TreeReader(store, context, use_cache=False).read()
    verifier = _LayerVerifier(store, context)
    rows = [list(verifier.rows(state)) for state in reversed(states)]
    answer = _answer(states, rows[::-1])
    return {**answer, "verified": not answer["layers"]}


def _answer(
    states: Sequence[FolderState], rows: Sequence[Sequence[LayerRow]]
) -> dict[str, Any]:
    counts = Counter(row.status for found in rows for row in found)
    layers = [
        row_as_json(state, row)
        for state, found in zip(states, rows, strict=True)
        for row in found
        if row.status != "fresh"
    ]
    stale = {
        state.address.text
        for state, found in zip(states, rows, strict=True)
        if any(row.status == "stale" for row in found)
    }
    return {
        **{status: counts[status] for status in STATUSES},
        "whole": sum(state.whole for state in states),
        "files": sum(len(state.files) for state in states),
        "folders": len(states),
        "layers": layers,
        "marked": sorted(stale),
    }


class _LayerVerifier:
    """Comparison of stored layers with those of a new computation."""

    def __init__(self, store: LayerStore, context: LayerContext) -> None:
        self._store = store
        self._computer = LayerComputer(store, context, uses_stored=False)

    def rows(self, state: FolderState) -> Iterator[LayerRow]:
        """Yield the layers of a folder; a fresh, computed one whose text is not that of
        a new computation is stale. The folders below it must be compared first.
        """
        pairs: dict[str, LayerPair] = {}
        rows = list(state.rows())
        for row in rows:
            if row.name and row.status == "fresh" and row.name not in pairs:
                pairs[row.name] = self._computer.file(state, row.name)
        pairs[""] = self._computer.folder(state, pairs)
        for row in rows:
            if row.status == "fresh" and not self._is_equal(state, row, pairs):
                row = row._replace(status="stale", reason=_DIFFERS)
            yield row

    def _is_equal(
        self, state: FolderState, row: LayerRow, pairs: dict[str, LayerPair]
    ) -> bool:
        """Return whether a stored layer has the text of a new computation; one that a
        command wrote is equal to every text.
        """
        level: Level = "L0" if row.level == "L0" else "L1"
        layer = parse_layer_file(self._store.read(state.address, row.name, level))
        if layer is None:
            return False
        return layer.generated_by != EXTRACTIVE or layer.body == pairs[row.name].text(
            level
        )
