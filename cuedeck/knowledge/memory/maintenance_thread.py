"""Memory maintenance of a watcher: runs due jobs while idle, in a thread of its own so
that no save waits.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from cuedeck.knowledge.memory.due_jobs import is_on
from cuedeck.knowledge.memory.run_maintenance import MaintenanceReport, tick

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace

EVERY = 30
"""Number of idle steps between two checks. A step without events takes a second."""


class BackgroundMaintenance:
    """Runs the maintenance of the memories of a workspace, driven by the idle steps of
    a watcher.
    """

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._steps = 0
        self._ended: queue.SimpleQueue[Callable[[], MaintenanceReport]] = (
            queue.SimpleQueue()
        )
        self.busy = False
        """Whether a run is active or its result not yet taken by `step`."""

    def step(self) -> dict[str, Any] | None:
        """Start a run every `EVERY` steps; return the report of a finished run if it
        did anything or failed.

        Raises: any error of the finished run.
        """
        if self.busy:
            return self._take()
        self._steps += 1
        if self._steps % EVERY == 1 and is_on(self._workspace):
            self.busy = True
            threading.Thread(target=self._run, name="memory", daemon=True).start()
        return None

    def _take(self) -> dict[str, Any] | None:
        try:
            ended = self._ended.get_nowait()
        except queue.Empty:
            return None
        self.busy = False
        ticked = ended()
        if ticked.ran or ticked.failed:
            return ticked.answer
        return None

    def _run(self) -> None:
        """Run the maintenance with a separate workspace: the index and settings of the
        watcher belong to its thread.
        """
        own = self._workspace.reopened()
        try:
            ticked = tick(own)
            self._ended.put(lambda: ticked)
        except Exception as error:  # noqa: BLE001 - raised again by `step` in the thread of the watcher
            failure = error

            def fail() -> MaintenanceReport:
                raise failure

            self._ended.put(fail)
        finally:
            own.close()
