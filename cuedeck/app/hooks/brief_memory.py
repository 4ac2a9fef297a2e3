"""Memory and experiences for the main agent of a session."""

from __future__ import annotations

import os
from collections.abc import Collection
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.app.mask_answers import mask_value
from cuedeck.app.memory.memory_profiles import memory_of
from cuedeck.app.scene.blocks.blocks_fingerprint import EXPERIENCES
from cuedeck.model.errors import StorageError
from cuedeck.scene.fence import fence, quoted, single_line

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace
    from cuedeck.model.ports import Count

_TOKENS = 440
_CHARACTERS = 1_900
_LEAST_CHARACTERS = 200
_USER_SHARE = 3
"""USER.md takes at most one third of the block."""
_HEAD = "## Memory\n\n"
_MOST_EXPERIENCES = 8
_LONGEST_EXPERIENCE = 300


class Shown(NamedTuple):
    """Experiences that fit a prompt."""

    text: str
    ids: tuple[str, ...]
    are_left: bool
    """Whether there are other experiences that a later prompt may need."""


class BriefMemory(NamedTuple):
    """The memory block of a brief."""

    text: str = ""
    """Empty without records."""
    records: tuple[str, ...] = ()
    """Ids of the records in the block."""


def memory_block(workspace: Workspace, count: Count) -> BriefMemory:
    """Return the memory block of a brief, at most 440 tokens."""
    # Only a brief needs it, and this module is imported at each prompt.
    from cuedeck.app.memory.session_context import memory_context
    from cuedeck.store.memory.digest_cache import DigestsUnfinished

    memory = memory_of(workspace)
    most = min(_CHARACTERS, workspace.settings.memory.cap)
    while most >= _LEAST_CHARACTERS:
        try:
            block = memory_context(
                workspace, memory, room=most, user_room=most // _USER_SHARE
            )
        except DigestsUnfinished:
            # The brief reports it, and the next event continues reading.
            return BriefMemory()
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


def experiences_for(workspace: Workspace, prompt: str, known: Collection[str]) -> Shown:
    """Return the experiences that fit a prompt, without those shown before, also as the
    record they stem from.

    `known` contains the ids of the shown experiences and records.
    """
    settings = workspace.settings.experiences
    if not settings.are_shown or not os.path.exists(
        workspace.paths.absolute(EXPERIENCES)
    ):
        return Shown("", (), False)
    # Most workspaces have no experiences.
    from cuedeck.app.experiences.experience_repository import experiences_of

    repository = experiences_of(memory_of(workspace))
    shown = frozenset(known)
    left = sum(shown.isdisjoint((each.id, each.record)) for each in repository.shown())
    if not prompt or not left:
        return Shown("", (), bool(left))
    ranked = repository.rank(
        prompt, _MOST_EXPERIENCES + len(shown), settings.similarity
    )
    new = []
    for each, _ in ranked:
        if shown.isdisjoint((each.id, each.record)):
            new.append(each)
    found = new[:_MOST_EXPERIENCES]
    if not found:
        return Shown("", (), True)
    texts = [(each.category, each.text, each.id) for each in found]
    rows = []
    for category, text, identity in mask_value(texts, workspace):
        line = quoted(f"[{category}] {text}", _LONGEST_EXPERIENCE)
        rows.append(f"- {line} (`experience:{single_line(identity, 40)}`)\n")
    ids = tuple(each.id for each in found)
    block = "".join(rows)
    return Shown(f"## Relevant past experiences\n\n{block}\n", ids, left > len(ids))
