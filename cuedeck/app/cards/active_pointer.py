"""The pointer `.cuedeck/active`, which contains the id of the active card.

`resume` needs only the pointer, and the lookup of cards imports much more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cuedeck.store.fs.disk import LARGEST_POINTER, read_text, write_atomic

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace


def active_id(workspace: Workspace) -> str:
    """Return the content of `.cuedeck/active`, the id of a card; empty if none is selected. Raises: StorageError."""
    return (read_text(workspace.paths.active, LARGEST_POINTER) or "").strip()


def point_at(workspace: Workspace, identity: str) -> None:
    """Write the id of the active card to `.cuedeck/active`; empty for none. Raises: StorageError."""
    data = f"{identity}\n".encode() if identity else b""
    write_atomic(workspace.paths.active, data, workspace.paths.cache)
