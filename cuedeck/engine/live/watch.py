"""The loop of `cuedeck watch`: reports the changes of a live workspace."""

from __future__ import annotations

import queue
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from cuedeck.engine.live.change import Change, error_event
from cuedeck.engine.live.engine import Engine
from cuedeck.model.errors import WorkspaceMissing

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace

_CLOSE_SECONDS = 3.0
_CHECK_SECONDS = 1.0


def watch_forever(
    workspace: Workspace,
    report: Callable[[dict[str, Any]], None],
    copy: Callable[[str], str] | None = None,
) -> int:
    """Watch until interrupted or until the workspace is deleted; return the exit code
    of the latter. `copy` gets each new scene and returns a warning.

    SCENE.md is written while no other process writes it, else only read. Raises:
    KeyboardInterrupt, StorageError if the system reports no changes.
    """
    changes: queue.SimpleQueue[Change] = queue.SimpleQueue()
    engine = Engine(workspace.paths, workspace.environ, is_watcher=True)
    engine.subscribe(changes.put)
    engine.start()
    try:
        while engine.ended is None or not changes.empty():
            try:
                change = changes.get(timeout=_CHECK_SECONDS)
            except queue.Empty:
                continue
            if change.event:
                report(dict(change.event))
            if change.text and copy is not None and (warning := copy(change.text)):
                report(error_event(warning))
    finally:
        engine.close(_CLOSE_SECONDS)
    if isinstance(engine.ended, WorkspaceMissing):
        return engine.ended.exit_code
    assert engine.ended is not None
    raise engine.ended
