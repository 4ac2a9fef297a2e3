"""Main loop of a watcher process with its event sources."""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import TYPE_CHECKING

from cuedeck.engine.watch.watch_events import Report, fault, fault_of
from cuedeck.engine.watch.watcher import Watcher
from cuedeck.model.errors import WorkspaceMissing
from cuedeck.store.files.file_events import HEAD, FileEvents
from cuedeck.store.git.head_events import HeadEvents

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace


def watch_forever(
    workspace: Workspace, report: Report, copy: Callable[[str], str] | None = None
) -> int:
    """Watch until interrupted or until the workspace is deleted; return the exit code
    of the latter.

    SCENE.md is written while no other process writes it, else only read. Raises:
    KeyboardInterrupt, StorageError if the system stops sending events or the lock
    cannot be created.
    """
    watcher = Watcher(workspace, report, copy)
    try:
        events = FileEvents(workspace.paths)
        heads = HeadEvents(workspace.paths.root, lambda: events.add(HEAD))
        sends = events.start()
        try:
            if not heads.start(polling=not sends):
                report(
                    fault(
                        "the system does not report commits and checkouts",
                        "the next save includes them",
                    )
                )
            watcher.prepare()
            # exclude the loaded objects from full collections, which would otherwise
            # walk all of them
            gc.freeze()
            root, files = workspace.paths.root, workspace.index.size()
            report(
                {
                    "event": "ready",
                    "root": root,
                    "files": files,
                    "polling": not sends,
                    "writes": watcher.writes,
                }
            )
            while True:
                watcher.step(events)
        except WorkspaceMissing as gone:
            report(fault_of(gone))
            return gone.exit_code
        finally:
            heads.stop()
            events.stop()
    finally:
        watcher.close()
