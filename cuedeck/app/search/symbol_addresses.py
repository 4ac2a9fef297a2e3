"""Addresses of the definitions of a name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cuedeck.graph.anchors import find_anchor
from cuedeck.model.address import join_anchor
from cuedeck.parse.index_terms import DEFINED, defined_key

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace


def symbol_addresses(workspace: Workspace, text: str) -> list[str]:
    """Return the address of each definition with a name such as `AppContext.push`, in
    order of path.
    """
    name = text.strip().removesuffix("()").replace("::", ".")
    if "/" in name or not defined_key(name):
        return []
    found = []
    for path in sorted(workspace.corpus.postings(DEFINED + defined_key(name))):
        file = workspace.index.file(path)
        if file is not None and file.symbols:
            found += [
                join_anchor(path, symbol.name) for symbol in find_anchor(file, name)
            ]
    return found
