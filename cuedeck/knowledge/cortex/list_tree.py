"""Listing of folders of the cortex tree."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from cuedeck.knowledge.cortex.cortex_layers import CortexLayers
from cuedeck.knowledge.cortex.cortex_places import find_place
from cuedeck.model.cortex_address import SCHEME, CortexAddress
from cuedeck.model.errors import CueDeckError, Invalid
from cuedeck.model.formatting import quoted
from cuedeck.store.cortex.cortex_tree import CortexEntry, CortexTree

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.store.workspace_paths import WorkspacePaths

MOST = 1_000
"""Maximum number of listed entries unless the caller wants another."""
_MOST_ABSTRACTS = 200
"""Maximum number of entries whose abstracts are added."""


def list_folder(
    workspace: Workspace,
    text: str = "",
    *,
    depth: int = 1,
    limit: int = MOST,
    abstracts: bool = False,
) -> dict[str, Any]:
    """Return the entries of a folder, those of a folder after the folder itself.

    An empty text, or `cortex://`, is the folder of the dimensions. `depth` is the
    number of levels, 0 for all. Of an entry beyond `limit` only the number is counted.
    Raises: CortexAddressError, NotFound, Invalid for a file, StorageError.
    """
    folder = _folder(workspace.paths, text)
    layers = CortexLayers(workspace) if abstracts else None
    rows: list[dict[str, Any]] = []
    total = 0
    for address, entry, level in _walk(CortexTree(workspace.paths), folder, depth):
        total += 1
        if len(rows) >= limit:
            continue
        row = _row(workspace.paths, address, entry, level)
        if layers is not None and len(rows) < _MOST_ABSTRACTS:
            row["abstract"] = _abstract(layers, address)
        rows.append(row)
    return {
        "address": folder.text if folder else SCHEME,
        "entries": rows,
        "total": total,
        "left_out": total - len(rows),
    }


def _folder(paths: WorkspacePaths, text: str) -> CortexAddress | None:
    """Return the address of an existing folder; None for that of the dimensions."""
    if text.strip().rstrip("/") in ("", SCHEME.rstrip("/")):
        return None
    place = find_place(paths, text)
    if place.kind != "folder":
        raise Invalid(
            f"{place.address.text} is a file",
            hint=f"cuedeck cortex read {quoted(place.address.text)}",
        )
    return place.address


def _walk(
    tree: CortexTree, top: CortexAddress | None, depth: int
) -> Iterator[tuple[CortexAddress, CortexEntry, int]]:
    """Yield the entries below a folder with their level from 1, a folder before its
    entries.
    """
    waiting = [_entries(tree, top)]
    while waiting:
        found = next(waiting[-1], None)
        if found is None:
            waiting.pop()
            continue
        address, entry = found
        yield address, entry, len(waiting)
        if entry.is_folder and (not depth or len(waiting) < depth):
            waiting.append(_entries(tree, address))


def _entries(
    tree: CortexTree, folder: CortexAddress | None
) -> Iterator[tuple[CortexAddress, CortexEntry]]:
    for entry in tree.entries(folder):
        if folder is None:
            yield CortexAddress((entry.name,)), entry
        else:
            yield folder.child(entry.name), entry


def _row(
    paths: WorkspacePaths, address: CortexAddress, entry: CortexEntry, level: int
) -> dict[str, Any]:
    row: dict[str, Any] = {
        "address": address.text,
        "path": address.path,
        "name": entry.name,
        "kind": "folder" if entry.is_folder else "file",
        "level": level,
        "size": entry.size,
    }
    if entry.is_folder:
        row["entries"] = len(CortexTree(paths).entries(address))
    return row


def _abstract(layers: CortexLayers, address: CortexAddress) -> str:
    """Return the abstract of an entry; empty if the file cannot be read."""
    try:
        return layers.read(address, "L0").text.rstrip("\n")
    except CueDeckError:
        return ""
