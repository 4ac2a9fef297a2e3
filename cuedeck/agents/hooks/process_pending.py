"""Processing of queued hook events: before a command reads the session, or later in the
background.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cuedeck.ledger.sessions.hook_queue import HookQueue
from cuedeck.model.errors import Locked
from cuedeck.store.files.background_process import start
from cuedeck.store.files.file_lock import locked
from cuedeck.store.workspace_paths import WorkspacePaths

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace

_TICK = "tick"
"""Lock of a maintenance run."""


def process_hook_events(workspace: Workspace) -> None:
    """Process the queued events, unless another process does. Raises: StorageError."""
    if HookQueue(workspace.paths.root).is_empty:
        return
    # The queue is nearly always empty, and `resume` must start fast.
    from cuedeck.agents.hooks.dispatch import process_queue

    process_queue(workspace)


def catch_up_later(root: str) -> None:
    """Start a process that processes the queued events and prepares the next brief,
    because a hook had no time for it. Never raises.
    """
    start(WorkspacePaths(root), _TICK, ("memory", "tick", "--brief"))


def prepare_brief(workspace: Workspace) -> None:
    """Bring the cached scene and brief up to date, unless a maintenance run is active.

    Raises: ConfigurationError, StorageError.
    """
    from cuedeck.agents.hooks.session_brief import make_brief

    try:
        with locked(workspace.paths, _TICK, 0):
            make_brief(workspace)
    except Locked:
        return


def process_later(root: str) -> None:
    """Start a process for the events that are still queued, because there may be no
    further hook to process them. Never raises.
    """
    if not HookQueue(root).is_empty:
        start(WorkspacePaths(root), _TICK, ("memory", "tick"))
