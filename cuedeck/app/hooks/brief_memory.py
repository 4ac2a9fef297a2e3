"""What a session of a host is given of memory and of experiences; the main session only."""

from __future__ import annotations

import os
from collections.abc import Collection
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.app.memory.memory_profiles import memory_of
from cuedeck.app.scene.blocks.blocks_fingerprint import EXPERIENCES

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace
    from cuedeck.model.ports import Count

_TOKENS = 600
_CHARACTERS = 2_600
_LEAST_CHARACTERS = 200
_USER_SHARE = 3
"""Who the human is takes at most one part in so many."""
_HEAD = "## Memory\n\n"
_MOST = 8
_LONGEST = 300


class Shown(NamedTuple):
    """Experiences that answer a prompt."""

    text: str
    ids: tuple[str, ...]
    are_left: bool
    """Whether there are others that a later prompt may ask for."""


class BriefMemory(NamedTuple):
    """The block of memory that a session is given."""

    text: str = ""
    """Empty where there is none."""
    records: tuple[str, ...] = ()
    """Ids of the records in it."""


def memory_block(project: Workspace, count: Count) -> BriefMemory:
    """Return the block of memory that a session is given, as small as a brief needs it."""
    from cuedeck.app.memory.session_context import memory_context
    from cuedeck.scene.fence import fence
    from cuedeck.store.memory.digest_cache import DigestsUnfinished

    memory = memory_of(project)
    most = min(_CHARACTERS, project.settings.memory.cap)
    while most >= _LEAST_CHARACTERS:
        try:
            block = memory_context(project, memory, room=most, user_room=most // _USER_SHARE)
        except DigestsUnfinished:  # the brief says so, and the next event reads on
            return BriefMemory()
        if not block.text:
            break
        text = fence(block.text.strip())
        tokens = count.count(text)
        if tokens <= _TOKENS:
            return BriefMemory(f"{_HEAD}{text}", block.records)
        most = most * _TOKENS // tokens * 9 // 10
    return BriefMemory()


def experiences_for(project: Workspace, prompt: str, known: Collection[str]) -> Shown:
    """Return the experiences that fit a prompt, but for those that were shown, be it as the record they stem from."""
    place = project.workspace.absolute(EXPERIENCES)
    if not os.path.exists(place) or not project.settings.experiences.are_told:
        return Shown("", (), False)
    from cuedeck.app.experiences.experience_repository import experiences_of
    from cuedeck.app.mask_answers import mask_value
    from cuedeck.scene.fence import quoted, single_line

    held, shown = experiences_of(memory_of(project)), frozenset(known)
    left = sum(not shown.intersection((each.id, each.record)) for each in held.shown())
    if not prompt or not left:
        return Shown("", (), bool(left))
    ranked = held.rank(prompt, _MOST + len(shown), project.settings.experiences.similarity)
    found = [each for each, _ in ranked if not shown.intersection((each.id, each.record))][:_MOST]
    if not found:
        return Shown("", (), True)
    texts = mask_value([(each.category, each.text, each.id) for each in found], project)
    rows = [
        f"- {quoted(f'[{category}] {text}', _LONGEST)} (`experience:{single_line(identity, 40)}`)\n"
        for category, text, identity in texts
    ]
    ids = tuple(each.id for each in found)
    return Shown(f"## Relevant past experiences\n\n{''.join(rows)}\n", ids, left > len(ids))
