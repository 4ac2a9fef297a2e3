"""Memory block of a brief, for the main agent of a session."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cuedeck.ledger.records.memory_profiles import memory_of
from cuedeck.model.errors import StorageError
from cuedeck.parse.fence import fence

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.model.ports import Count

_TOKENS = 440
_CHARACTERS = 1_900
_LEAST_CHARACTERS = 200
_USER_SHARE = 3
"""USER.md takes at most one third of the block."""
_HEAD = "## Memory\n\n"


class BriefMemory(NamedTuple):
    """The memory block of a brief."""

    text: str = ""
    """Empty without records."""
    records: tuple[str, ...] = ()
    """Ids of the records in the block."""


def memory_block(
    workspace: Workspace, count: Count, *, without_turns: bool
) -> BriefMemory:
    """Return the memory block of a brief, at most 440 tokens, also without summaries of
    turns.
    """
    # Only a brief needs it, and this module is imported at each prompt.
    from cuedeck.knowledge.memory.session_context import memory_context

    memory = memory_of(workspace)
    most = min(_CHARACTERS, workspace.settings.memory.cap)
    while most >= _LEAST_CHARACTERS:
        try:
            block = memory_context(
                workspace,
                memory,
                room=most,
                user_room=most // _USER_SHARE,
                without_turns=without_turns,
            )
        except StorageError:
            return BriefMemory(
                f"{_HEAD}The memory cannot be read; `cuedeck doctor` reports the cause.\n\n"
            )
        if not block.text:
            break
        text = fence(block.text.strip())
        tokens = count.count(text)
        if tokens <= _TOKENS:
            return BriefMemory(f"{_HEAD}{text}", block.records)
        most = most * _TOKENS // tokens * 9 // 10
    return BriefMemory()
