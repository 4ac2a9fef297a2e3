"""Reading of a file, a folder or a layer of the cortex tree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cuedeck.app.layers.compute_layers import (
    LayerContext,
    layer_context,
    layers_of_file,
)
from cuedeck.app.layers.layer_computer import LayerComputer
from cuedeck.app.layers.scan_layers import LayerScanner
from cuedeck.model.address import parse_lines, split_anchor
from cuedeck.model.cortex_address import CortexAddress, parse_layer_address
from cuedeck.model.errors import Invalid, NotFound, UsageError
from cuedeck.parse.text_decoding import decode
from cuedeck.records.layers.layer_file import EXTRACTIVE, LayerFile, parse_layer_file
from cuedeck.records.layers.layer_hash import file_hash
from cuedeck.records.layers.layer_values import Level
from cuedeck.store.cortex.layer_store import LayerStore

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace


def read_cortex(
    workspace: Workspace, text: str, level: Level | None = None
) -> dict[str, Any]:
    """Return the text of a file of the cortex tree, or a layer of a file or folder.

    Without a layer, a folder is read as its overview. Raises: CortexAddressError,
    NotFound, Invalid for lines of a folder or of a layer, StorageError.
    """
    written, anchor = split_anchor(text.strip())
    found = parse_layer_address(written)
    asked = level or (found.layer if found.layer != "L2" else None)
    address = found.address
    store = LayerStore(workspace.paths)
    kind = store.tree.kind_of(address)
    if not kind:
        raise NotFound(
            f"{address.text} does not exist",
            hint="`cuedeck layers status` lists the tree",
        )
    context = layer_context(workspace)
    if kind == "file" and asked is None:
        return _file_answer(workspace, store, context, address, anchor)
    if anchor:
        raise Invalid(
            f"`#{anchor}`: a layer has no lines", hint=f"read {address.text} without it"
        )
    wanted: Level = "L0" if asked == "L0" else "L1"
    answer = {"address": address.text, "path": address.path, "kind": "cortex"}
    read = _file_layer if kind == "file" else _folder_layer
    layer = read(store, context, address, wanted, answer)
    # A layer that was edited by hand may contain a secret.
    layer["text"] = workspace.answer_mask().plain(layer["text"])
    return layer


def _file_answer(
    workspace: Workspace,
    store: LayerStore,
    context: LayerContext,
    address: CortexAddress,
    anchor: str,
) -> dict[str, Any]:
    decoded = decode(store.tree.read(address))
    masked = "" if decoded.binary else workspace.answer_mask().plain(decoded.text)
    rows = masked.splitlines(keepends=True)
    first, last = 1, len(rows)
    if anchor:
        lines = parse_lines(anchor)
        if lines is None:
            raise UsageError(
                f"`#{anchor}` is not a range of lines", hint="write #L3 or #L3-L9"
            )
        first, last = lines.start, min(lines.end or len(rows), len(rows))
    body = "".join(rows[first - 1 : last])
    return {
        "address": address.text,
        "path": address.path,
        "kind": "cortex",
        "lines": [first, last],
        "tokens": context.count.count(body),
        "text": body,
    }


def _file_layer(
    store: LayerStore,
    context: LayerContext,
    address: CortexAddress,
    level: Level,
    answer: dict[str, Any],
) -> dict[str, Any]:
    data = store.tree.read(address)
    folder = address.parent
    if folder is not None:
        stored = _stored(store, folder, address.name, level)
        current = file_hash(context.rules, address.text, data)
        if stored is not None and stored.input_hash == current:
            return _with_stored(answer, stored, level, context)
    pair = layers_of_file(context, address, data)
    return layer_answer(
        answer, pair.text(level), level, context, is_whole=pair.is_whole
    )


def _folder_layer(
    store: LayerStore,
    context: LayerContext,
    address: CortexAddress,
    level: Level,
    answer: dict[str, Any],
) -> dict[str, Any]:
    scanner = LayerScanner(store, context)
    scans = scanner.scan(top=address)
    scanner.save(scans)
    stored = _stored(store, address, "", level)
    if stored is not None and stored.input_hash == scans[0].hash:
        return _with_stored(answer, stored, level, context)
    pair = LayerComputer(store, context).folder(scans[0])
    return layer_answer(answer, pair.text(level), level, context, is_whole=False)


def _stored(
    store: LayerStore, folder: CortexAddress, name: str, level: Level
) -> LayerFile | None:
    layer = parse_layer_file(store.read(folder, name, level))
    if layer is None or layer.level != level:
        return None
    return layer


def _with_stored(
    answer: dict[str, Any], stored: LayerFile, level: Level, context: LayerContext
) -> dict[str, Any]:
    found = layer_answer(answer, stored.body, level, context, is_whole=False)
    producer = "hand" if stored.is_edited else stored.generated_by
    return {**found, "generated_by": producer}


def layer_answer(
    answer: dict[str, Any],
    text: str,
    level: Level,
    context: LayerContext,
    *,
    is_whole: bool,
) -> dict[str, Any]:
    """Return the answer for a layer: the keys of `answer`, and those of the layer."""
    shown = f"{text}\n" if text else ""
    return {
        **answer,
        "lines": answer.get("lines", [0, 0]),
        "tokens": context.count.count(shown),
        "text": shown,
        "layer": level,
        "generated_by": EXTRACTIVE,
        "whole": is_whole and level == "L1",
    }
