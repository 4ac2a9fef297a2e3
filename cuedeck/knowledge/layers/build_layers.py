"""Building of the layers of the cortex tree: only what changed is computed."""

from __future__ import annotations

import contextlib
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from cuedeck.context.search.read_address import resolve_readable
from cuedeck.knowledge.cortex.cortex_places import find_place
from cuedeck.knowledge.layers.compute_layers import layer_context, layers_of_file
from cuedeck.knowledge.layers.layer_computer import LayerComputer
from cuedeck.knowledge.layers.layer_file import (
    EXTRACTIVE,
    LayerFile,
    file_hash,
    format_layer_file,
)
from cuedeck.knowledge.layers.layer_values import LayerPair, Level
from cuedeck.knowledge.layers.summarise import Inputs, Summariser, Summary
from cuedeck.knowledge.layers.tree_state import FolderState, LayerRow, TreeReader
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
from cuedeck.store.cortex.layer_store import LOCK, LayerStore, layer_name
from cuedeck.store.files.background_process import start as start_in_background

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace

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
        return asdict(self)


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
    return build_layers(
        workspace,
        top,
        adopt=adopt,
        rebuild=rebuild,
        dry_run=dry_run,
    )


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
    """Build the stale layers below `top` (None: the whole tree) and those of its
    ancestors.

    With `adopt`, edited and foreign layers are replaced, too, and their files are
    backed up. With `rebuild`, fresh layers are written again, which lets a summariser
    command write them. A server with a summariser command builds in another process,
    because it answers all calls on a workspace in one thread. Raises: NotFound with the
    nearest addresses, Locked, StorageError, ConfigurationError.
    """
    if top is not None:
        top = find_place(workspace.paths, top.text).address
    is_server = workspace.command_answers is not None
    if is_server and workspace.settings.layers.summariser and not dry_run:
        note = "layers are built in the background"
        if not start_in_background(workspace.paths, LOCK, ("layers", "build")):
            note = "the summariser is busy; `cuedeck layers build` builds other layers"
        return BuildReceipt(notes=[note])
    build = _Build(
        workspace,
        adopt=adopt,
        rebuild=rebuild,
        dry_run=dry_run,
    )
    with build.store.building():
        build.run(top)
    return build.receipt


class _Build:
    """One build of the tree."""

    def __init__(
        self, workspace: Workspace, *, adopt: bool, rebuild: bool, dry_run: bool
    ) -> None:
        self.store = LayerStore(workspace.paths)
        self.receipt = BuildReceipt()
        self._context = layer_context(workspace)
        self._adopt = adopt
        self._rebuild = rebuild
        self._dry_run = dry_run
        self._summariser = Summariser(workspace, self._context)
        self._computer = LayerComputer(self.store, self._context)

    def run(self, top: CortexAddress | None) -> None:
        """Read the tree and build its folders, a folder after those below it."""
        states = TreeReader(self.store, self._context).read()
        for state in reversed(states):
            if (
                top is None
                or state.address.is_within(top)
                or top.is_within(state.address)
            ):
                self._build_folder(state)
        self._note_strays(top)

    def _note_strays(self, top: CortexAddress | None) -> None:
        """Note the names below a folder that no address names: they have no layers."""
        tree = self.store.tree
        if top is not None and tree.kind_of(top) != "folder":
            return
        for folder, _ in tree.walk(top):
            path = folder.path if folder else CORTEX
            for stray in tree.strays(folder):
                reason = _STRAYS.get(stray.reason, "no address can name it")
                self.receipt.notes.append(f"left out {path}/{stray.name}: {reason}")

    def _build_folder(self, state: FolderState) -> None:
        self.receipt.whole += state.whole
        wanted: dict[str, list[LayerRow]] = {}
        for row in state.rows():
            if row.status == "failed":
                self.receipt.failed.append(row_as_json(state, row))
            elif row.status == "kept" and not self._adopt:
                self.receipt.kept.append(row_as_json(state, row))
            elif row.status == "fresh" and not self._rebuild:
                self.receipt.reused += 1
            else:
                wanted.setdefault(row.name, []).append(row)
        own = wanted.pop("", ())
        pairs: dict[str, LayerPair] = {}
        for name, rows in wanted.items():
            self._build_file(
                state,
                name,
                rows,
                pairs,
            )
        if own:
            pair = self._computer.folder(state, pairs)
            for row in own:
                self._write(
                    state,
                    row,
                    pair,
                    self._computer.inputs,
                )

    def _build_file(
        self,
        state: FolderState,
        name: str,
        rows: list[LayerRow],
        pairs: dict[str, LayerPair],
    ) -> None:
        """Write the layers of a file, or remove those that it does not need."""
        file = state.files.get(name)
        needed = [row for row in rows if file is not None and row.level in file.needs]
        for row in rows:
            if row not in needed:
                self._remove(state, row)
        if not needed or file is None:
            return
        address = state.address.child(name)
        try:
            data = self.store.tree.read(address)
        except CueDeckError as error:
            problem = LayerRow(
                name,
                "",
                "failed",
                error.message,
            )
            self.receipt.failed.append(row_as_json(state, problem))
            return
        if file_hash(self._context.rules, address.text, data) != file.hash:
            note = f"{address.text} changed during the build; build again"
            self.receipt.notes.append(note)
            return
        pairs[name] = layers_of_file(self._context, address, data)
        inputs: Inputs = ()
        if self._summariser.is_enabled:
            text = as_shown(name, decode_with_nuls(data)).text
            inputs = [(name, self._context.masked(text))]
        for row in needed:
            self._write(
                state,
                row,
                pairs[name],
                inputs,
            )

    def _remove(self, state: FolderState, row: LayerRow) -> None:
        if not self._dry_run:
            if row.status == "kept":
                self.store.back_up(state.address, row.name, row.level)
            self.store.remove(state.address, row.name, row.level)
        self.receipt.removed.append(row_as_json(state, row))

    def _write(
        self, state: FolderState, row: LayerRow, pair: LayerPair, inputs: Inputs
    ) -> None:
        folder = state.address
        level: Level = "L0" if row.level == "L0" else "L1"
        found = row_as_json(state, row)
        source = found["address"]
        summary = Summary(pair.text(level), EXTRACTIVE)
        if not self._dry_run:
            summary = self._summariser.summarise(
                source,
                level,
                summary.text,
                inputs,
            )
        if summary.note:
            self.receipt.notes.append(summary.note)
        layer = LayerFile(
            level=level,
            source=source,
            input_hash=state.files[row.name].hash if row.name else state.hash,
            tokens=self._context.count.count(summary.text),
            body=summary.text,
            generated_by=summary.generated_by,
        )
        if not self._dry_run:
            if row.status == "kept":
                self.store.back_up(folder, row.name, level)
            self.store.write(
                folder,
                row.name,
                level,
                format_layer_file(layer),
            )
        made = {
            "address": source,
            "layer": level,
            "path": found["path"],
            "status": row.status,
            "tokens": layer.tokens,
            "generated_by": layer.generated_by,
        }
        self.receipt.made.append(made)


def row_as_json(state: FolderState, row: LayerRow) -> dict[str, Any]:
    """Return a row of a status or a receipt as plain values."""
    folder = state.address
    name = row.name
    if row.level:
        name = layer_name(row.name, row.level)
    return {
        "address": folder.child(row.name).text if row.name else folder.text,
        "layer": row.level,
        "path": f"{folder.path}/{name}",
        "status": row.status,
        "reason": row.reason,
    }
