"""Ledger entries and cortex files as nodes of the graph: the ids of each kind, and the
state, text and edges of one entry.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cuedeck.engine.workspace import Workspace
from cuedeck.knowledge.cortex.cortex_nodes import (
    cortex_ids,
    cortex_node,
    similar_cortex,
)
from cuedeck.ledger.entry_source import EntrySource, Shown, source_of
from cuedeck.model.entry_node import CORTEX_KIND, EntryEdge, EntryNode, Retired
from cuedeck.model.errors import CueDeckError
from cuedeck.model.scene_values import Target


class LedgerEntries:
    """The ledgers of a workspace; implements `EntryLookup`."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def entries(self, kind: str, start: str = "") -> Sequence[str]:
        """Return the ids of a kind of entry that begin with a text, oldest first; none
        for an unknown kind. Raises: StorageError.
        """
        if kind == CORTEX_KIND:
            return cortex_ids(self._workspace, start) if start else ()
        source = source_of(self._workspace, kind)
        if source is None:
            return ()
        return [each for each in source.ids(start) if each.startswith(start)]

    def similar_entries(self, address: str) -> Sequence[str]:
        """Return the places of the cortex tree most like one that does not exist."""
        return similar_cortex(self._workspace.paths, address)

    def entry(self, address: str) -> EntryNode | None:
        """Return the entry at an address; None if it cannot be read."""
        if address.startswith(f"{CORTEX_KIND}:"):
            return cortex_node(self._workspace, address)
        try:
            shown = self.shown(address)
        except (CueDeckError, LookupError):
            return None
        return EntryNode(shown.path, shown.line, shown.text(), self.edges(address))

    def retired(self, address: str) -> Retired | None:
        """Return why links do not lead to an existing entry; None if they do. Raises:
        StorageError.
        """
        try:
            source, identity = self._source(address)
            return source.retired(identity)
        except LookupError:  # no entry of a ledger, or removed meanwhile
            return None

    def shown(self, address: str) -> Shown:
        """Return place and fields of an existing entry; secrets are not masked.

        Raises: Invalid for an entry labelled secret, LookupError, StorageError.
        """
        source, identity = self._source(address)
        return source.shown(source.find(identity))

    def title(self, address: str) -> str:
        """Return the masked words that name an entry; empty if it cannot be read."""
        try:
            title = self.shown(address).title()
        except (CueDeckError, LookupError):
            return ""
        return self._workspace.answer_mask().plain(title)

    def edges(self, address: str) -> tuple[EntryEdge, ...]:
        """Return the edges of an existing entry in written order, each target once."""
        if address.startswith(f"{CORTEX_KIND}:"):
            node = cortex_node(self._workspace, address)
            found = iter(node.edges if node else ())
        else:
            source, identity = self._source(address)
            found = source.edges(source.find(identity))
        edges: dict[Target, EntryEdge] = {}
        for edge in found:
            edges.setdefault(edge.target, edge)
        return tuple(edges.values())

    def _source(self, address: str) -> tuple[EntrySource[Any], str]:
        """Return access to the kind of an entry, and its id. Raises: LookupError."""
        kind, _, identity = address.partition(":")
        source = source_of(self._workspace, kind)
        if source is None:
            raise LookupError(kind)
        return source, identity
