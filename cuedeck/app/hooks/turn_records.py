"""Memory records of the messages of an agent: their text, their ids, and adding each
record once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from cuedeck.app.hooks.enqueue_event import is_turn_end, last_message
from cuedeck.app.mask_answers import mask_given
from cuedeck.app.memory.add_record import NewRecord, add_records
from cuedeck.app.memory.memory_profiles import memory_of
from cuedeck.hosts import hooks_of
from cuedeck.parse.own_words import is_host_text
from cuedeck.parse.plain_text import fold_case
from cuedeck.store.fs.disk import read_tail
from cuedeck.store.fs.private_folder import keyed_hash
from cuedeck.store.memory.memory_files import PRIMARY, daily

if TYPE_CHECKING:
    from cuedeck.app.hooks.hook_context import HookContext
    from cuedeck.app.workspace import Workspace
    from cuedeck.model.agent_session import HostSession
    from cuedeck.model.hook_event import HookEvent
    from cuedeck.store.memory.memory_files import MemoryFiles

CHARACTERS = 500
"""Maximal number of characters of the record of a message."""
_SEARCHED = 20_000
"""Characters at the beginning of a message that are searched for secrets."""
_EMPTY_MESSAGES = frozenset(
    [
        "", "heartbeat_ok", "noted", "i see", "understood", "got it", "acknowledged",
        "you're welcome", "you’re welcome", "entendido", "de acuerdo", "compris",
        "d'accord", "verstanden", "понятно", "зрозуміло",
    ]
)  # fmt: skip
"""Messages that state nothing."""
_DECORATION = "*_`.!\"' \t\r\n"
_COMPRESSION_BYTES = 2_000_000
"""End of a transcript in which a compression is searched for."""
_CONFIDENCE = 0.8
_MARK_DIGITS = 12
"""Length of the last group of a UUID."""
_DAYS = 2
"""Number of daily logs in which an earlier record is searched for."""


def turn_text(workspace: Workspace, event: HookEvent) -> str:
    """Return the last message of the agent, masked and cut; empty if there is nothing
    to remember.
    """
    if not is_turn_end(event):
        return ""
    return masked_words(workspace, turn_message(event))


def turn_message(event: HookEvent) -> str:
    """Return the last message of the agent as the host sent it; empty if there is
    none.
    """
    if event.message or not event.transcript:
        return event.message
    return last_message(event.transcript)


def masked_words(workspace: Workspace, text: str) -> str:
    """Return a message masked and cut; empty if it has no text."""
    if states_nothing(text):
        return ""
    masked: str = mask_given(text.strip()[:_SEARCHED], workspace)
    return masked[:CHARACTERS].strip()


def states_nothing(text: str) -> bool:
    """Return whether a message of an agent is an empty formula, or of the host."""
    is_empty = text.strip(_DECORATION).casefold() in _EMPTY_MESSAGES
    return is_empty or is_host_text(text)


def notice_compression(event: HookEvent, known: HostSession) -> HostSession:
    """Return the agent session, marked as compacted if its transcript shows a
    compression without a hook event.
    """
    find_compaction = hooks_of(event.host).find_compaction
    if find_compaction is None or not event.transcript or not event.is_main:
        return known
    found = find_compaction(read_tail(event.transcript, _COMPRESSION_BYTES))
    if not found or found == known.compression:
        return known
    return known._replace(compression=found, compacted=True, recovered=False)


def turn_record(event: HookEvent, text: str) -> NewRecord:
    """Return the record of a masked message."""
    return NewRecord(
        text=text,
        category="turn-summary",
        sensitivity="operational",
        channel=event.host,
        confidence=_CONFIDENCE,
    )


def hash_of_words(text: str) -> str:
    """Return the keyed hash that identifies a recorded message. Raises: StorageError
    without a key.
    """
    return keyed_hash(text.encode("utf-8", "surrogatepass"))[:16]


def add_once(context: HookContext, wanted: Sequence[NewRecord]) -> Sequence[str]:
    """Add the records of an event, without those that an earlier attempt added; return
    the new ids.

    A process can be killed after it added the records and before it removed the event
    from the queue. Therefore the ids are derived from the id of the event, unless the
    record has one, and a retry looks for them. Raises: Locked, StorageError.
    """
    # Most hooks add no record.
    import uuid

    workspace, event = context.workspace, context.event
    memory = memory_of(workspace)
    source = event.id or str(uuid.uuid4())
    wanted = [_with_id(each, source) for each in wanted]
    if event.is_retry:
        known = frozenset(_known_ids(memory))
        wanted = [each for each in wanted if each.id not in known]
    return add_records(workspace, memory, wanted)


def _with_id(wanted: NewRecord, source: str) -> NewRecord:
    if wanted.id:
        return wanted
    return wanted._replace(id=record_id(wanted, source))


def record_id(wanted: NewRecord, event: str = "") -> str:
    """Return the id of a record: a UUID derived from an event, if given, and from the
    category and text of the record.

    Its last group depends on the text alone: see `text_mark`. Raises: StorageError
    without a key.
    """
    import uuid

    digits = hash_of_words(f"{event} {wanted.category} {wanted.text}") * 2
    start = str(uuid.UUID(digits, version=4))[:-_MARK_DIGITS]
    end = hash_of_words(fold_case(wanted.text))[:_MARK_DIGITS]
    return start + end


def text_mark(identity: str) -> str:
    """Return the part of a record id that identifies the text with which a hook added
    the record.

    The id survives every edit, and the tombstone of a forgotten record keeps it.
    Without the key of the user it does not reveal the text.
    """
    return identity[-_MARK_DIGITS:]


def recent_files(memory: MemoryFiles) -> list[str]:
    """Return the names of the files with the recent records: MEMORY.md, the last daily
    logs, the archive.
    """
    names = [PRIMARY, *map(daily, memory.days()[-_DAYS:])]
    if memory.archive:
        names.append(memory.archive)
    return names


def _known_ids(memory: MemoryFiles) -> Iterable[str]:
    """Yield the ids of the records that an earlier attempt may have added, including
    moved and forgotten ones.
    """
    yield from memory.forgotten()
    for file in map(memory.read, recent_files(memory)):
        yield from (record.id for record in file.records)
