"""Reading of one layer of an address: a card, doc, source, folder or ledger entry, or a
file or folder of the cortex tree.

Reading never fails for want of a layer: it is computed if there is no fresh one.
"""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from cuedeck.app.layers.compute_layers import (
    LayerContext,
    layer_context,
    layers_of_file,
    layers_of_text,
)
from cuedeck.app.layers.layer_computer import LayerComputer
from cuedeck.app.layers.scan_layers import LayerScanner
from cuedeck.model.address import parse_lines, split_anchor
from cuedeck.model.cortex_address import (
    CortexAddress,
    LayerName,
    is_cortex_address,
    parse_layer_address,
)
from cuedeck.model.entry_node import ENTRY_PREFIXES
from cuedeck.model.errors import Invalid, NotFound, UsageError
from cuedeck.parse.text_decoding import decode
from cuedeck.records.layers.entry_layers import text_layers
from cuedeck.records.layers.folder_layers import (
    MOST_CHILDREN,
    FolderChild,
    folder_layers,
)
from cuedeck.records.layers.layer_file import EXTRACTIVE, LayerFile, parse_layer_file
from cuedeck.records.layers.layer_hash import file_hash
from cuedeck.records.layers.layer_values import LayerPair, Level
from cuedeck.store.cache.kept_layers import keep_layers, kept_layers
from cuedeck.store.cortex.layer_store import LayerStore

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace

_MOST_FILES = 2_000
"""Files of a folder of the workspace whose layers are computed."""


def read_with_layer(
    workspace: Workspace, text: str, layer: LayerName, *, numbers: bool = False
) -> dict[str, Any]:
    """Return the text of an address, or with `L0` or `L1` one of its layers.

    Raises: Invalid for line numbers of a layer; the errors of `read_address`.
    """
    from cuedeck.app.search.read_address import read_address

    if layer == "L2":
        return read_address(workspace, text, numbers=numbers)
    if numbers:
        raise Invalid("a layer has no line numbers", hint="leave out one of the two")
    if is_cortex_address(text.strip()):
        return read_cortex(workspace, text, layer)
    return read_layer(workspace, text, layer)


def read_layer(workspace: Workspace, text: str, level: Level) -> dict[str, Any]:
    """Return one layer of an address of the workspace.

    The answer has the keys of `read_address`, and `layer`, `generated_by` and `whole`
    (whether the layer is the whole text). Raises: the errors of `read_address`.
    """
    from cuedeck.app.search.read_address import read_address

    context = layer_context(workspace)

    def read() -> tuple[dict[str, Any], LayerPair]:
        answer = read_address(workspace, text)
        return answer, _pair_of(workspace, context, answer)

    answer, pair = workspace.settled(read)
    return _with_layer(answer, pair.text(level), level, context, is_whole=pair.is_whole)


def _pair_of(
    workspace: Workspace, context: LayerContext, answer: dict[str, Any]
) -> LayerPair:
    """Return the layers of what `read_address` found; its text is masked."""
    address, path, kind = answer["address"], answer["path"], answer["kind"]
    if address.startswith(ENTRY_PREFIXES):
        return text_layers(address, answer["text"], context.count)
    if kind == "folder":
        return _workspace_folder(workspace, context, path.rstrip("/") or ".")
    if kind == "binary":
        fact = f"{path}: binary file"
        return LayerPair(fact, fact)
    if address == path and workspace.index.file(path) is not None:
        return _indexed_file(workspace, context, path)
    name = address if kind == "source" else path
    return layers_of_text(context, name, kind, answer["text"])


def _indexed_file(workspace: Workspace, context: LayerContext, path: str) -> LayerPair:
    """Return the layers of a whole file of the index, cached by its hash."""
    index = workspace.index
    file = index.file(path)
    if file is None or file.kind == "binary" or file.fault:
        return LayerPair(f"{path}: not text", f"{path}: not text")
    key = file_hash(context.rules, path, index.hash(path).encode())
    known = kept_layers(index, key)
    if known is not None:
        return LayerPair(*known)
    text = workspace.texts.text(path)
    pair = layers_of_text(context, path, file.kind, text, file)
    keep_layers(index, key, pair.abstract, pair.overview, pair.is_whole)
    return pair


def _workspace_folder(
    workspace: Workspace, context: LayerContext, folder: str
) -> LayerPair:
    """Return the layers of a folder of the workspace, made of those of its files."""
    prefix = "" if folder == "." else f"{folder}/"
    below = [path.removeprefix(prefix) for path in workspace.index.folder(folder)]
    return _folder(workspace, context, prefix, below, posixpath.basename(folder))


def _folder(
    workspace: Workspace,
    context: LayerContext,
    prefix: str,
    paths: Sequence[str],
    title: str,
) -> LayerPair:
    names: dict[str, list[str]] = {}
    for path in paths:
        name, slash, rest = path.partition("/")
        names.setdefault(name + slash, []).append(rest)
    children = []
    for position, name in enumerate(sorted(names)):
        if position >= MOST_CHILDREN or len(paths) > _MOST_FILES:
            pair = LayerPair("", "")
        elif name.endswith("/"):
            pair = _folder(workspace, context, prefix + name, names[name], name[:-1])
        else:
            pair = _indexed_file(workspace, context, prefix + name)
        children.append(FolderChild(name, pair))
    return folder_layers(title, children, context.count)


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
    return _with_layer(answer, pair.text(level), level, context, is_whole=pair.is_whole)


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
    return _with_layer(answer, pair.text(level), level, context, is_whole=False)


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
    found = _with_layer(answer, stored.body, level, context, is_whole=False)
    producer = "hand" if stored.is_edited else stored.generated_by
    return {**found, "generated_by": producer}


def _with_layer(
    answer: dict[str, Any],
    text: str,
    level: Level,
    context: LayerContext,
    *,
    is_whole: bool,
) -> dict[str, Any]:
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
