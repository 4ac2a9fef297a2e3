"""Edges from an entry or a cortex file to the places that its fields and text name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from cuedeck.graph.resolve_ref import resolve_citation
from cuedeck.ledger.records.memory_snapshot import load_memory_snapshot
from cuedeck.model.entry_node import EntryEdge
from cuedeck.model.scene_values import Target

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.ledger.mention_parser import Mention
    from cuedeck.store.index import Index


def address_edges(
    index: Index, kind: str, addresses: Iterable[str]
) -> Iterator[EntryEdge]:
    """Yield an edge to each address that leads to an existing place or to another node
    of a ledger.
    """
    for address in addresses:
        target = resolve_citation(address, index)
        if isinstance(target, Target) and index.retired(target.address) is None:
            yield EntryEdge(kind, target)


def mentioned_edges(
    workspace: Workspace, names: Iterable[Mention]
) -> Iterator[EntryEdge]:
    """Yield an edge to each file, part of a file, session and decision that a text
    names.
    """
    snapshot = load_memory_snapshot(workspace)
    for name in names:
        if name.form in ("session", "decision"):
            if name.text in workspace.index.entries(name.form, name.text):
                yield from address_edges(
                    workspace.index, "mentions", [f"{name.form}:{name.text}"]
                )
            continue
        place = None
        if snapshot is not None:
            place = snapshot.resolver.of(name)
        if place is not None and place.kind != "folder":
            yield EntryEdge("mentions", place)
