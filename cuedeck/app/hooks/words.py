"""What an agent said last, as it is remembered of a turn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cuedeck.app.masking import mask_value

if TYPE_CHECKING:
    from cuedeck.app.project import Project
    from cuedeck.model.hook import Told

CHARACTERS = 500
"""Of what is remembered of a turn."""
_TAIL_BYTES = 1_000_000
_LONGEST = 20_000
"""Characters of a message that are looked at."""
_SUBAGENT = frozenset(["SubagentStop", "subagentStop"])
_NOTHING = frozenset(["heartbeat_ok", ""])
_AROUND = "*_`.!\"' \t\r\n"


def is_no_turn(told: Told) -> bool:
    """Return whether a stop is the end of a subagent."""
    return not told.is_main or told.name in _SUBAGENT


def words_of(project: Project, told: Told) -> str:
    """Return what the agent said last, masked and cut; empty where it is nothing to remember."""
    if is_no_turn(told):
        return ""
    text = told.message or (_last_said(told.transcript) if told.transcript else "")
    if text.strip(_AROUND).casefold() in _NOTHING:
        return ""
    masked: str = mask_value(text.strip()[:_LONGEST], project)
    return masked[:CHARACTERS].strip()


def _last_said(transcript: str) -> str:
    from cuedeck.parse.transcript import last_said
    from cuedeck.store.tail import read_tail

    return last_said(read_tail(transcript, _TAIL_BYTES))
