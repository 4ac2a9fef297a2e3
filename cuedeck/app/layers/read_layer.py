"""Reading of one layer of an address: a card, doc, source, folder or ledger entry, or a
file or folder of the cortex tree.

Reading never fails for want of a layer: it is computed if there is no fresh one.
"""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from cuedeck.app.cortex.read_cortex import read_cortex
from cuedeck.app.layers.compute_layers import (
    LayerContext,
    layer_context,
    layers_of_text,
)
from cuedeck.app.search.read_address import read_address
from cuedeck.model.cortex_address import LayerName, is_cortex_address
from cuedeck.model.entry_node import ENTRY_PREFIXES
from cuedeck.model.errors import Invalid
from cuedeck.ranking.memo import Memo
from cuedeck.records.layers.entry_layers import text_layers
from cuedeck.records.layers.folder_entries import FolderChild
from cuedeck.records.layers.folder_layers import MOST_CHILDREN, folder_layers
from cuedeck.records.layers.layer_file import EXTRACTIVE
from cuedeck.records.layers.layer_hash import file_hash
from cuedeck.records.layers.layer_values import LayerPair, Level
from cuedeck.store.cache.kept_layers import keep_layers, kept_layers

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
    level: Level | None = None
    if layer != "L2":
        level = layer
    if level is not None and numbers:
        raise Invalid("a layer has no line numbers", hint="leave out one of the two")
    if is_cortex_address(text.strip()):
        return read_cortex(workspace, text, layer=level)
    if level is None:
        return read_address(workspace, text, numbers=numbers)
    return read_layer(workspace, text, level)


def read_layer(workspace: Workspace, text: str, level: Level) -> dict[str, Any]:
    """Return one layer of an address of the workspace.

    The answer has the keys of `read_address`, and `layer`, `generated_by` and `whole`
    (whether the layer is the whole text). Raises: the errors of `read_address`.
    """
    context = layer_context(workspace)

    def read() -> tuple[dict[str, Any], LayerPair]:
        answer = read_address(workspace, text)
        return answer, _pair_of(workspace, context, answer)

    answer, pair = workspace.settled(read)
    return _layer_answer(
        answer, pair.text(level), level, context, is_whole=pair.is_whole
    )


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
        return _binary(path)
    if address == path and workspace.index.file(path) is not None:
        return _indexed_file(workspace, context, path)
    name = address if kind == "source" else path
    return layers_of_text(context, name, kind, answer["text"])


def _binary(path: str) -> LayerPair:
    fact = f"{path} — binary file"
    return LayerPair(fact, fact)


def _indexed_file(workspace: Workspace, context: LayerContext, path: str) -> LayerPair:
    """Return the layers of a whole file of the index, cached by its hash."""
    index = workspace.index
    file = index.file(path)
    if file is None or file.kind == "binary" or file.fault:
        return _binary(path)
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


def folder_overview(workspace: Workspace, folder: str) -> str:
    """Return the L1 of a folder of the workspace; computed again only if a file below
    it changed.
    """
    index = workspace.index
    context = layer_context(workspace)
    below = [(path, index.hash(path)) for path in index.folder(folder)]
    pair = workspace.cached(Memo).get(
        "folder overview",
        folder,
        (context.rules, below),
        lambda: _workspace_folder(workspace, context, folder),
    )
    return pair.overview


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


def _layer_answer(
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
