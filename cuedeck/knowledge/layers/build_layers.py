"""Building of the layers of the cortex tree: only what changed is computed; and their
status and verification.
"""

from __future__ import annotations

import contextlib
import json
import posixpath
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from cuedeck.context.search.read_address import resolve_readable
from cuedeck.knowledge.cortex.cortex_places import find_place
from cuedeck.knowledge.layers.layer_file import (
    EXTRACTIVE,
    LIMITS,
    LayerFile,
    format_layer_file,
)
from cuedeck.knowledge.layers.tree_layers import (
    GONE,
    SPARE,
    STATUSES,
    LayerRow,
    TreeLayers,
    TreePlace,
    count_whole,
)
from cuedeck.model.cortex_address import (
    CortexAddress,
    CortexAddressError,
    Level,
    is_cortex_address,
    parse_cortex_address,
)
from cuedeck.model.errors import CueDeckError, StorageError
from cuedeck.model.formatting import abbreviate, quoted
from cuedeck.store.cortex.cortex_tree import LOCK, CortexTree
from cuedeck.store.files.background_process import start as start_in_background
from cuedeck.store.files.external_command import Limits, run_command

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace

_DIFFERS = "a new computation gives another text"
_LARGEST_ANSWER = 200_000
"""Bytes."""
_LARGEST_INPUT = 400_000
"""Characters of the inputs that the command receives."""
_MOST_FAILURES = 3
"""Consecutive failures after which a build does not call the command again."""
_UNSAFE = re.compile(r"[^\w.-]+")
_CITED = re.compile(r"`([^`\n]+)`|(?<![\w!])\[([^\[\]\n]+)\](?!\()")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_HINT = "CUEDECK_LAYERS__SUMMARISER names the command and its arguments"
_SECONDS_HINT = "CUEDECK_LAYERS__SUMMARISER_SECONDS sets the time limit"


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
    if workspace.is_server and workspace.settings.layers.summariser and not dry_run:
        note = "layers are built in the background"
        if not start_in_background(workspace.paths, LOCK, ("layers", "build")):
            note = "the summariser is busy; `cuedeck layers build` builds other layers"
        return BuildReceipt(notes=[note])
    build = _Build(workspace, rebuild=rebuild, dry_run=dry_run)
    for folder in reversed(build.layers.folders()):
        address = folder.address
        if top is None or address.is_within(top) or top.is_within(address):
            build.folder(folder)
    workspace.counter().save()
    return build.receipt


