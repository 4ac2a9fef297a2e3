"""Search and exploration of the cortex tree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cuedeck.knowledge.cortex.cortex_layers import CortexLayers
from cuedeck.knowledge.cortex.cortex_places import find_place
from cuedeck.knowledge.cortex.list_tree import list_folder
from cuedeck.knowledge.cortex.read_cortex import read_cortex
from cuedeck.knowledge.recall.recall import recall
from cuedeck.model.address import split_anchor
from cuedeck.model.cortex_address import (
    DIMENSIONS,
    SCHEME,
    CortexAddress,
    parse_cortex_address,
)
from cuedeck.model.entry_node import CORTEX_KIND
from cuedeck.model.errors import CueDeckError
from cuedeck.model.paths import CORTEX

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
    reader = CortexLayers(workspace)
    for result in shown:
        for layer in layers:
            text, tokens, status = _layer(workspace, reader, result["file"], layer)
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
    """Return a result for each file with a hit, by its address."""
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
    reader = CortexLayers(workspace)
    path = []
    for folder in sorted(below, key=lambda each: each.parts)[:_PATH_LIMIT]:
        path.append(
            {
                "address": folder.text,
                "matches": below[folder],
                "abstract": reader.read(folder, "L0").text.rstrip("\n"),
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
    workspace: Workspace, reader: CortexLayers, address: str, layer: str
) -> tuple[str, int, str]:
    """Return text, tokens and status of a layer of a result; empty if the file is gone
    since it was found.
    """
    place = parse_cortex_address(split_anchor(address)[0])
    try:
        if layer == "L2":
            answer = read_cortex(workspace, place.text)
            return answer["text"], answer["tokens"], "fresh"
        found = reader.read(place, "L0" if layer == "L0" else "L1")
    except CueDeckError:
        return "", 0, "missing"
    return found.text.rstrip("\n"), found.tokens, found.status
