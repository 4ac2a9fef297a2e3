"""Search and exploration of the cortex tree."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Literal

from cuedeck.knowledge.cortex.cortex_nodes import read_cortex
from cuedeck.knowledge.cortex.cortex_places import find_place
from cuedeck.knowledge.layers.build_layers import build_layers
from cuedeck.knowledge.layers.tree_layers import TreeLayers
from cuedeck.knowledge.recall.recall import recall
from cuedeck.knowledge.recall.sync_index import open_recall, with_index
from cuedeck.model.cortex_address import (
    DIMENSIONS,
    SCHEME,
    CortexAddress,
    parse_cortex_address,
)
from cuedeck.model.entry_node import CORTEX_KIND
from cuedeck.model.errors import CueDeckError, Invalid
from cuedeck.model.formatting import counted, quoted
from cuedeck.model.paths import CORTEX
from cuedeck.store.cortex.cortex_tree import CortexEntry, CortexTree

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cuedeck.engine.workspace import Workspace
    from cuedeck.store.workspace_paths import WorkspacePaths

LIMIT = 10
_HITS_PER_FILE = 4
_DAY_PARTS = 5
"""Parts of the address of a day: session, id, timeline, month, day."""
_PATH_LIMIT = 40
"""Maximum number of folders on the path of an exploration."""


def search_cortex(
    workspace: Workspace,
    query: str,
    *,
    scope: str = "",
    limit: int = LIMIT,
    layers: Sequence[str] = (),
) -> dict[str, Any]:
    """Return the places of the tree that match a query, best first, each file once.

    `scope` is an address, a dimension or the id of a session; `layers` are those that
    each result contains (`L0`, `L1`, `L2`), with their tokens and the status of their
    layer files. The full text is searched: layers are shown and never searched. Raises:
    Invalid for an empty query, CortexAddressError, NotFound, StorageError.
    """
    top = scope_address(workspace.paths, scope)
    below = CORTEX
    if top is not None:
        # In the index, a day of messages is one file.
        is_session = top.dimension == "session"
        below = CortexAddress(top.parts[: _DAY_PARTS if is_session else None]).path
    asked = limit * _HITS_PER_FILE
    while True:
        answer = recall(
            workspace,
            query,
            kinds=(CORTEX_KIND,),
            below=below,
            limit=asked,
        )
        results = _results(answer["hits"], top)
        if len(results) >= limit or not answer["left_out"]:
            break
        asked *= 4
    shown = list(results.values())[:limit]
    reader = TreeLayers(workspace)
    for result in shown:
        for layer in layers:
            place = parse_cortex_address(result["file"])
            text, tokens, status = _layer(workspace, reader, place, layer)
            result[layer] = text
            result["tokens"][layer] = tokens
            result["status"][layer] = status
    return {
        "query": answer["query"],
        "scope": top.text if top else SCHEME,
        "results": shown,
        "total": answer["total"],
        "notes": answer["notes"],
    }


def _results(
    hits: Sequence[dict[str, Any]], top: CortexAddress | None
) -> dict[str, dict[str, Any]]:
    results: dict[str, dict[str, Any]] = {}
    for hit in hits:
        address = parse_cortex_address(hit["path"])
        if top is not None and not address.is_within(top):
            continue
        result = results.get(address.text)
        if result is None:
            keys = ("path", "lines", "title", "date", "score", "snippet")
            shown = {key: hit[key] for key in keys}
            rest: dict[str, Any] = {"more": [], "tokens": {}, "status": {}}
            results[address.text] = {
                "address": hit["address"],
                "file": address.text,
                **shown,
                **rest,
            }
        else:
            result["more"].append(hit["address"])
    return results


def explore_cortex(
    workspace: Workspace,
    query: str,
    start: str = "",
    *,
    limit: int = LIMIT,
    layers: Sequence[str] = ("L0",),
) -> dict[str, Any]:
    """Return the folders from a start address towards the matches of a query, each with
    its abstract, and the matches.

    A folder is on the path if a match lies below it. Raises: as `search_cortex`.
    """
    found = search_cortex(workspace, query, scope=start, limit=limit, layers=layers)
    top = scope_address(workspace.paths, start)
    below: dict[CortexAddress, int] = {}
    for result in found["results"]:
        folder = parse_cortex_address(result["file"]).parent
        while folder is not None and (top is None or folder.is_within(top)):
            below[folder] = below.get(folder, 0) + 1
            folder = folder.parent
    reader = TreeLayers(workspace)
    path = []
    for folder in sorted(below, key=lambda each: each.parts)[:_PATH_LIMIT]:
        path.append(
            {
                "address": folder.text,
                "matches": below[folder],
                "abstract": reader.text(folder, "L0").text.rstrip("\n"),
            }
        )
    if not path:
        listing = list_folder(workspace, top.text if top else "", abstracts=True)
        for row in listing["entries"][:_PATH_LIMIT]:
            entry = {key: row[key] for key in ("address", "abstract")}
            path.append({**entry, "matches": 0})
    return {
        "query": found["query"],
        "start": found["scope"],
        "path": path,
        "matches": found["results"],
        "total": found["total"],
        "notes": found["notes"],
    }


def scope_address(paths: WorkspacePaths, scope: str) -> CortexAddress | None:
    """Return the address of a scope; None for the whole tree.

    Raises: CortexAddressError, NotFound.
    """
    text = scope.strip()
    if text.rstrip("/") in ("", SCHEME.rstrip("/")):
        return None
    if text in DIMENSIONS:
        return CortexAddress((text,))
    if "/" not in text:
        text = f"{SCHEME}session/{text}"
    return find_place(paths, text).address


def _layer(
    workspace: Workspace, reader: TreeLayers, place: CortexAddress, layer: str
) -> tuple[str, int, str]:
    """Return text, tokens and status of a layer of a place; empty if it cannot be
    read.
    """
    try:
        if layer == "L2":
            answer = read_cortex(workspace, place.text)
            return answer["text"], answer["tokens"], "fresh"
        found = reader.text(place, "L0" if layer == "L0" else "L1")
    except CueDeckError:
        return "", 0, "missing"
    return found.text.rstrip("\n"), found.tokens, found.status


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
    layers = TreeLayers(workspace) if abstracts else None
    rows: list[dict[str, Any]] = []
    total = 0
    tree = CortexTree(workspace.paths)
    for entry, level in _walk(tree, folder, depth):
        total += 1
        if len(rows) >= limit:
            continue
        row: dict[str, Any] = {
            "address": entry.address.text,
            "path": entry.address.path,
            "name": entry.name,
            "kind": "folder" if entry.is_folder else "file",
            "level": level,
            "size": entry.size,
        }
        if entry.is_folder:
            row["entries"] = len(tree.entries(entry.address))
        if layers is not None and len(rows) < _MOST_ABSTRACTS:
            row["abstract"] = _layer(workspace, layers, entry.address, "L0")[0]
        rows.append(row)
    return {
        "address": folder.text if folder else SCHEME,
        "entries": rows,
        "total": total,
        "left_out": total - len(rows),
    }


def _folder(paths: WorkspacePaths, text: str) -> CortexAddress | None:
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
) -> Iterator[tuple[CortexEntry, int]]:
    """Yield the entries below a folder with their level from 1, a folder before its
    entries.
    """
    waiting = [iter(tree.entries(top))]
    while waiting:
        entry = next(waiting[-1], None)
        if entry is None:
            waiting.pop()
            continue
        yield entry, len(waiting)
        if entry.is_folder and (not depth or len(waiting) < depth):
            waiting.append(iter(tree.entries(entry.address)))


Job = Literal["prune", "reindex", "ensure-all"]


def maintain_cortex(workspace: Workspace, job: Job, *, dry_run: bool) -> str:
    """Do one job; return a sentence about its result.

    `prune` removes units of deleted files from the index of recall, `reindex` builds
    the index again, and `ensure-all` builds missing and stale layers. With `dry_run`
    nothing is changed. Raises: Locked, StorageError, Stale, ConfigurationError.
    """
    if job == "ensure-all":
        return _build(workspace, dry_run=dry_run)
    if dry_run:
        verb = "pruned" if job == "prune" else "built again"
        return f"the index of recall would be {verb}"
    workspace.refresh()
    if job == "reindex":
        open_recall(workspace).index(workspace).start_over(in_memory=False)
    units = with_index(workspace, lambda index, notes: index.totals()[0])
    return f"the index of recall has {counted(units, 'unit')}"


def _build(workspace: Workspace, *, dry_run: bool) -> str:
    receipt = build_layers(workspace, dry_run=dry_run)
    verb = "would be made" if dry_run else "made"
    made = counted(len(receipt.made), "layer")
    counts = f"{made} {verb}, {receipt.reused:,} fresh, {len(receipt.kept):,} kept"
    return "; ".join([counts, *receipt.notes])
