"""What an agent said last, as it is remembered of a turn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cuedeck.app.hooks.enqueue_event import is_turn_end, last_message
from cuedeck.app.mask_answers import mask_value
from cuedeck.store.ledgers.hook_queue import LONGEST_MESSAGE

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace
    from cuedeck.model.hook_event import HookEvent

CHARACTERS = 500
"""Of what is remembered of a turn."""
_NOTHING = frozenset(["heartbeat_ok", ""])
_AROUND = "*_`.!\"' \t\r\n"


def words_of(project: Workspace, told: HookEvent) -> str:
    """Return what the agent said last, masked and cut; empty where it is nothing to remember."""
    if not is_turn_end(told):
        return ""
    return masked_words(project, told.message or (last_message(told.transcript) if told.transcript else ""))


def masked_words(project: Workspace, text: str) -> str:
    """Return a message masked and cut; empty for one that is nothing to remember."""
    if text.strip(_AROUND).casefold() in _NOTHING:
        return ""
    masked: str = mask_value(text.strip()[:LONGEST_MESSAGE], project)
    return masked[:CHARACTERS].strip()
