"""Building of the layers of the cortex tree: only what changed is computed; and their
status and verification.
"""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING, Any

from cuedeck.context.search.read_address import resolve_readable
from cuedeck.knowledge.cortex.cortex_places import find_place
from cuedeck.knowledge.layers.compute_layers import layer_context, layers_of_file
from cuedeck.knowledge.layers.layer_file import (
    EXTRACTIVE,
    LayerFile,
    LayerPair,
    Level,
    file_hash,
    format_layer_file,
)
from cuedeck.knowledge.layers.summarise import Summariser
from cuedeck.knowledge.layers.tree_state import (
    GONE,
    SPARE,
    STATUSES,
    FolderState,
    LayerComputer,
    LayerRow,
    read_tree,
)
from cuedeck.model.cortex_address import (
    CortexAddress,
    CortexAddressError,
    is_cortex_address,
    parse_cortex_address,
)
from cuedeck.model.errors import CueDeckError
from cuedeck.model.formatting import quoted
from cuedeck.parse.notebook import as_shown
from cuedeck.parse.text_decoding import decode_with_nuls
from cuedeck.store.cortex.cortex_tree import LOCK, CortexTree
from cuedeck.store.cortex.layer_store import layer_name
from cuedeck.store.files.background_process import start as start_in_background

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace

_DIFFERS = "a new computation gives another text"


@dataclass(slots=True)
class BuildReceipt:
    """What a build did; addresses are in the order of the tree, deepest first."""

    made: list[dict[str, Any]] = field(default_factory=list)
    reused: int = 0
    """Layers that were fresh."""
    whole: int = 0
    """Layers that need no file, because the text fits the limit."""
    removed: list[dict[str, Any]] = field(default_factory=list)
    kept: list[dict[str, Any]] = field(default_factory=list)
    """Edited and foreign layers, which a build never replaces."""
    notes: list[str] = field(default_factory=list)
    outside: str | None = None
    """Address outside the cortex tree, whose layers need no build."""

    def as_json(self) -> dict[str, Any]:
        """Return the receipt as plain values."""
        return asdict(self)


def build_layers_of(
    workspace: Workspace, text: str, *, rebuild: bool = False, dry_run: bool = False
) -> BuildReceipt:
    """Build the layers below an address that a user entered; empty for the whole tree.

    A file or folder outside the cortex tree has no layer files: the receipt says how to
    read its layers. Raises: the errors of `build_layers` and of `resolve_readable`.
    """
    outside = _outside(workspace, text)
    if outside:
        read = f"`cuedeck read {quoted(outside)} --layer L0`"
        note = f"{outside}: its layers are computed when they are read, by {read}"
        return BuildReceipt(notes=[note], outside=outside)
    top = parse_cortex_address(text) if text else None
    return build_layers(workspace, top, rebuild=rebuild, dry_run=dry_run)


def _outside(workspace: Workspace, text: str) -> str:
    """Return the address of a file or folder outside the cortex tree; empty for an
    address of the tree.
    """
    if not text or is_cortex_address(text):
        return ""
    with contextlib.suppress(CortexAddressError):
        address = parse_cortex_address(text)
        if CortexTree(workspace.paths).kind_of(address):
            return ""
    workspace.refresh()
    return resolve_readable(workspace, text).address


def build_layers(
    workspace: Workspace,
    top: CortexAddress | None = None,
    *,
    rebuild: bool = False,
    dry_run: bool = False,
) -> BuildReceipt:
    """Build the stale layers below `top` (None: the whole tree) and those of its
    ancestors.

    With `rebuild`, fresh layers are written again, which lets a summariser command
    write them. A server with a summariser command builds in another process, because it
    answers all calls on a workspace in one thread. Raises: NotFound with the nearest
    addresses, Locked, StorageError, ConfigurationError.
    """
    if top is not None:
        top = find_place(workspace.paths, top.text).address
    is_server = workspace.command_answers is not None
    if is_server and workspace.settings.layers.summariser and not dry_run:
        note = "layers are built in the background"
        if not start_in_background(workspace.paths, LOCK, ("layers", "build")):
            note = "the summariser is busy; `cuedeck layers build` builds other layers"
        return BuildReceipt(notes=[note])
    build = _Build(workspace, rebuild=rebuild, dry_run=dry_run)
    for state in reversed(build.states):
        address = state.address
        if top is None or address.is_within(top) or top.is_within(address):
            build.folder(state)
    workspace.counter().save()
    return build.receipt


