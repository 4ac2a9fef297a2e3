"""Dispatch of hook events to their handlers, one process at a time for each
workspace.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Collection, Mapping
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.agents.hooks.enqueue_event import needs_answer
from cuedeck.agents.hooks.hook_context import HookContext, HookResult, log_hook_error
from cuedeck.agents.hosts import hooks_of
from cuedeck.engine.open_workspace import workspace_at
from cuedeck.ledger.sessions.agent_sessions import (
    HostSessionFiles,
    format_host_session,
    parse_host_session,
)
from cuedeck.ledger.sessions.hook_queue import LOCK, HookQueue, PendingEvent
from cuedeck.model.errors import ConfigurationError, CueDeckError, Locked, StorageError
from cuedeck.model.hook_event import EVENTS, MESSAGE, HookEvent, file_name
from cuedeck.store.files.file_lock import locked
from cuedeck.store.workspace_paths import WorkspacePaths

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace


MOST_TRIES = 8
"""Number of attempts after which an event is set aside."""


Report = Callable[[HookEvent, Exception], object]
"""Receiver of an event whose processing failed, and of the error."""


class Drained(NamedTuple):
    """Result of one pass over the queue."""

    left: frozenset[str]
    """Ids of the events that cannot be processed now."""
    is_done: bool
    """Whether every other event is processed."""


def drain(
    queue: HookQueue,
    handle: Callable[[HookEvent, float], str],
    report: Report,
    until: float,
    postponed: Collection[str] = (),
    answers: dict[str, str] | None = None,
) -> Drained:
    """Process the queued events, including those added meanwhile. The caller holds the
    lock `hooks`. `handle` receives an event and the time at which the host sent it;
    `answers` receives the answer to each event, by its id.

    Events with a name in `postponed` stay in the queue unless it contains others, so
    that the order of all events is kept.

    No processing starts after `until`, a time of the monotonic clock. After Locked,
    StorageError or ConfigurationError an event and the later events of its session stay
    in the queue. An event whose processing fails in another way, or ends the process,
    is set aside after `MOST_TRIES` attempts. Raises: StorageError if the queue itself
    cannot be changed.
    """
    left: set[str] = set()
    failed: set[str] = set()
    while waiting := [each for each in queue.events() if each.id not in left]:
        read = [(each, queue.read(each)) for each in waiting]
        ids = {each.id for each in waiting}
        if all(event and event.event in postponed for _, event in read):
            left |= ids
            continue
        for each, event in read:
            if time.monotonic() >= until:
                return Drained(frozenset(left), False)
            if event is None or each.tries >= MOST_TRIES:
                _set_aside(queue, each, event, report)
            elif file_name(event) not in failed:
                error = _process(queue, handle, each, event, answers)
                if error is None:
                    continue
                report(event, error)
                if isinstance(error, Locked | ConfigurationError):
                    # Every other event would fail in the same way.
                    return Drained(frozenset(left | ids), True)
                failed.add(file_name(event))
            left.add(each.id)
    return Drained(frozenset(left), True)


def _set_aside(
    queue: HookQueue, waiting: PendingEvent, event: HookEvent | None, report: Report
) -> None:
    queue.set_aside(waiting)
    reason = f"processing it failed {MOST_TRIES} times"
    if event is None:
        reason = "it cannot be read"
    problem = f"the hook event {waiting.name} is set aside: {reason}"
    report(event or HookEvent("", ""), ValueError(problem))


def _process(
    queue: HookQueue,
    handle: Callable[[HookEvent, float], str],
    waiting: PendingEvent,
    event: HookEvent,
    answers: dict[str, str] | None,
) -> Exception | None:
    """Process an event and remove it from the queue; return the error if that
    failed.
    """
    begun = queue.begin(waiting)
    try:
        text = handle(event, waiting.seconds)
    except (Locked, StorageError, ConfigurationError) as error:
        queue.put_back(begun)
        return error
    except Exception as error:  # noqa: BLE001 - one event must not stop those of other sessions
        return error
    queue.remove(begun)
    if answers is not None:
        answers[event.id] = text
    return None


_FOREVER = float("inf")
_PATIENCE_SECONDS = 1.0
"""Waiting time for the lock, for an event whose answer the agent reads."""
_SUSPECT = r"\w{16}|=|://"
_CATCH_UP_SECONDS = 1.0
"""Time for queued events before and after such an event; later hooks process the
others.
"""
_POSTPONED = (MESSAGE,)
"""Events that need no processing while an agent waits for an answer: texts of prompts,
which the next other event adds to the timeline.
"""
_HISTORY_SECONDS = 1.0
"""Time for reading commits; the next event continues where this one stops."""
_STATEMENTS = "statements"
"""Second handler of post-tool: another process may handle the queued event, but only
this one can answer.
"""
HANDLERS = {
    "session-start": "on_session_start:start",
    "subagent-start": "on_session_start:start_subagent",
    "prompt": "on_prompt:prompt",
    "pre-compact": "on_stop:compact",
    "post-tool": "on_tool_use:touch",
    "stop": "on_stop:stop",
    "session-end": "on_stop:end",
    MESSAGE: "turn_records:record",
    _STATEMENTS: "on_tool_use:give_statements",
}
"""Module and function of each handler. A module is imported when an event needs it,
because start-up must be fast.
"""


def run(
    root: str,
    event: HookEvent,
    environ: Mapping[str, str],
    write_error: Callable[[str], None],
    until: float = _FOREVER,
) -> str:
    """Process an event and return the answer for the agent. Errors are logged and
    passed to `write_error`.

    A queued event is processed in the order of the queue, possibly by another process.
    No processing starts after `until`, a time of the monotonic clock.
    """
    workspace = workspace_at(WorkspacePaths(root), environ)
    workspace.deadline = time.monotonic() + _HISTORY_SECONDS

    def report(failed: HookEvent, error: Exception) -> None:
        is_logged = log_hook_error(workspace, failed, error)
        where = "has it" if is_logged else "cannot be written"
        write_error(
            f"cuedeck hook {failed.event}: {type(error).__name__}; .cuedeck/cache/log.jsonl {where}"
        )

    try:
        if event.id and not needs_answer(event, hooks_of(event.host)):
            process_queue(workspace, report, until)
            return ""
        return _emit(workspace, event, _answer(workspace, event, report, until))
    except Locked as error:
        if not event.id:  # the holder of the lock processes queued events
            report(event, error)
        return ""
    except Exception as error:  # noqa: BLE001 - an agent goes on whatever happens here; the log keeps the reason
        report(event, error)
        is_start = event.event == "session-start"
        if is_start and isinstance(error, StorageError):
            return _readonly_answer(workspace, event)
        return ""
    finally:
        workspace.close()


def _readonly_answer(workspace: Workspace, event: HookEvent) -> str:
    """Return the brief for the start of a session in a workspace that cannot be
    written.
    """
    # Only a read-only workspace needs the brief here.
    from cuedeck.agents.hooks.session_brief import BriefAudience, make_brief

    in_memory = workspace.reopened(index_in_memory=True)
    try:
        brief = make_brief(in_memory, (), BriefAudience(event.is_main), writes=False)
        return _emit(in_memory, event, brief.text)
    except CueDeckError as error:
        log_hook_error(workspace, event, error)
        return ""
    finally:
        in_memory.close()


def _emit(workspace: Workspace, event: HookEvent, text: str) -> str:
    """Return the text for the agent with its secrets masked: the one exit of hooks.

    The words of an answer to a prompt come masked from the index and the session. Only
    names of files can contain a secret, which is then a long run of letters or an
    assignment. Most answers have neither, and the rules of secrets are slow to load.
    """
    if not text or (event.event == "prompt" and not re.search(_SUSPECT, text)):
        return text
    from cuedeck.engine.mask_answers import mask_value

    return mask_value(text, workspace, is_answer=True)


def process_queue(
    workspace: Workspace,
    report: Report | None = None,
    until: float = _FOREVER,
    postponed: Collection[str] = (),
    left: frozenset[str] = frozenset(),
) -> None:
    """Process the queued events, unless another process does. Raises: StorageError.

    Events with a name in `postponed` stay in a queue that contains no others; those in
    `left` were seen before and are not tried again without others.

    A process that finds the lock held leaves its event to the holder. Therefore the
    holder checks the queue again after it released the lock: an event added in between
    is processed by one of the two.
    """
    queue = HookQueue(workspace.paths.root)
    report = report or partial(log_hook_error, workspace)
    handle = partial(_handle, workspace)
    while any(event.id not in left for event in queue.events()):
        try:
            with locked(workspace.paths, LOCK, 0):
                left, is_done = drain(queue, handle, report, until, postponed)
        except Locked:
            return
        if not is_done:
            return


def _answer(
    workspace: Workspace, event: HookEvent, report: Report, until: float
) -> str:
    """Process an event that needs an answer or is not queued, after the queued events
    as far as time allows.
    """
    if event.event not in EVENTS:
        problem = "unknown event" if event.event else event.problem
        log_hook_error(workspace, event, problem)
        return ""
    _handler(event.event)  # imports before other processes wait for the lock
    if not event.id:
        until = min(until, time.monotonic() + _CATCH_UP_SECONDS)
    queue = HookQueue(workspace.paths.root)
    handle = partial(_handle, workspace)
    with locked(workspace.paths, LOCK, _PATIENCE_SECONDS):
        answers: dict[str, str] = {}
        # A brief has the prompt of a session that was killed.
        postponed = () if event.event == "session-start" else _POSTPONED
        left, _ = drain(queue, handle, report, until, postponed, answers)
        if event.id in answers:
            text = answers[event.id]
        elif event.id and any(each.id == event.id for each in queue.events()):
            # Not processed in time.
            text = ""
        else:
            text = handle(event, time.time())
        if event.event == "post-tool":
            text = _handle(workspace, event, time.time(), _STATEMENTS)
    catch_up_until = min(until, time.monotonic() + _CATCH_UP_SECONDS)
    process_queue(workspace, report, catch_up_until, _POSTPONED, left)
    return text


def _handler(name: str) -> Callable[[HookContext], HookResult]:
    module, name = HANDLERS[name].split(":")
    # `importlib` is a package of its own to load.
    loaded = __import__(f"cuedeck.agents.hooks.{module}", fromlist=[name])
    found: Callable[[HookContext], HookResult] = getattr(loaded, name)
    return found


def _handle(
    workspace: Workspace, event: HookEvent, seconds: float, handler: str = ""
) -> str:
    """Call the handler of an event that the host sent at `seconds`, or another one; the
    caller holds the lock.
    """
    files, name = HostSessionFiles(workspace.paths), file_name(event)
    known = parse_host_session(files.read(name), event.host)
    hooks = hooks_of(event.host)
    context = HookContext(workspace, event, known, files, seconds, hooks)
    with workspace.one_scan():
        result = _handler(handler or event.event)(context)
    if result.known != known:
        files.write(name, format_host_session(result.known))
    return result.text
