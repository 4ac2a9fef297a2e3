"""Memory block given to a session at its start."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, timedelta
from typing import TYPE_CHECKING, Literal

from cuedeck.engine.mask_answers import mask_value
from cuedeck.knowledge.context_block.context_block import (
    Injected,
    Sources,
    inject,
    visible_items,
)
from cuedeck.knowledge.experiences.query_experiences import query_experiences
from cuedeck.ledger.records.memory_files import PRIMARY, USER, daily
from cuedeck.ledger.records.merged_text import without
from cuedeck.ledger.records.record_lookup import superseded
from cuedeck.model.formatting import replace_surrogates
from cuedeck.store.clock import local_now

if TYPE_CHECKING:
    from datetime import datetime

    from cuedeck.engine.workspace import Workspace
    from cuedeck.ledger.records.memory_files import MemoryFiles

Kind = Literal["main", "heartbeat", "shared"]
NOTHING = Injected("", 0, 0)
_BETWEEN = "\n\n---\n\n"
_RELEVANT = "Relevant past experiences:"
_LONGEST_EXPERIENCE = 500


def session_context(
    workspace: Workspace,
    memory: MemoryFiles,
    *,
    kind: Kind = "main",
    allow_secret: bool = False,
    query: str = "",
) -> Injected:
    """Return the context of a session: the memory block and, with a `query`, the
    matching experiences.

    A heartbeat gets only the experiences, a shared session nothing. Experiences are
    left out if they are disabled. The limit `memory.cap` applies to both together.
    Raises: ConfigurationError, StorageError.
    """
    if kind == "shared" or not workspace.settings.memory.in_session:
        return NOTHING
    room = workspace.settings.memory.cap
    experiences = ""
    if query.strip() and workspace.settings.experiences.enabled:
        experiences = _relevant_experiences(workspace, memory, query)
    if experiences:
        room -= len(experiences) + len(_BETWEEN)
    block = memory_context(
        workspace, memory, kind=kind, allow_secret=allow_secret, room=room
    )
    parts = filter(None, (block.text, experiences))
    return block._replace(text=_BETWEEN.join(parts))


def _relevant_experiences(workspace: Workspace, memory: MemoryFiles, query: str) -> str:
    lines: list[str] = []
    for row in query_experiences(workspace, memory, query)["results"]:
        text = " ".join(row["text"].split())
        lines.append(f"- [{row['category']}] {text[:_LONGEST_EXPERIENCE]}")
    if not lines:
        return ""
    block = mask_value("\n".join([_RELEVANT, "", *lines]), workspace)
    return block if len(block) <= workspace.settings.memory.cap // 4 else ""


def memory_context(
    workspace: Workspace,
    memory: MemoryFiles,
    *,
    kind: Kind = "main",
    allow_secret: bool = False,
    room: int | None = None,
    user_room: int | None = None,
    without_turns: bool = False,
    now: datetime | None = None,
) -> Injected:
    """Return the memory block of a session, also without summaries of turns; empty
    unless its kind is `main`.

    Arguments: `room` is the maximal number of characters of the block, `user_room` that
    of USER.md in it. The limits of the settings apply to both. Raises:
    ConfigurationError, StorageError.
    """
    settings = workspace.settings.memory
    room = settings.cap if room is None else min(room, settings.cap)
    user_room = (
        settings.user_cap if user_room is None else min(user_room, settings.user_cap)
    )
    if kind != "main" or not settings.in_session:
        return NOTHING
    sources = _sources(
        memory,
        _days(now or local_now()),
        allow_secret=allow_secret,
        without_turns=without_turns,
    )
    block = inject(sources, room, user_room)
    text = mask_value(block.text, workspace)
    return block._replace(text=replace_surrogates(text[:room]))


def _sources(
    memory: MemoryFiles, days: Iterable[str], *, allow_secret: bool, without_turns: bool
) -> Sources:
    """Return what the block is made of: USER.md, the long memory and the records of
    MEMORY.md and of the logs of some days.
    """
    days = tuple(filter(memory.has_log, days))
    long_memory = ""
    if memory.settings.long_memory_in_session:
        long_memory = memory.text(memory.long_memory) or ""
    files = [memory.read(name) for name in (PRIMARY, *map(daily, days))]
    records = [record for file in files for record in file.records]
    hidden = set(memory.forgotten())
    if not allow_secret:
        hidden.update(record.id for record in records if record.is_secret)
    items = visible_items(
        files,
        superseded(records),
        allow_secret=allow_secret,
        without_turns=without_turns,
    )
    user = filled_part(memory.text(USER) or "")
    return Sources(user, without(long_memory, hidden), days, items)


def _days(now: datetime) -> tuple[str, ...]:
    """Return yesterday, today, and today in UTC, because other programs name their logs
    by UTC.
    """
    today = now.date()
    yesterday = today - timedelta(days=1)
    today_in_utc = now.astimezone(UTC).date()
    days = sorted({yesterday, today, today_in_utc})
    return tuple(day.isoformat() for day in days)


_COMMENT = re.compile(r"<!--(?:(?!<!--).)*?-->|<!--[^\n]*", re.DOTALL)
"""A comment, or the rest of the line if the comment is not closed."""
_FIELD = re.compile(
    r"^([ \t]*)[-*+] [^:\n]{1,60}:[ \t]*$(?!(?:\n[ \t]*)*\n\1[ \t]+\S)", re.MULTILINE
)
"""An empty field without indented lines below it."""
_SECTION = re.compile(
    r"^(#{1,6})[ \t][^\n]*(?=[\s\0]*\0[\s\0]*(?:(?!\1#)#{1,6}\s|\Z))", re.MULTILINE
)
"""A heading with only removed parts below it. A heading that was empty before counts as
text.
"""
_BLANK_LINES = re.compile(r"\n{3,}")
_REMOVED = "\0"
"""A removed comment, field or heading."""


def filled_part(text: str) -> str:
    """Return a Markdown text without comments, empty fields such as `- Name:`, and
    headings with nothing else below them.

    A field with indented lines below it is not empty.
    """
    filled = _COMMENT.sub(_REMOVED, text.replace(_REMOVED, ""))
    filled = _FIELD.sub(_REMOVED, filled)
    before = ""
    while filled != before:  # a heading is empty without its last section
        before, filled = filled, _SECTION.sub(_REMOVED, filled)
    filled = filled.replace(_REMOVED, "")
    return _BLANK_LINES.sub("\n\n", filled).strip()