class _Build:
    """One build of the tree. A folder is built after those below it."""

    def __init__(self, workspace: Workspace, *, rebuild: bool, dry_run: bool) -> None:
        self.receipt = BuildReceipt()
        self._tree = CortexTree(workspace.paths)
        self._context = layer_context(workspace)
        self._rebuild = rebuild
        self._dry_run = dry_run
        self._summariser = Summariser(workspace, self._context)
        self._computer = LayerComputer(self._tree, self._context)
        self._files: dict[str, bytes | None] = {}
        """New contents of the layer files of a folder, None for a removed one."""
        self.states = read_tree(self._tree, self._context)

    def folder(self, state: FolderState) -> None:
        """Write the stale layers of a folder, of its files first."""
        self.receipt.whole += state.whole
        wanted = []
        for row in state.rows():
            if row.status == "kept":
                self.receipt.kept.append(row_as_json(state, row))
            elif row.status == "fresh" and not self._rebuild:
                self.receipt.reused += 1
            else:
                wanted.append(row)
        self._files = {}
        pairs: dict[str, LayerPair] = {}
        own = [row for row in wanted if not row.name]
        for name, rows in groupby(wanted[len(own) :], key=lambda row: row.name):
            self._build_file(state, name, list(rows), pairs)
        if own:
            pair = self._computer.folder(state, pairs)
            for row in own:
                self._write(state, row, pair, state.hash, self._computer.inputs)
        if self._files and not self._dry_run:
            with self._tree.writing() as writer:
                writer.write_layers(state.address, self._files)

    def _build_file(
        self,
        state: FolderState,
        name: str,
        rows: Sequence[LayerRow],
        pairs: dict[str, LayerPair],
    ) -> None:
        """Compute the layers of a file, or remove those that it does not need."""
        needed = [row for row in rows if row.reason not in (SPARE, GONE)]
        for row in rows:
            if row not in needed:
                self._files[layer_name(name, row.level)] = None
                self.receipt.removed.append(row_as_json(state, row))
        address = state.address.child(name)
        try:
            data = self._tree.read(address) if needed else b""
        except CueDeckError:  # deleted during the build
            return
        if not needed:
            return
        input_hash = file_hash(self._context.rules, address.text, data)
        pairs[name] = layers_of_file(self._context, address, data)
        text = as_shown(name, decode_with_nuls(data)).text
        inputs = [(name, self._context.masked(text))]
        for row in needed:
            self._write(state, row, pairs[name], input_hash, inputs)

    def _write(
        self,
        state: FolderState,
        row: LayerRow,
        pair: LayerPair,
        input_hash: str,
        inputs: Sequence[tuple[str, str]],
    ) -> None:
        level: Level = "L0" if row.level == "L0" else "L1"
        found = row_as_json(state, row)
        source = found["address"]
        text, producer = pair.text(level), EXTRACTIVE
        if not self._dry_run:
            summary = self._summariser.summarise(source, level, text, inputs)
            text, producer = summary.text, summary.generated_by
            if summary.note:
                self.receipt.notes.append(summary.note)
        tokens = self._context.count.count(text)
        layer = LayerFile(level, source, input_hash, tokens, text, producer)
        self._files[layer_name(row.name, level)] = format_layer_file(layer)
        del found["reason"]
        self.receipt.made.append({**found, "tokens": tokens, "generated_by": producer})


def row_as_json(state: FolderState, row: LayerRow) -> dict[str, Any]:
    """Return a row of a status or a receipt as plain values."""
    folder = state.address
    return {
        "address": folder.child(row.name).text if row.name else folder.text,
        "layer": row.level,
        "path": f"{folder.path}/{layer_name(row.name, row.level)}",
        "status": row.status,
        "reason": row.reason,
    }


def layer_status(workspace: Workspace) -> dict[str, Any]:
    """Return the number of layers by status, and the layers that are not fresh.

    Raises: StorageError, ConfigurationError.
    """
    states = read_tree(CortexTree(workspace.paths), layer_context(workspace))
    workspace.counter().save()
    return _answer(states, [list(state.rows()) for state in states])


def verify_layers(workspace: Workspace) -> dict[str, Any]:
    """Return the status, and compare each fresh layer with a new computation; the
    answer has `verified`, whether everything is fresh and equal.

    Raises: StorageError, ConfigurationError.
    """
    tree = CortexTree(workspace.paths)
    context = layer_context(workspace)
    states = read_tree(tree, context)
    computer = LayerComputer(tree, context, uses_stored=False)
    rows = [list(_verified_rows(computer, state)) for state in reversed(states)]
    answer = _answer(states, rows[::-1])
    return {**answer, "verified": not answer["layers"]}


def _answer(
    states: Sequence[FolderState], rows: Sequence[Sequence[LayerRow]]
) -> dict[str, Any]:
    counts: Counter[str] = Counter()
    layers = []
    stale = set()
    for state, found in zip(states, rows, strict=True):
        for row in found:
            counts[row.status] += 1
            if row.status != "fresh":
                layers.append(row_as_json(state, row))
            if row.status == "stale":
                stale.add(state.address.text)
    return {
        **{status: counts[status] for status in STATUSES},
        "whole": sum(state.whole for state in states),
        "files": sum(len(state.files) for state in states),
        "folders": len(states),
        "layers": layers,
        "marked": sorted(stale),
    }


def _verified_rows(computer: LayerComputer, state: FolderState) -> Iterator[LayerRow]:
    """Yield the layers of a folder; a fresh, computed one whose text is not that of a
    new computation is stale. The folders below it must be compared first.
    """
    pairs: dict[str, LayerPair] = {}
    rows = list(state.rows())
    for row in rows:
        if row.name and row.status == "fresh" and row.name not in pairs:
            pairs[row.name] = computer.file(state, row.name)
    pairs[""] = computer.folder(state, pairs)
    for row in rows:
        layer = state.layers.get((row.name, row.level))
        if row.status == "fresh" and layer and layer.generated_by == EXTRACTIVE:
            level: Level = "L0" if row.level == "L0" else "L1"
            if layer.body != pairs[row.name].text(level):
                row = row._replace(status="stale", reason=_DIFFERS)
        yield row
