"""Archiving of a cortex session: its files stay, and it takes no more messages."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from cuedeck.app.cortex.open_cortex_session import change_session
from cuedeck.store.clock import timestamp

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace
    from cuedeck.records.cortex.session_metadata import SessionMetadata


def archive_cortex_session(workspace: Workspace, identity: str) -> dict[str, Any]:
    """Archive a session; `cortex open` makes it active again.

    An archived session stays as it is. Raises: NotFound, Locked, StorageError.
    """

    def archive(metadata: SessionMetadata) -> SessionMetadata:
        if metadata.status == "archived":
            return metadata
        now = timestamp()
        return replace(
            metadata,
            status="archived",
            closed_at=metadata.closed_at or now,
            updated_at=now,
        )

    return change_session(workspace, identity, archive)
