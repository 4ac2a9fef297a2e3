"""Layers of the files and folders of the workspace, cached by their content."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from typing import TYPE_CHECKING

from cuedeck.knowledge.layers.compute_layers import (
    LayerContext,
    layer_context,
    layers_of_children,
    layers_of_text,
)
from cuedeck.knowledge.layers.folder_layers import (
    MOST_CHILDREN,
    counted_folder,
)
from cuedeck.knowledge.layers.layer_file import file_hash, folder_hash
from cuedeck.knowledge.layers.layer_values import (
    ABSTRACT_TOKENS,
    OVERVIEW_TOKENS,
    LayerPair,
)
from cuedeck.store.cache.kept_layers import keep_layers, kept_layers

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.store.index import Index
    from cuedeck.store.index.texts import WorkspaceTexts

_MOST_FILES = 2_000
"""Files below a folder of the workspace above which its folders are only counted."""


def binary_layers(context: LayerContext, path: str) -> LayerPair:
    """Return the layers of a file that is not text."""
    fact = f"{context.masked_path(path)} — binary file"
    return LayerPair(fact, fact)


def file_layers(
    index: Index, texts: WorkspaceTexts, context: LayerContext, path: str
) -> LayerPair:
    """Return the layers of a whole file of the index, cached by its hash."""
    file = index.file(path)
    if file is None or file.kind == "binary" or file.fault:
        return binary_layers(context, path)
    key = file_hash(context.rules, path, index.hash(path).encode())
    known = kept_layers(index, key)
    if known is not None:
        return LayerPair(*known)
    text = texts.text(path)
    pair = layers_of_text(context, path, file.kind, text, file)
    keep_layers(index, key, pair.abstract, pair.overview, pair.is_whole)
    return pair


def workspace_folder_layers(
    workspace: Workspace, context: LayerContext, folder: str
) -> LayerPair:
    """Return the layers of a folder of the workspace, made of those of its files."""
    return _folder(
        workspace.index,
        workspace.texts,
        context,
        _prefix(folder),
        _files(workspace, folder),
    )


def folder_overview(workspace: Workspace, folder: str, room: int) -> str:
    """Return the L1 of a folder of the workspace, at most `room` tokens long.

    A room below `ABSTRACT_TOKENS` counts as that many tokens.
    """
    most = max(min(room, OVERVIEW_TOKENS), ABSTRACT_TOKENS)
    context, files = layer_context(workspace), _files(workspace, folder)
    return _folder(
        workspace.index, workspace.texts, context, _prefix(folder), files, most
    ).overview


def _prefix(folder: str) -> str:
    return "" if folder == "." else f"{folder}/"


def _files(workspace: Workspace, folder: str) -> Sequence[tuple[str, str]]:
    """Return the paths below a folder, relative to it, with their hashes."""
    index, prefix = workspace.index, _prefix(folder)
    return [
        (path.removeprefix(prefix), index.hash(path)) for path in index.folder(folder)
    ]


def _folder(
    index: Index,
    texts: WorkspaceTexts,
    context: LayerContext,
    prefix: str,
    files: Sequence[tuple[str, str]],
    most: int = OVERVIEW_TOKENS,
) -> LayerPair:
    """Return the layers of a folder, cached by the hashes of the files below it.

    `files` are the paths below `prefix` with their hashes. The overview has at most
    `most` tokens. The folders of a folder with more than `_MOST_FILES` files have no
    layers; their files are counted.
    """
    rules = context.rules
    if most != OVERVIEW_TOKENS:
        rules = f"{rules}\0{most}"
    key = folder_hash(rules, prefix, files)
    known = kept_layers(index, key)
    if known is not None:
        return LayerPair(*known)
    below: dict[str, list[tuple[str, str]]] = {}
    for path, value in files:
        name, slash, rest = path.partition("/")
        below.setdefault(name + slash, []).append((rest, value))
    children: dict[str, LayerPair] = {}
    for position, name in enumerate(sorted(below)):
        if position >= MOST_CHILDREN:
            pair = LayerPair("", "")
        elif not name.endswith("/"):
            pair = file_layers(index, texts, context, prefix + name)
        elif len(files) > _MOST_FILES:
            pair = counted_folder(len(below[name]))
        else:
            pair = _folder(index, texts, context, prefix + name, below[name])
        children[name] = pair
    title = posixpath.basename(prefix.rstrip("/")) or "."
    pair = layers_of_children(context, title, children, most)
    keep_layers(index, key, pair.abstract, pair.overview, pair.is_whole)
    return pair
