"""Adding of an event to the queue, before anything heavy is imported.

Nearly every hook loads this module, also if another process does the work. So other
modules are imported where they are needed.
"""

from __future__ import annotations

from cuedeck.agents.hosts import transcript_format
from cuedeck.ledger.sessions.hook_queue import LOCK, HookQueue
from cuedeck.model.errors import StorageError
from cuedeck.model.hook_event import MESSAGE, HookEvent
from cuedeck.store.capture_consent import is_agreed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cuedeck.agents.hosts.base import Hooks

QUEUED = frozenset(["post-tool", "stop", "pre-compact", "session-end"])
"""Events that must not be lost."""
_TAIL_BYTES = 1_000_000
_SUBAGENT = frozenset(["SubagentStop", "subagentStop"])


def enqueue(root: str, event: HookEvent) -> str:
    """Write an event durably to the queue and set its id; return the problem, or an
    empty string.

    If the host does not send the last message of the agent, it is read from the
    transcript now, because the transcript grows. Without the agreement of the user, the
    event is queued without words of the conversation.
    """
    if not is_agreed(root):
        event.message = event.conversation = ""
    elif event.event == "stop" and not event.message and event.transcript:
        event.message = last_message(event.transcript)
    try:
        event.id = HookQueue(root).add(event).id
    except StorageError as error:
        return error.message
    return ""


def enqueue_prompt(root: str, event: HookEvent) -> str:
    """Write the text of a prompt durably to the queue; return the problem, or an empty
    string.

    The text becomes a message of the timeline when the queue is processed, at the
    latest at the end of the turn. So a prompt does not wait for it.
    """
    message = HookEvent(
        MESSAGE,
        event.host,
        name=event.name,
        session=event.session,
        agent_name=event.agent_name,
        message=event.prompt,
        turn=event.turn,
    )
    try:
        HookQueue(root).add(message)
    except StorageError as error:
        return error.message
    return ""


def needs_answer(event: HookEvent, hooks: Hooks) -> bool:
    """Return whether the agent reads the answer to an event, so that the event is
    processed at once.
    """
    return event.event not in QUEUED or bool(hooks.context_name(event.event))


def is_processing(root: str) -> bool:
    """Return whether another process processes the queue. It checks for new events
    after its last one.
    """
    from cuedeck.store.files.file_lock import is_held
    from cuedeck.store.workspace_paths import WorkspacePaths

    try:
        return is_held(WorkspacePaths(root), LOCK)
    except StorageError:  # the process that handles the event reports it
        return False


def is_turn_end(event: HookEvent) -> bool:
    """Return whether a stop ends a turn of the main agent, not of a subagent."""
    return event.is_main and event.name not in _SUBAGENT


def last_message(transcript: str) -> str:
    """Return the last message of the agent in a transcript."""
    from cuedeck.parse.transcript import last_agent_text
    from cuedeck.store.files.disk import read_tail

    return last_agent_text(read_tail(transcript, _TAIL_BYTES), transcript_format())


def log_unprocessed(root: str, event: HookEvent, problem: str) -> None:
    """Log why a hook ended before its event was processed."""
    from cuedeck.store.files.log_file import log
    from cuedeck.store.workspace_paths import WorkspacePaths

    problem += "; the agent continued without an answer"
    if event.id:
        problem += "; the event is queued in .cuedeck/sessions/pending"
    log(
        WorkspacePaths(root),
        {"event": "hook", "hook": event.event, "host": event.host, "problem": problem},
    )
