"""Hook events that wait belong to the session before anybody looks at it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cuedeck.store.ledgers.hook_queue import HookQueue

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace


def process_hook_events(project: Workspace) -> None:
    """Process the events in the queue, unless a hook is at it. Raises: StorageError."""
    if not HookQueue(project.workspace.root).is_empty:
        from cuedeck.app.hooks.dispatch import process_queue

        process_queue(project)
