"""Memory block given to a session at its start, cached while its files are
unchanged.
"""

from __future__ import annotations

from datetime import UTC, timedelta
from typing import TYPE_CHECKING, Literal, NamedTuple

from cuedeck.engine.mask_answers import mask_value
from cuedeck.knowledge.context_block.context_block import Injected, Sources, inject
from cuedeck.knowledge.context_block.memory_items import filled_part, visible_items
from cuedeck.ledger.records.memory_files import PRIMARY, USER, daily
from cuedeck.ledger.records.merged_text import without
from cuedeck.ledger.supersession import superseded
from cuedeck.model.formatting import replace_surrogates
from cuedeck.store.clock import local_now
from cuedeck.store.files.fingerprint import is_settled

if TYPE_CHECKING:
    from datetime import datetime

    from cuedeck.engine.workspace import Workspace
    from cuedeck.ledger.records.memory_files import MemoryFiles

Kind = Literal["main", "heartbeat", "shared"]
NOTHING = Injected("", 0, 0)
_ATTEMPTS = 3
_BETWEEN = "\n\n---\n\n"
_RELEVANT = "Relevant past experiences:"
_LONGEST_EXPERIENCE = 500


class CachedContext(NamedTuple):
    """Memory block with its cache key."""

    key: tuple[object, ...]
    block: Injected


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
    from cuedeck.knowledge.experiences.query_experiences import query_experiences

    lines: list[str] = []
    for row in query_experiences(workspace, memory, query)["results"]:
        text = " ".join(row["text"].split())
        lines.append(f"- [{row['category']}] {text[:_LONGEST_EXPERIENCE]}")
    if not lines:
        return ""
    block: str = mask_value("\n".join([_RELEVANT, "", *lines]), workspace)
    if len(block) <= workspace.settings.memory.cap // 4:
        return block
    return ""


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
    now = now or local_now()
    days = tuple(filter(memory.has_log, _days(now)))
    names = [USER, PRIMARY, *map(daily, days)]
    if settings.long_memory_in_session:
        names.append(memory.long_memory)
    prints = tuple(memory.print(name) for name in names)
    key = (
        prints,
        memory.forgotten(),
        days,
        allow_secret,
        without_turns,
        room,
        user_room,
        settings,
        workspace.masking_rules,
    )
    contexts = workspace.cached(_CachedContexts)
    cached = contexts.get(memory.profile.id)
    if cached is not None and cached.key == key:
        return cached.block
    are_settled = all(each is None or is_settled(each) for each in prints)
    block = _make(workspace, memory, days, room, user_room, allow_secret, without_turns)
    if are_settled and prints == tuple(memory.print(name) for name in names):
        contexts[memory.profile.id] = CachedContext(key, block)
    return block


class _CachedContexts(dict[str, CachedContext]):
    """Memory blocks of sessions, by profile id."""


def _make(
    workspace: Workspace,
    memory: MemoryFiles,
    days: tuple[str, ...],
    room: int,
    user_room: int,
    allow_secret: bool,
    without_turns: bool,
) -> Injected:
    settings = workspace.settings.memory
    long_memory = (
        memory.text(memory.long_memory) if settings.long_memory_in_session else ""
    )
    files = [memory.read(name) for name in (PRIMARY, *map(daily, days))]
    records = [record for file in files for record in file.records]
    hidden = set(memory.forgotten())
    if not allow_secret:
        hidden.update(record.id for record in records if record.is_secret)
    sources = Sources(
        filled_part(memory.text(USER) or ""),
        without(long_memory or "", hidden),
        days,
        visible_items(
            files,
            superseded(records),
            allow_secret=allow_secret,
            without_turns=without_turns,
        ),
    )
    cap = room
    for _ in range(_ATTEMPTS):
        block = inject(sources, cap, user_room)
        text: str = mask_value(block.text, workspace)
        if len(text) <= room:
            break
        cap -= len(text) - room  # the mask may be longer than the secret
    return block._replace(text=replace_surrogates(text[:room]))


def _days(now: datetime) -> tuple[str, ...]:
    """Return yesterday, today, and today in UTC, because other programs name their logs
    by UTC.
    """
    today = now.date()
    yesterday = today - timedelta(days=1)
    today_in_utc = now.astimezone(UTC).date()
    days = sorted({yesterday, today, today_in_utc})
    return tuple(day.isoformat() for day in days)
