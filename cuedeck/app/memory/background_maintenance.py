"""What a watcher does for memory while nobody works: what is due, in a thread of its own, so that no save waits."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from cuedeck.app.memory.due_jobs import is_on
from cuedeck.app.memory.maintenance import MaintenanceReport, tick

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace

EVERY = 30
"""Idle steps from one look to the next; a step without events takes a second."""


class BackgroundMaintenance:
    """Looks after the memories of a workspace, step by idle step."""

    def __init__(self, project: Workspace) -> None:
        self._project = project
        self._steps = 0
        self._ended: queue.SimpleQueue[Callable[[], MaintenanceReport]] = queue.SimpleQueue()
        self.busy = False
        """True while something runs, and until `step` took notice of its end."""

    def step(self) -> dict[str, Any] | None:
        """Begin what is due, now and then; return what an earlier step began, when it has done or failed anything.

        Raises: whatever went wrong in it.
        """
        if self.busy:
            return self._take()
        self._steps += 1
        if self._steps % EVERY == 1 and is_on(self._project):
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
        return ticked.answer if ticked.ran or ticked.failed else None

    def _run(self) -> None:
        """Tick with a workspace of our own: the index and the settings of the watcher belong to its thread."""
        from cuedeck.app.workspace import Workspace

        own = Workspace(self._project.workspace, self._project.environ)
        try:
            ticked = tick(own)
            self._ended.put(lambda: ticked)
        except Exception as error:  # noqa: BLE001 - raised again where the watcher tells of it
            failure = error

            def fail() -> MaintenanceReport:
                raise failure

            self._ended.put(fail)
        finally:
            own.close()
