"""Links of the workspace that lead to a file."""

from __future__ import annotations

from typing import Any

from cuedeck.graph.resolve_ref import resolve
from cuedeck.model.formatting import in_cell
from cuedeck.model.scene_values import Target
from cuedeck.store.index import Index


def links_to(index: Index, path: str) -> list[dict[str, Any]]:
    """Return the links of other files to the file at a path, in order of path and
    position.
    """
    found = []
    for file in index.files():
        if file.path == path:
            continue
        for link in file.links:
            there = resolve(link, file.path, index)
            if isinstance(there, Target) and there.path == path:
                row = {"path": file.path, "line": link.line, "ref": link.ref}
                found.append(row | in_cell(link.line, file.cells))
    return found
