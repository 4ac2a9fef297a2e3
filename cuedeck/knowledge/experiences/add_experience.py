"""Adding an experience by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cuedeck.engine.mask_answers import mask_given
from cuedeck.knowledge.experiences.distil import find_entities, select_evicted
from cuedeck.knowledge.experiences.duplicates import find_near
from cuedeck.knowledge.memory.add_record import MAIN_SESSION, check_category
from cuedeck.ledger.kinds.experience_kind import EXPERIENCE, shown_experiences
from cuedeck.model.errors import Invalid, TooLong
from cuedeck.model.ids import new_id
from cuedeck.model.memory_record import Experience
from cuedeck.store.clock import local_now
from cuedeck.text.timestamps import format_record_moment
from cuedeck.work.sessions.scene_context import open_id

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.ledger.records.memory_files import MemoryFiles
    from cuedeck.model.ports import Json

LONGEST = 20_000
"""Maximal number of characters of an experience."""


def add_experience(
    workspace: Workspace,
    memory: MemoryFiles,
    text: str,
    *,
    category: str = "note",
    session: str = "",
) -> Json:
    """Write an experience durably, with masked secrets; return its JSON.

    A text similar to a known experience is not written: the known one is returned, with
    `added` false. Raises: Invalid, Locked, StorageError.
    """
    text = text.strip()
    if not text:
        hint = 'cuedeck experience add "what to remember"'
        raise Invalid("an experience needs a text", hint=hint)
    if len(text) > LONGEST:
        message = (
            f"an experience must have at most {LONGEST:,} characters, got {len(text):,}"
        )
        raise TooLong(message, hint="write the lesson in a sentence")
    check_category(category)
    now = format_record_moment(local_now())
    given = (text, category.strip() or "note", session.strip())
    text, category, session = mask_given(given, workspace)
    settings = workspace.settings.experiences
    with memory.writing():
        known = {each.id: each for each in memory.entries(EXPERIENCE)}
        shown = {each.id: each.text for each in shown_experiences(memory)}
        threshold = settings.uniqueness_threshold
        near = find_near(settings.similarity, threshold, shown, text)
        if near is not None:
            row = EXPERIENCE.row(known[near.id])
            return {**row, "added": False, "similarity": near.similarity, "evicted": []}
        seed = f"{now}\0{text}".encode("utf-8", "surrogatepass")
        added = Experience(
            id=new_id(seed, known.__contains__),
            text=text,
            category=category,
            session=session or open_id(workspace.sessions) or MAIN_SESSION,
            timestamp=now,
            entities=find_entities(text),
        )
        memory.append_entries(EXPERIENCE, [added])
        everything = [*known.values(), added]
        evicted = select_evicted(everything, settings.max_count, (added.id,))
        memory.forget(EXPERIENCE, evicted)
    row = EXPERIENCE.row(added)
    return {**row, "added": True, "similarity": None, "evicted": evicted}
