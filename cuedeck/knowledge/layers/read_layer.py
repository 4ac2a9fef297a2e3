"""Reading of one layer of an address: a card, doc, source, folder or ledger entry, or a
file or folder of the cortex tree.

Reading never fails for want of a layer: it is computed if there is no fresh one. Layers
of files and folders of the workspace are cached by their content.
"""

from __future__ import annotations

import json
import posixpath
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from cuedeck.context.search.read_address import read_address
from cuedeck.knowledge.cortex.cortex_nodes import read_cortex
from cuedeck.knowledge.layers.compute_layers import (
    MAX_CHARACTERS,
    LayerContext,
    layer_context,
    layers_of_children,
    layers_of_text,
)
from cuedeck.knowledge.layers.folder_layers import MOST_CHILDREN
from cuedeck.knowledge.layers.layer_file import (
    ABSTRACT_TOKENS,
    EXTRACTIVE,
    OVERVIEW_TOKENS,
    LayerPair,
    file_hash,
    folder_hash,
)
from cuedeck.knowledge.layers.timeline_layers import text_layers
from cuedeck.model.cortex_address import LayerName, Level, is_cortex_address
from cuedeck.model.entry_node import is_entry_address
from cuedeck.model.errors import Invalid
from cuedeck.model.formatting import counted
from cuedeck.store.files.disk import parse_json

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.store.index import Index
    from cuedeck.store.index.corpus import WorkspaceTexts

_KEPT = 20_000
"""Number of layers cached in the index."""
_MOST_FILES = 2_000
"""Files below a folder of the workspace above which its folders are only counted."""


def read_with_layer(
    workspace: Workspace, text: str, layer: LayerName, *, numbers: bool = False
) -> dict[str, Any]:
    """Return the text of an address, or with `L0` or `L1` one of its layers.

    The answer for a layer has the keys of `read_address`, and `layer`, `generated_by`
    and `whole` (whether the layer is the whole text). Raises: Invalid for line numbers
    of a layer; the errors of `read_address`.
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
    context = layer_context(workspace)

    def read() -> tuple[dict[str, Any], LayerPair]:
        answer = read_address(workspace, text)
        return answer, _pair_of(workspace.index, workspace.texts, context, answer)

    answer, pair = workspace.settled(read)
    body = pair.text(level)
    shown = f"{body}\n" if body else ""
    return {
        **answer,
        "lines": answer.get("lines", [0, 0]),
        "tokens": context.count.count(shown),
        "text": shown,
        "layer": level,
        "generated_by": EXTRACTIVE,
        "whole": pair.is_whole and level == "L1",
    }


def _pair_of(
    index: Index, texts: WorkspaceTexts, context: LayerContext, answer: dict[str, Any]
) -> LayerPair:
    """Return the layers of what `read_address` found; its text is masked."""
    address, path, kind = answer["address"], answer["path"], answer["kind"]
    if is_entry_address(address):
        return text_layers(address, answer["text"], context.count)
    if kind == "folder":
        return _folder(index, texts, context, path.rstrip("/") or ".")
    is_whole = address == path and index.file(path) is not None
    if kind == "binary" or is_whole:
        return _file(index, texts, context, path)
    name = address if kind == "source" else path
    return layers_of_text(context, name, kind, answer["text"][:MAX_CHARACTERS])


def folder_overview(workspace: Workspace, folder: str, room: int) -> str:
    """Return the L1 of a folder of the workspace, at most `room` tokens long.

    A room below `ABSTRACT_TOKENS` counts as that many tokens.
    """
    most = max(min(room, OVERVIEW_TOKENS), ABSTRACT_TOKENS)
    context = layer_context(workspace)
    return _folder(workspace.index, workspace.texts, context, folder, most).overview


def _file(
    index: Index, texts: WorkspaceTexts, context: LayerContext, path: str
) -> LayerPair:
    file = index.file(path)
    if file is None or file.kind == "binary" or file.fault:
        fact = f"{context.masked_path(path)} — binary file"
        return LayerPair(fact, fact)
    key = file_hash(context.rules, path, index.hash(path).encode())
    known = parse_json(index.cached("layers", key) or "null")
    if known is not None:
        return LayerPair(*known)
    text = texts.masked(path)[:MAX_CHARACTERS]
    parsed = file if text == texts.text(path) else None
    pair = layers_of_text(context, path, file.kind, text, parsed)
    stored = json.dumps((pair.abstract, pair.overview, pair.is_whole))
    index.keep("layers", {key: stored}, _KEPT)
    return pair


def _folder(
    index: Index,
    texts: WorkspaceTexts,
    context: LayerContext,
    folder: str,
    most: int = OVERVIEW_TOKENS,
) -> LayerPair:
    """Return the layers of a folder, made of those of the files below it. The folders
    of a folder with more than `_MOST_FILES` files have no layers; their files are
    counted.
    """
    prefix = "" if folder == "." else f"{folder}/"
    paths: Sequence[str] = index.folder(folder)
    rows = [(path.removeprefix(prefix), index.hash(path)) for path in paths]
    key = folder_hash(f"{context.rules}\0{most}", prefix, rows)
    known = parse_json(index.cached("layers", key) or "null")
    if known is not None:
        return LayerPair(*known)
    below: dict[str, int] = {}
    for path, _ in rows:
        name, slash, _ = path.partition("/")
        below[name + slash] = below.get(name + slash, 0) + 1
    children: dict[str, LayerPair] = {}
    for position, name in enumerate(sorted(below)):
        place = f"{prefix}{name}".rstrip("/")
        if position >= MOST_CHILDREN:
            pair = LayerPair("", "")
        elif not name.endswith("/"):
            pair = _file(index, texts, context, place)
        elif len(paths) > _MOST_FILES:
            fact = counted(below[name], "file")
            pair = LayerPair(fact, f"# {fact}")
        else:
            pair = _folder(index, texts, context, place)
        children[name] = pair
    title = posixpath.basename(folder)
    pair = layers_of_children(context, title, children, most)
    stored = json.dumps((pair.abstract, pair.overview, pair.is_whole))
    index.keep("layers", {key: stored}, _KEPT)
    return pair