class _Build:
    """One build of the tree. A folder is built after those below it."""

    def __init__(self, workspace: Workspace, *, rebuild: bool, dry_run: bool) -> None:
        self.receipt = BuildReceipt()
        self.layers = TreeLayers(workspace)
        self._context = self.layers.context
        self._rebuild = rebuild
        self._dry_run = dry_run
        self._workspace = workspace
        self._command = workspace.settings.layers.summariser
        self._failures = 0
        """Consecutive failures of the command."""

    def folder(self, folder: TreePlace) -> None:
        """Write the stale layers of a folder and of its files."""
        places = {each.address: each for each in (folder, *folder.children)}
        files: dict[str, bytes | None] = {}
        rows = self.layers.rows(folder)
        self.receipt.whole += count_whole(folder, rows)
        for row in rows:
            if row.status == "kept":
                self.receipt.kept.append(row.as_json())
            elif row.status == "fresh" and not self._rebuild:
                self.receipt.reused += 1
            elif row.reason in (SPARE, GONE):
                files[row.file] = None
                self.receipt.removed.append(row.as_json())
            else:
                with contextlib.suppress(CueDeckError):  # deleted during the build
                    files[row.file] = self._layer(places[row.address], row)
        if files and not self._dry_run:
            with self.layers.tree.writing() as writer:
                writer.write_layers(folder.address, files)

    def _layer(self, place: TreePlace, row: LayerRow) -> bytes:
        text, producer = self.layers.pair(place).text(row.level), EXTRACTIVE
        source = place.address.text
        if self._command and not self._dry_run:
            summary, fault = self._summarise(place, row.level, text)
            if fault:
                note = f"{source} {row.level}: computed, {fault}"
                self.receipt.notes.append(note)
            else:
                name = posixpath.basename(self._command[0].replace("\\", "/"))
                text, producer = summary, f"command:{_UNSAFE.sub('-', name)[:60]}"
        tokens = self._context.count.count(text)
        found = {**row.as_json(), "tokens": tokens, "generated_by": producer}
        del found["reason"]
        self.receipt.made.append(found)
        layer = LayerFile(row.level, source, place.hash, tokens, text, producer)
        return format_layer_file(layer)

    def _summarise(self, place: TreePlace, level: Level, draft: str) -> tuple[str, str]:
        """Return the layer that the command writes, and why it cannot be used."""
        if self._failures >= _MOST_FAILURES:
            return "", "the summariser failed before"
        left = _LARGEST_INPUT
        inputs = []
        known = [draft]
        for name, text in self.layers.inputs(place):
            inputs.append({"name": name, "text": text[:left]})
            known.append(f"{name}\n{text}")
            left = max(left - len(text), 0)
        request = {
            "schema": 1,
            "address": place.address.text,
            "layer": level,
            "limit_tokens": LIMITS[level],
            "encoding": self._context.count.encoding,
            "draft": draft,
            "inputs": inputs,
        }
        data = json.dumps(request, ensure_ascii=False).encode("utf-8", "replace")
        seconds = self._workspace.settings.layers.summariser_seconds
        limits = Limits(seconds, _LARGEST_ANSWER, _HINT, _SECONDS_HINT)
        root = self._workspace.paths.root
        text = ""
        try:
            answer = run_command(self._command, data, limits, root)
            text = answer.decode().replace("\r\n", "\n").strip()
            fault = self._fault(text, level, "\n".join(known))
        except UnicodeDecodeError:
            fault = "the answer is not UTF-8"
        except StorageError as error:
            fault = error.message
        if fault:
            self._failures += 1
            return "", f"because the summariser failed: {fault}"
        self._failures = 0
        return text, ""

    def _fault(self, text: str, level: Level, known: str) -> str:
        """Return why a summary cannot be used; empty if it can.

        Every name in backticks and every citation in brackets must occur in `known`,
        the text that was summarised.
        """
        if self._context.find_secrets(text):
            return "the answer contains a secret"
        if not text:
            return "the answer is empty"
        if _CONTROL.search(text):
            return "the answer contains control characters"
        tokens = self._context.count.count(text)
        if tokens > LIMITS[level]:
            return f"the answer has {tokens:,} tokens, more than {LIMITS[level]:,}"
        if all(line.startswith("#") for line in text.split("\n") if line):
            return "the answer consists of headings"
        for match in _CITED.finditer(text):
            name = match[1] or match[2]
            if name not in known:
                shown = abbreviate(name)
                return f"the answer names `{shown}`, which the text does not contain"
        return ""


def layer_status(workspace: Workspace) -> dict[str, Any]:
    """Return the number of layers by status, and the layers that are not fresh.

    Raises: StorageError, ConfigurationError.
    """
    layers = TreeLayers(workspace)
    folders = layers.folders()
    workspace.counter().save()
    return _answer([(folder, layers.rows(folder)) for folder in folders])


def verify_layers(workspace: Workspace) -> dict[str, Any]:
    """Return the status, and compare each fresh, computed layer with a new computation;
    the answer has `verified`, whether everything is fresh and equal.

    Raises: StorageError, ConfigurationError.
    """
    layers = TreeLayers(workspace, uses_stored=False)
    folders = layers.folders()
    compared = []
    for folder in reversed(folders):
        rows = []
        places = {each.address: each for each in (folder, *folder.children)}
        for row in layers.rows(folder):
            layer = row.layer
            if row.status == "fresh" and layer and layer.generated_by == EXTRACTIVE:
                pair = layers.pair(places[row.address])
                if layer.body != pair.text(row.level):
                    row = row._replace(status="stale", reason=_DIFFERS)
            rows.append(row)
        compared.append((folder, rows))
    answer = _answer(compared[::-1])
    return {**answer, "verified": not answer["layers"]}


def _answer(found: Sequence[tuple[TreePlace, Sequence[LayerRow]]]) -> dict[str, Any]:
    rows = [row for _, rows in found for row in rows]
    counts: dict[str, int] = dict.fromkeys(STATUSES, 0)
    for row in rows:
        counts[row.status] += 1
    children = [child for folder, _ in found for child in folder.children]
    return {
        **counts,
        "whole": sum(count_whole(*each) for each in found),
        "files": sum(not child.is_folder for child in children),
        "folders": len(found),
        "layers": [row.as_json() for row in rows if row.status != "fresh"],
        "marked": sorted({row.folder.text for row in rows if row.status == "stale"}),
    }
