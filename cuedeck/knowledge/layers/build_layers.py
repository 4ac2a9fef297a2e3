"""Building of the layers of the cortex tree: only what changed is computed."""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from cuedeck.context.search.read_address import resolve_readable
from cuedeck.knowledge.cortex.cortex_places import find_place
from cuedeck.knowledge.layers.compute_layers import (
    LayerContext,
    layer_context,
    layers_of_file,
    masked_text,
)
from cuedeck.knowledge.layers.folder_scan import FolderScan
from cuedeck.knowledge.layers.layer_computer import LayerComputer
from cuedeck.knowledge.layers.layer_file import (
    EXTRACTIVE,
    format_layer_file,
    new_layer_file,
)
from cuedeck.knowledge.layers.layer_hash import file_hash
from cuedeck.knowledge.layers.layer_states import LayerRow
from cuedeck.knowledge.layers.layer_values import LEVELS, LayerPair, Level
from cuedeck.knowledge.layers.scan_layers import LayerScanner
from cuedeck.knowledge.layers.summarise import Inputs, Summariser, Summary
from cuedeck.model.cortex_address import (
    CortexAddress,
    CortexAddressError,
    is_cortex_address,
    parse_cortex_address,
)
from cuedeck.model.errors import CueDeckError
from cuedeck.model.formatting import quoted
from cuedeck.model.paths import CORTEX
from cuedeck.parse.notebook import as_shown
from cuedeck.parse.text_decoding import decode_with_nuls
from cuedeck.store.cortex.cortex_tree import CortexTree
from cuedeck.store.cortex.dirty_journal import DirtyJournal
from cuedeck.store.cortex.layer_store import LOCK, LayerStore, layer_name
from cuedeck.store.files.background_process import start as start_in_background

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace

