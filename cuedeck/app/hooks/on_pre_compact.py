"""Handler of pre-compact: saves the unrecorded messages and writes checkpoints before a
host compacts the context.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cuedeck.app.hooks.hook_context import HookContext, HookResult
from cuedeck.app.hooks.turn_records import (
    add_once,
    hash_of_words,
    masked_words,
    recent_files,
    record_id,
    text_mark,
    turn_record,
)
from cuedeck.app.hooks.watched_files import with_own_writes
from cuedeck.app.mask_answers import mask_value
from cuedeck.app.memory.add_record import CHECKPOINT
from cuedeck.app.memory.file_digests import digested_file
from cuedeck.app.memory.memory_profiles import memory_of
from cuedeck.app.sessions.checkpoint import checkpoint
from cuedeck.app.sessions.ensure_session import ensure_open
from cuedeck.app.sessions.open_session import find_open
from cuedeck.hosts import hooks_of, transcript_format
from cuedeck.parse.plain_text import fold_case
from cuedeck.parse.timestamps import moment_of
from cuedeck.parse.transcript import Message, messages
from cuedeck.records.file_digest import hash_of
from cuedeck.store.fs.disk import read_tail

if TYPE_CHECKING:
    from cuedeck.app.memory.add_record import NewRecord
    from cuedeck.model.agent_session import HostSession

_AFTER_COMPACTION = frozenset(["PostCompact"])
"""Names of events sent after the compaction, when there is nothing left to save."""
_TAIL_BYTES = 1_000_000
_MOST_LOOKED_AT = 60
"""Number of messages at the end of a transcript that are compared with the memory."""
_MOST_SAVED = 12
"""Number of the newest messages that are recorded, including those that are recorded
already.
"""
_USER = "User: "


def compact(context: HookContext) -> HookResult:
    """Record the unrecorded messages, and write a checkpoint of the session and one of
    the memory.

    The checkpoints are written once for each compaction, and all of this only if
    sessions are recorded. A host that reads instructions
    for its summary gets the facts to keep. The next event whose answer the agent reads
    gets the whole brief.
    """
    workspace, event, known = context.workspace, context.event, context.known
    if event.name in _AFTER_COMPACTION or not event.is_main:
        return HookResult(
            with_own_writes(workspace, known._replace(compacted=True, recovered=False))
        )
    if context.is_recorded:
        known = _record(context)
    text = ""
    if hooks_of(event.host).context_name(event.event):
        # Most hosts do not read the answer, and it needs the walk of the scene.
        from cuedeck.app.hooks.session_brief import summary_instructions

        text = summary_instructions(workspace)
    return HookResult(
        with_own_writes(workspace, known._replace(compacted=True, recovered=False)),
        text,
    )


def _record(context: HookContext) -> HostSession:
    """Record the unrecorded messages and the checkpoints; return the agent session."""
    # First, so that nothing is written twice if the session is locked.
    ensure_open(context.workspace)
    known = save_unrecorded(context)
    if not known.compacted:
        add_once(context, [CHECKPOINT])
        if not _has_checkpoint(context):
            checkpoint(context.workspace)
    return known


def _has_checkpoint(context: HookContext) -> bool:
    """Return whether an earlier attempt for this event wrote the checkpoint of the
    session.
    """
    if not context.event.is_retry:
        return False
    checkpoints = find_open(context.workspace).checkpoints
    last = None
    if checkpoints:
        last = moment_of(checkpoints[-1].timestamp)
    return last is not None and last.timestamp() >= context.seconds


def save_unrecorded(context: HookContext) -> HostSession:
    """Record the messages after the last recorded turn; return the agent session that
    knows of them.

    Each message becomes one masked record of at most 500 characters. A message whose
    text is in the memory is not recorded again, because the state of the agent session
    may be lost, or belong to another id of the same conversation. The end of the turn,
    which comes later, adds no record for messages saved here. Raises: Locked,
    StorageError.
    """
    workspace, event, known = context.workspace, context.event, context.known
    if not event.transcript:
        return known
    seen: dict[str, NewRecord] = {}
    of_turn: list[str] = []
    last_message = ""
    has_prompt = False
    spoken = messages(read_tail(event.transcript, _TAIL_BYTES), transcript_format())
    for message in reversed(spoken[-_MOST_LOOKED_AT:]):
        words = masked_words(workspace, message.text)
        if not words:
            continue
        record = _record_of(context, message, words)
        digest = hash_of_words(record.text)
        if digest == known.last_message:
            break  # this message and all earlier ones are recorded
        has_prompt = has_prompt or message.is_human
        if not message.is_human and not last_message:
            last_message = digest
        if not has_prompt:
            of_turn.append(digest)
        seen.setdefault(digest, record)
        if len(seen) == _MOST_SAVED:
            break
    if not seen:
        return known
    new = _unrecorded(
        context,
        [record for digest, record in seen.items() if digest not in known.saved],
    )
    add_once(context, new[::-1])
    saved = tuple(dict.fromkeys((*known.saved, *reversed(of_turn))))
    return known._replace(
        last_message=last_message or known.last_message,
        saved=saved[-_MOST_LOOKED_AT:],
    )


def _record_of(context: HookContext, message: Message, words: str) -> NewRecord:
    """Return the record of a message, with an id that depends on its text alone."""
    text: str = (
        mask_value(f"{_USER}{words}", context.workspace) if message.is_human else words
    )
    record = turn_record(context.event, text)
    return record._replace(id=record_id(record))


def _unrecorded(context: HookContext, records: Sequence[NewRecord]) -> list[NewRecord]:
    """Return the records without those whose text is in the recent memory, was edited
    there, or was forgotten.

    Raises: StorageError.
    """
    memory = memory_of(context.workspace)
    keys: set[int] = set()
    marks = set(map(text_mark, memory.forgotten()))
    for name in recent_files(memory):
        file = digested_file(context.workspace, memory, name)
        keys.update(file.keys)
        marks.update(map(text_mark, file.record_ids))
    new = []
    for record in records:
        key = hash_of(fold_case(record.text))
        if key not in keys and text_mark(record.id) not in marks:
            new.append(record)
    return new
