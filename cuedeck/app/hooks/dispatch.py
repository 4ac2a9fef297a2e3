"""Doing what an event of a host asks for."""

from __future__ import annotations

import importlib
import math
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from cuedeck.app.hooks.enqueue_event import needs_answer
from cuedeck.app.hooks.hook_context import HookContext, HookResult
from cuedeck.app.hooks.hook_log import log_hook_error
from cuedeck.app.open_workspace import workspace_at
from cuedeck.app.workspace import Workspace
from cuedeck.model.errors import CueDeckError, Locked, StorageError
from cuedeck.model.hook_event import HookEvent, file_name
from cuedeck.store.fs.file_lock import locked
from cuedeck.store.ledgers.agent_sessions import HostSessionFiles
from cuedeck.store.ledgers.hook_queue import LOCK, HookQueue
from cuedeck.store.workspace_paths import WorkspacePaths

if TYPE_CHECKING:
    from cuedeck.app.hooks.drain_queue import Drained

_PATIENCE_SECONDS = 2.0
"""For an event whose answer tells the agent something."""
_CATCH_UP_SECONDS = 1.0
"""For the queue before and after such an event; the rest goes on waiting."""
_HISTORY_SECONDS = {"prompt": 2.0, "post-tool": 2.0}
_MOST_HISTORY_SECONDS = 5.0
"""For reading commits, of the time that a hook has; the next event reads on where this one stops."""
HANDLERS = {
    "session-start": "on_session_start:start",
    "prompt": "on_prompt:prompt",
    "pre-compact": "on_pre_compact:compact",
    "post-tool": "on_tool_use:touch",
    "stop": "on_stop:stop",
    "session-end": "on_session_end:end",
}
"""What does each event, and in which module."""


def run(
    root: str, told: HookEvent, environ: Mapping[str, str], say: Callable[[str], None], until: float = math.inf
) -> str:
    """Process an event; return what the agent is told of it. What goes wrong is logged and said.

    An event that is queued is processed with the others that wait, or by the process that is at it now; none is begun
    after `until`, a monotonic time.
    """
    project = workspace_at(WorkspacePaths(root), environ)
    project.deadline = time.monotonic() + _HISTORY_SECONDS.get(told.event, _MOST_HISTORY_SECONDS)

    def report(of: HookEvent, error: Exception) -> None:
        where = "has it" if log_hook_error(project, of, error) else "cannot be written"
        say(f"cuedeck hook {of.event}: {type(error).__name__}; .cuedeck/cache/log.jsonl {where}")

    try:
        if told.id and not needs_answer(told):
            process_queue(project, report, until)
            return ""
        return _answer(project, told, report, until if told.id else time.monotonic() + _CATCH_UP_SECONDS)
    except Locked as error:
        if not told.id:  # a queued event is processed by the holder of the lock
            report(told, error)
        return ""
    except Exception as error:  # noqa: BLE001 - an agent goes on whatever happens here; the log keeps the reason
        report(told, error)
        return _unkept(project, told) if isinstance(error, StorageError) else ""
    finally:
        project.close()


def _unkept(project: Workspace, told: HookEvent) -> str:
    """Return the brief for a start that nothing could be written of; empty for other events."""
    if told.event != "session-start" or not told.is_heard:
        return ""
    from cuedeck.app.hooks.readonly_brief import unkept_brief

    try:
        return unkept_brief(project, told)
    except CueDeckError as error:
        log_hook_error(project, told, error)
        return ""


def process_queue(
    project: Workspace, report: Callable[[HookEvent, Exception], object] | None = None, until: float = math.inf
) -> None:
    """Process the events that wait, unless another process is at it. Raises: StorageError.

    A process that finds the lock held leaves its event to the holder. So the holder looks again after it let go of
    the lock: an event that was added in between is processed by the one or by the other.
    """
    queue = HookQueue(project.workspace.root)
    left: frozenset[str] = frozenset()
    while any(event.id not in left for event in queue.events()):
        try:
            with locked(project.workspace, LOCK, 0):
                left, is_done = _drain(project, queue, report, until)
        except Locked:
            return
        if not is_done:
            return


def _drain(
    project: Workspace,
    queue: HookQueue,
    report: Callable[[HookEvent, Exception], object] | None,
    until: float,
    answers: dict[str, str] | None = None,
) -> Drained:
    """Process the events that wait; the caller holds the lock. `answers` takes the text for each event, by its id."""
    from cuedeck.app.hooks.drain_queue import drain

    def log(told: HookEvent, error: Exception) -> None:
        log_hook_error(project, told, error)

    def handle(told: HookEvent, seconds: float) -> None:
        text = _handle(project, told, seconds)
        if answers is not None:
            answers[told.id] = text

    return drain(queue, handle, report or log, until)


def _answer(project: Workspace, told: HookEvent, report: Callable[[HookEvent, Exception], object], until: float) -> str:
    """Process an event that needs an answer, or is not queued; what waits comes before it, as far as there is time."""
    if told.event not in HANDLERS:
        log_hook_error(project, told, "there is no such event" if told.event else told.problem)
        return ""
    _handler(told)  # what has to be imported is, before others wait for it
    queue = HookQueue(project.workspace.root)
    with locked(project.workspace, LOCK, _PATIENCE_SECONDS):
        answers: dict[str, str] = {}
        if not queue.is_empty:
            _drain(project, queue, report, until, answers)
        if told.id in answers:
            text = answers[told.id]
        elif any(event.id == told.id for event in queue.events()):  # it goes on waiting
            text = ""
        else:
            text = _handle(project, told, time.time())
    process_queue(project, report, time.monotonic() + _CATCH_UP_SECONDS)
    return text


def _handler(told: HookEvent) -> Callable[[HookContext], HookResult]:
    module, name = HANDLERS[told.event].split(":")
    found: Callable[[HookContext], HookResult] = getattr(importlib.import_module(f"cuedeck.app.hooks.{module}"), name)
    return found


def _handle(project: Workspace, told: HookEvent, seconds: float) -> str:
    """Do what an event asks for that the host told at `seconds`; the caller holds the lock."""
    from cuedeck.app.hooks.watched_files import without_secrets
    from cuedeck.parse.agent_session_file import format_host_session, parse_host_session

    files, place = HostSessionFiles(project.workspace), file_name(told)
    known = parse_host_session(files.read(place), told.host)
    outcome = _handler(told)(HookContext(project, told, known, files, seconds))
    if outcome.known != known:
        files.write(place, format_host_session(without_secrets(project, outcome.known)))
    return outcome.text
