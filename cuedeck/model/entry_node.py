"""Ledger entries as nodes of the reference graph."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from cuedeck.model.scene_values import Target

ENTRY_KINDS = ("decision", "attempt", "assumption", "record", "experience", "session")
"""Kinds of ledger entries; the address of an entry is its kind, a colon and its id."""
ENTRY_PREFIXES = tuple(f"{kind}:" for kind in ENTRY_KINDS)


class EntryEdge(NamedTuple):
    """An edge from a ledger entry to a place of the workspace or to another entry."""

    kind: str
    """`affects`, `on` (an attempt), `mentions`, or `read` and `wrote` (the working set
    of a session).
    """
    target: Target


class EntryNode(NamedTuple):
    """A ledger entry with its text and its outgoing edges."""

    path: str
    """Workspace-relative path of its file."""
    line: int
    """1-based."""
    text: str
    """Its fields, one a line; secrets are not masked."""
    edges: tuple[EntryEdge, ...]


class Retired(NamedTuple):
    """Why links do not lead to an existing entry."""

    reason: str
    """`superseded`, `rejected` or `secret`."""
    successor: str = ""
    """Address of the entry in force that replaced it; empty if there is none."""
