"""Putting an event of a host into the queue, before anything heavy is imported."""

from __future__ import annotations

from cuedeck.model.errors import StorageError
from cuedeck.model.hook_event import CONTEXT_EVENTS, HookEvent
from cuedeck.store.ledgers.hook_queue import LOCK, HookQueue

QUEUED = frozenset(["post-tool", "stop", "pre-compact", "session-end"])
"""Events that have to be remembered."""
_TAIL_BYTES = 1_000_000
_SUBAGENT = frozenset(["SubagentStop", "subagentStop"])


def enqueue(root: str, told: HookEvent) -> str:
    """Write an event durably and set its id; return what went wrong, empty where nothing did.

    What an agent said last is read from the transcript now, where the host does not tell it: the transcript goes on.
    """
    if told.event == "stop" and not told.message and told.transcript:
        told.message = last_message(told.transcript)
    try:
        told.id = HookQueue(root).add(told).id
    except StorageError as error:
        return error.message
    return ""


def needs_answer(told: HookEvent) -> bool:
    """Return whether the answer to an event tells the agent something, so that it is processed now."""
    return told.event not in QUEUED or told.event in CONTEXT_EVENTS.get(told.host, {})


def is_processing(root: str) -> bool:
    """Return whether another process takes events out of the queue; it looks for new ones after its last one."""
    from cuedeck.store.fs.file_lock import is_held
    from cuedeck.store.workspace_paths import WorkspacePaths

    try:
        return is_held(WorkspacePaths(root), LOCK)
    except StorageError:  # the process that handles the event reports it
        return False


def is_turn_end(told: HookEvent) -> bool:
    """Return whether a stop is that of the main session, not that of a subagent."""
    return told.is_main and told.name not in _SUBAGENT


def last_message(transcript: str) -> str:
    """Return what an agent said last, from the end of a transcript."""
    from cuedeck.parse.transcript import last_said
    from cuedeck.store.fs.disk import read_tail

    return last_said(read_tail(transcript, _TAIL_BYTES))


def log_unprocessed(root: str, told: HookEvent, problem: str) -> None:
    """Log why a hook ended before its event was processed."""
    from cuedeck.store.fs.log_file import log
    from cuedeck.store.workspace_paths import WorkspacePaths

    problem += "; the agent went on without it"
    if told.id:
        problem += ", and the event waits in .cuedeck/sessions/pending"
    log(WorkspacePaths(root), {"event": "hook", "hook": told.event, "host": told.host, "problem": problem})
