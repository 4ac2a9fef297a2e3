"""Addresses of the definitions of a name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cuedeck.graph.anchors import find_anchor
from cuedeck.graph.resolve_ref import resolve
from cuedeck.model.address import join_anchor
from cuedeck.model.errors import NotFound
from cuedeck.model.scene_values import Target
from cuedeck.parse.index_terms import DEFINED, defined_key
from cuedeck.store.index import Index

if TYPE_CHECKING:
    from cuedeck.store.index import Index
    from cuedeck.store.index.corpus import WorkspaceCorpus

_MOST_SYMBOLS = 10
"""Maximum number of symbols listed in an error."""


def symbol_addresses(corpus: WorkspaceCorpus, index: Index, text: str) -> list[str]:
    """Return the address of each definition with a name such as `AppContext.push`, in
    order of path.
    """
    name = text.strip().removesuffix("()").replace("::", ".")
    if "/" in name or not defined_key(name):
        return []
    found = []
    for path in sorted(corpus.postings(DEFINED + defined_key(name))):
        file = index.file(path)
        if file is not None and file.symbols:
            found += [
                join_anchor(path, symbol.name) for symbol in find_anchor(file, name)
            ]
    return found


def symbols_named(corpus: WorkspaceCorpus, index: Index, text: str) -> NotFound | None:
    """Return an error that lists the symbols named `text`, such as `AppContext.push`;
    None if there are none.
    """
    found = symbol_addresses(corpus, index, text)
    if not found:
        return None
    hint = (
        f"did you mean `{found[0]}`?"
        if len(found) == 1
        else "give the address of one of them"
    )
    return NotFound(
        f"no file or section is called `{text}`",
        hint=hint,
        candidates=tuple(found[:_MOST_SYMBOLS]),
    )


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
                found.append(row)
    return found
