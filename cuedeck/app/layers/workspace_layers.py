"""Layers of the files and folders of the workspace, cached by their content."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from typing import TYPE_CHECKING

from cuedeck.app.layers.compute_layers import (
    LayerContext,
    layer_context,
    layers_of_text,
    printed_path,
)
from cuedeck.ranking.memo import Memo
from cuedeck.records.layers.folder_entries import FolderChild
from cuedeck.records.layers.folder_layers import MOST_CHILDREN, folder_layers
from cuedeck.records.layers.layer_hash import file_hash
from cuedeck.records.layers.layer_values import LayerPair
from cuedeck.store.cache.kept_layers import keep_layers, kept_layers

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace

_MOST_FILES = 2_000
"""Files of a folder whose layers are computed."""


def binary_layers(context: LayerContext, path: str) -> LayerPair:
    """Return the layers of a file that is not text."""
    fact = f"{printed_path(context, path)} — binary file"
    return LayerPair(fact, fact)


def file_layers(workspace: Workspace, context: LayerContext, path: str) -> LayerPair:
    """Return the layers of a whole file of the index, cached by its hash."""
    index = workspace.index
    file = index.file(path)
    if file is None or file.kind == "binary" or file.fault:
        return binary_layers(context, path)
    key = file_hash(context.rules, path, index.hash(path).encode())
    known = kept_layers(index, key)
    if known is not None:
        return LayerPair(*known)
    text = workspace.texts.text(path)
    pair = layers_of_text(context, path, file.kind, text, file)
    keep_layers(index, key, pair.abstract, pair.overview, pair.is_whole)
    return pair


def workspace_folder_layers(
    workspace: Workspace, context: LayerContext, folder: str
) -> LayerPair:
    """Return the layers of a folder of the workspace, made of those of its files; from
    the memo if none of its files changed.
    """
    index = workspace.index
    prefix = "" if folder == "." else f"{folder}/"
    hashes = [(path, index.hash(path)) for path in index.folder(folder)]
    below = [path.removeprefix(prefix) for path, _ in hashes]
    return workspace.cached(Memo).get(
        "folder layers",
        folder,
        (context.rules, hashes),
        lambda: _folder(workspace, context, prefix, below, posixpath.basename(folder)),
    )


def folder_overview(workspace: Workspace, folder: str) -> str:
    """Return the L1 of a folder of the workspace."""
    context = layer_context(workspace)
    return workspace_folder_layers(workspace, context, folder).overview


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
            pair = file_layers(workspace, context, prefix + name)
        children.append(FolderChild(printed_path(context, name), pair))
    return folder_layers(title, children, context.count)
