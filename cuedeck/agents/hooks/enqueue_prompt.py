"""Adding of the text of a prompt to the queue.

A prompt that needs no answer loads this module, so it imports less than
`enqueue_event`.
"""

from __future__ import annotations

from cuedeck.ledger.sessions.hook_queue import HookQueue
from cuedeck.model.errors import StorageError
from cuedeck.model.hook_event import MESSAGE, HookEvent


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
