"""Processing of queued hook events before a command reads the session."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cuedeck.store.ledgers.hook_queue import HookQueue

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace


def process_hook_events(workspace: Workspace) -> None:
    """Process the queued events, unless another process does. Raises: StorageError."""
    if HookQueue(workspace.paths.root).is_empty:
        return
    # The queue is nearly always empty, and `resume` must start fast.
    from cuedeck.app.hooks.dispatch import process_queue

    process_queue(workspace)
