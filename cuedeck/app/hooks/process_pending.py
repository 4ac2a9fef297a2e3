"""Processing of queued hook events: before a command reads the session, or later in the
background.
"""

from __future__ import annotations

from cuedeck.model.light_typing import TYPE_CHECKING
from cuedeck.store.fs.background_process import start
from cuedeck.store.ledgers.hook_queue import HookQueue
from cuedeck.store.workspace_paths import WorkspacePaths

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace


def process_hook_events(workspace: Workspace) -> None:
    """Process the queued events, unless another process does. Raises: StorageError."""
    if HookQueue(workspace.paths.root).is_empty:
        return
    # The queue is nearly always empty, and `resume` must start fast.
    from cuedeck.app.hooks.dispatch import process_queue

    process_queue(workspace)


def process_later(root: str) -> None:
    """Start a process for the events that are still queued, because there may be no
    further hook to process them. Never raises.
    """
    if not HookQueue(root).is_empty:
        start(WorkspacePaths(root), "tick", ("memory", "tick"))
