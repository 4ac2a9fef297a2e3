"""The process of a watcher: its lock, what tells it of changes, and its rounds until it is interrupted."""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import TYPE_CHECKING

from cuedeck.app.watch import LOCK
from cuedeck.app.watch.telling import Tell, fault
from cuedeck.app.watch.watcher import Watcher
from cuedeck.model.errors import Locked
from cuedeck.store.events import HEAD, FileEvents
from cuedeck.store.history.events import HeadEvents
from cuedeck.store.lock import locked

if TYPE_CHECKING:
    from cuedeck.app.project import Project


def keep_true(project: Project, tell: Tell, copy: Callable[[str], str] | None = None) -> bool:
    """Watch until interrupted; False when another watcher does: one a workspace writes SCENE.md.

    Raises: KeyboardInterrupt, StorageError when the system no longer tells of changes.
    """
    try:
        with locked(project.workspace, LOCK, patience_seconds=0):
            events = FileEvents(project.workspace)
            heads = HeadEvents(project.workspace.root, lambda: events.add(HEAD))
            sends = events.start()
            try:
                if not heads.start(polling=not sends):
                    tell(fault("the system does not tell of commits and checkouts", "the next save counts them"))
                watcher = Watcher(project, tell, copy)
                watcher.prepare()
                gc.freeze()  # what is loaded by now stays; without it each full collection walks over all of it
                root, files = project.workspace.root, project.index.size()
                tell({"event": "ready", "root": root, "files": files, "polling": not sends})
                try:
                    while True:
                        watcher.step(events)
                finally:
                    watcher.close()
            finally:
                heads.stop()
                events.stop()
    except Locked:
        message = "another watcher keeps SCENE.md of this workspace up to date"
        tell(fault(message, "this one has nothing to do", Locked.code))
        return False
