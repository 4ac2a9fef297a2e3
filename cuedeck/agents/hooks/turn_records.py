"""Memory records of the turns of an agent, each added once, and the messages of its
timeline.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from cuedeck.agents.hooks.enqueue_event import last_message
from cuedeck.agents.hooks.hook_context import HookContext, HookResult, log_hook_error
from cuedeck.knowledge.cortex.add_message import (
    MAX_BYTES,
    MessageSource,
    NewMessage,
    add_message,
)
from cuedeck.knowledge.cortex.cortex_sessions import NO_OWNERS, SessionOwners
from cuedeck.knowledge.memory.add_record import NewRecord, add_records
from cuedeck.knowledge.statements.capture_statements import capture_prompt
from cuedeck.ledger.records.memory_files import PRIMARY, daily, memory_of
from cuedeck.model.errors import Invalid
from cuedeck.model.formatting import replace_controls
from cuedeck.model.hook_event import file_name
from cuedeck.parse.own_words import own_words, stored_words
from cuedeck.store.files.disk import read_tail
from cuedeck.store.files.private_folder import keyed_hash
from cuedeck.text.plain_text import plain_line

if TYPE_CHECKING:
    from cuedeck.agents.hooks.hook_context import HookContext
    from cuedeck.knowledge.cortex.message_file import Role
    from cuedeck.ledger.records.memory_files import MemoryFiles
    from cuedeck.model.agent_session import HostSession
    from cuedeck.model.hook_event import HookEvent
    from cuedeck.parse.secrets.mask import Find


_COMPRESSION_BYTES = 2_000_000
"""End of a transcript in which a compression is searched for."""
_CONFIDENCE = 0.8
_DAYS = 2
"""Number of daily logs in which the record of an earlier attempt is searched for."""


def turn_message(event: HookEvent) -> str:
    """Return the last message of the agent as the host sent it; empty if there is
    none.
    """
    if event.message or not event.transcript:
        return event.message
    return last_message(event.transcript)


def notice_compression(context: HookContext) -> HostSession:
    """Return the agent session, marked as compacted if its transcript shows a
    compression without a hook event.
    """
    event, known = context.event, context.known
    find_compaction = context.hooks.find_compaction
    if find_compaction is None or not event.transcript or not event.is_main:
        return known
    found = find_compaction(read_tail(event.transcript, _COMPRESSION_BYTES))
    if not found or found == known.compression:
        return known
    return known._replace(compression=found, compacted=True, recovered=False)


def turn_record(host: str, text: str) -> NewRecord:
    """Return the record of the summary of a turn."""
    return NewRecord(
        text=text,
        category="turn-summary",
        sensitivity="operational",
        channel=host,
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
    from the queue. Therefore the ids are derived from the id of the event, and a retry
    looks for them. Raises: Locked, StorageError.
    """
    # Most hooks add no record.
    import uuid

    workspace, event = context.workspace, context.event
    memory = memory_of(workspace)
    source = event.id or str(uuid.uuid4())
    known = frozenset(_known_ids(memory)) if event.is_retry else frozenset()
    new = []
    for each in wanted:
        digits = hash_of_words(f"{source} {each.category} {each.text}") * 2
        identity = str(uuid.UUID(digits, version=4))
        if identity not in known:
            new.append(each._replace(id=identity))
    return add_records(workspace, memory, new)


def _known_ids(memory: MemoryFiles) -> Iterable[str]:
    """Yield the ids of the records that an earlier attempt may have added, including
    moved and forgotten ones.
    """
    yield from memory.forgotten()
    names = [PRIMARY, *map(daily, memory.days()[-_DAYS:]), memory.archive]
    for file in map(memory.read, filter(None, names)):
        yield from (record.id for record in file.records)


_PATIENCE_SECONDS = 1.0
"""Waiting time for another writer of the tree; the event stays in the queue."""
_MOST_NAME = 200
"""Characters of the name of an agent that are kept."""


def record(context: HookContext) -> HookResult:
    """Add the words of the user in a prompt to the timeline, if sessions are
    recorded.
    """
    if context.is_recorded:
        text = context.event.message
        record_message(context, "user", stored_words(text))
        capture_prompt(context, own_words(text))
    return HookResult(context.known)


def record_message(context: HookContext, role: Role, text: str) -> None:
    """Add a message to the session `cortex.session` if `cortex.timeline` is on.

    A message that the same agent session sent just before is not added again. A
    message that is too long is cut, and says so. Raises: Locked, StorageError,
    ConfigurationError, after which the event is processed again.
    """
    workspace, event = context.workspace, context.event
    if not workspace.may_configure("cortex"):
        return
    if not workspace.settings.cortex.timeline or not text.strip():
        return
    source = MessageSource(f"{event.host}/{file_name(event)}", event.turn)
    time = datetime.fromtimestamp(int(context.seconds), UTC).isoformat()
    new = NewMessage(
        _cut(replace_controls(text)),
        role,
        time,
        source=source,
        owners=_owners(workspace.find_secrets, event),
        is_event=True,
    )
    try:
        add_message(workspace, new, patience_seconds=_PATIENCE_SECONDS)
    except Invalid as error:  # the session is archived
        log_hook_error(workspace, event, error)


def _owners(find_secrets: Find, event: HookEvent) -> SessionOwners:
    """Return the agent that the host names; no host names its user."""
    name = plain_line(event.agent_name[:_MOST_NAME])
    if not name or find_secrets(name):
        return NO_OWNERS
    return SessionOwners(agent=name)


def _cut(text: str) -> str:
    """Return a message that is short enough for a timeline; a cut one says so."""
    data = text.encode("utf-8", "replace")
    if len(data) <= MAX_BYTES:
        return text
    note = f"\n\n[cut: the message has more than {MAX_BYTES:,} bytes]"
    kept = data[: MAX_BYTES - len(note)].decode("utf-8", "ignore")
    return kept + note