_BUILT = ("missing", "stale", "fresh")
"""Statuses of layers that a build writes; a fresh one is given only by a rebuild."""
_KEPT = ("manual", "foreign")
_STRAYS = {
    "link": "links are not followed",
    "not_a_file": "it is neither a file nor a folder",
}
"""Why a name has no layers, by the reason of the tree."""


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
    """Edited and foreign layers, which a build replaces only with `adopt`."""
    failed: list[dict[str, Any]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    outside: str | None = None
    """Address outside the cortex tree, whose layers need no build."""

    def as_json(self) -> dict[str, Any]:
        """Return the receipt as plain values."""
        return {
            "made": self.made,
            "reused": self.reused,
            "whole": self.whole,
            "removed": self.removed,
            "kept": self.kept,
            "failed": self.failed,
            "notes": self.notes,
            "outside": self.outside,
        }


def build_layers_of(
    workspace: Workspace,
    text: str,
    *,
    adopt: bool = False,
    rebuild: bool = False,
    dry_run: bool = False,
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
    return build_layers(workspace, top, adopt=adopt, rebuild=rebuild, dry_run=dry_run)


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
    adopt: bool = False,
    rebuild: bool = False,
    dry_run: bool = False,
) -> BuildReceipt:
    """Build the layers below `top` (None: the whole tree) and those of its ancestors
    that are missing or stale.

    With `adopt`, edited and foreign layers are replaced, too, and their files are
    backed up. With `rebuild`, fresh layers are written again, which lets a summariser
    command write them. A server with a summariser command builds in the background.
    Raises: NotFound with the nearest addresses, Locked, StorageError,
    ConfigurationError.
    """
    if top is not None:
        top = find_place(workspace, top.text).address
    if not dry_run and _must_not_wait(workspace):
        return _start_build(workspace)
    journal = DirtyJournal(workspace.paths)
    build = _Build(workspace, adopt=adopt, rebuild=rebuild, dry_run=dry_run)
    with build.store.building():
        marked = journal.read()
        build.run(None, top)
        build.note_strays(top)
        if top is None and not dry_run:
            journal.drop(marked)
    return build.receipt


def build_marked_layers(workspace: Workspace) -> BuildReceipt:
    """Build the layers of the folders that the journal marks and of their ancestors.

    Other folders are not read: an edit by hand is found by `layers build`. A server
    with a summariser command builds in the background. Raises: Locked, StorageError,
    ConfigurationError.
    """
    if _must_not_wait(workspace):
        return _start_build(workspace)
    journal = DirtyJournal(workspace.paths)
    build = _Build(workspace)
    with build.store.building():
        marked = journal.read()
        if marked.folders:
            build.run(_with_ancestors(marked.folders), None)
        journal.drop(marked)
    return build.receipt


def _must_not_wait(workspace: Workspace) -> bool:
    """Return whether a build would block a server: it answers all calls on a workspace
    in one thread, and a summariser command may take minutes.
    """
    is_server = workspace.command_answers is not None
    return is_server and bool(workspace.settings.layers.summariser)


def _start_build(workspace: Workspace) -> BuildReceipt:
    """Start `layers build` in another process. The journal keeps the folders to build
    until that process has built them.
    """
    command = ("layers", "build")
    is_started = start_in_background(workspace.paths, LOCK, command)
    note = "layers are built in the background"
    if not is_started:
        note = "the summariser is busy; `cuedeck layers build` builds the other layers"
    return BuildReceipt(notes=[note])


def _with_ancestors(folders: Collection[CortexAddress]) -> set[str]:
    """Return the addresses of folders and of all their ancestors, with the empty one of
    the whole tree.
    """
    found = {""}
    for folder in folders:
        address: CortexAddress | None = folder
        while address is not None:
            found.add(address.text)
            address = address.parent
    return found


class _Build:
    """One build of the tree."""

    def __init__(
        self,
        workspace: Workspace,
        *,
        adopt: bool = False,
        rebuild: bool = False,
        dry_run: bool = False,
    ) -> None:
        self.context: LayerContext = layer_context(workspace)
        self.store = LayerStore(workspace.paths)
        self.receipt = BuildReceipt()
        self._statuses = (*_BUILT, *_KEPT) if adopt else _BUILT
        self._is_rebuild = rebuild
        self._dry_run = dry_run
        self._summariser = Summariser(workspace, self.context)
        self._computer = LayerComputer(self.store, self.context)

    def run(self, only: Collection[str] | None, top: CortexAddress | None) -> None:
        """Scan the tree and build its folders, a folder after those below it."""
        scanner = LayerScanner(self.store, self.context)
        scans = scanner.scan(only)
        for scan in reversed(scans):
            if only is not None and scan.text not in only:
                continue
            if scan.address is not None and _concerns(scan.address, top):
                self._build_folder(scan, scan.address)
        if not self._dry_run:
            scanner.save(scans)

    def note_strays(self, top: CortexAddress | None) -> None:
        """Note the names below a folder that no address names: they have no layers."""
        tree = self.store.tree
        if top is not None and tree.kind_of(top) != "folder":
            return
        for folder, _ in tree.walk(top):
            path = folder.path if folder else CORTEX
            for stray in tree.strays(folder):
                reason = _STRAYS.get(stray.reason, "no address can name it")
                self.receipt.notes.append(f"left out {path}/{stray.name}: {reason}")

    def _build_folder(self, scan: FolderScan, folder: CortexAddress) -> None:
        own_rows = scan.own_rows()
        file_rows = scan.rows
        reused = scan.fresh + len(LEVELS) - len(own_rows)
        if self._is_rebuild:
            own_rows = _with_fresh(own_rows, {"": "L0L1"})
            states = scan.states()
            needs = {name: states[name].needs for name in sorted(states)}
            file_rows = _with_fresh(file_rows, needs)
            reused = 0
        self.receipt.reused += reused
        self.receipt.whole += scan.whole
        pairs: dict[str, LayerPair] = {}
        states = scan.states() if file_rows or own_rows else {}
        for row in file_rows:
            self._build_file(folder, row, states, pairs)
        wanted = [row for row in own_rows if row.status in self._statuses]
        for row in own_rows:
            if row not in wanted:
                self._report(self.receipt.kept, folder, row)
        if wanted:
            pair = self._computer.folder(scan, pairs)
            for row in wanted:
                self._write(folder, row, scan.hash, pair, self._computer.inputs)

    def _build_file(
        self,
        folder: CortexAddress,
        row: LayerRow,
        states: Mapping[str, Any],
        pairs: dict[str, LayerPair],
    ) -> None:
        if row.status == "failed":
            self._report(self.receipt.failed, folder, row)
            return
        if row.status not in self._statuses:
            self._report(self.receipt.kept, folder, row)
            return
        state = states.get(row.name)
        if state is None or row.level not in state.needs:
            if not self._dry_run:
                if row.status in _KEPT:
                    self.store.back_up(folder, row.name, row.level)
                self.store.remove(folder, row.name, row.level)
            self._report(self.receipt.removed, folder, row)
            return
        if row.name not in pairs:
            address = folder.child(row.name)
            try:
                data = self.store.tree.read(address)
            except CueDeckError as error:
                problem = LayerRow(row.name, row.level, "failed", error.message)
                self._report(self.receipt.failed, folder, problem)
                return
            if file_hash(self.context.rules, address.text, data) != state.hash:
                note = f"{address.text} changed during the build; build again"
                self.receipt.notes.append(note)
                return
            pairs[row.name] = layers_of_file(self.context, address, data)
        inputs: Inputs = ()
        if self._summariser.is_enabled:
            inputs = self._file_inputs(folder.child(row.name))
        self._write(folder, row, state.hash, pairs[row.name], inputs)

    def _file_inputs(self, address: CortexAddress) -> Inputs:
        try:
            data = self.store.tree.read(address)
        except CueDeckError:
            return ()
        decoded = as_shown(address.name, decode_with_nuls(data))
        return [(address.name, masked_text(self.context, decoded.text))]

    def _write(
        self,
        folder: CortexAddress,
        row: LayerRow,
        input_hash: str,
        pair: LayerPair,
        inputs: Inputs,
    ) -> None:
        level: Level = "L0" if row.level == "L0" else "L1"
        name = row.name
        source = folder.child(name).text if name else folder.text
        summary = Summary(pair.text(level), EXTRACTIVE)
        if not self._dry_run:
            summary = self._summariser.summarise(source, level, summary.text, inputs)
        if summary.note:
            self.receipt.notes.append(summary.note)
        tokens = self.context.count.count(summary.text)
        layer = new_layer_file(
            level, source, input_hash, summary.text, tokens, summary.generated_by
        )
        if not self._dry_run:
            if row.status in _KEPT:
                self.store.back_up(folder, name, level)
            self.store.write(folder, name, level, format_layer_file(layer))
        self.receipt.made.append(
            {
                "address": source,
                "layer": level,
                "path": _path(folder, name, level),
                "status": row.status,
                "tokens": tokens,
                "generated_by": layer.generated_by,
            }
        )

    def _report(
        self, rows: list[dict[str, Any]], folder: CortexAddress, row: LayerRow
    ) -> None:
        rows.append(row_as_json(folder, row))


def _with_fresh(rows: Sequence[LayerRow], needs: Mapping[str, str]) -> list[LayerRow]:
    """Return the rows with one for each needed layer that has none: it is fresh."""
    known = {(row.name, row.level) for row in rows}
    fresh = [
        LayerRow(name, level, "fresh", "")
        for name, levels in needs.items()
        for level in LEVELS
        if level in levels and (name, level) not in known
    ]
    return [*rows, *fresh]


def row_as_json(folder: CortexAddress, row: LayerRow) -> dict[str, Any]:
    """Return a row of a status or a receipt as plain values."""
    return {
        "address": folder.child(row.name).text if row.name else folder.text,
        "layer": row.level,
        "path": _path(folder, row.name, row.level),
        "status": row.status,
        "reason": row.reason,
    }


def _path(folder: CortexAddress, name: str, level: str) -> str:
    if not level:
        return f"{folder.path}/{name}"
    return f"{folder.path}/{layer_name(name, level)}"


def _concerns(folder: CortexAddress, top: CortexAddress | None) -> bool:
    """Return whether a folder is `top`, below it, or an ancestor of it."""
    if top is None:
        return True
    shorter = min(len(folder.parts), len(top.parts))
    return folder.parts[:shorter] == top.parts[:shorter]
