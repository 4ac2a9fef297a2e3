"""The messages of a transcript that no record has yet, saved before a host compacts the context of an agent."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from cuedeck.app.hooks.record_once import add_once, hash_of_words, recent_files, record_id, text_mark, turn_record
from cuedeck.app.hooks.turn_summary import masked_words
from cuedeck.app.mask_answers import mask_value
from cuedeck.app.memory.memory_profiles import memory_of
from cuedeck.parse.transcript import Message, messages
from cuedeck.store.fs.disk import read_tail

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cuedeck.app.hooks.hook_context import HookContext
    from cuedeck.app.memory.add_record import NewRecord
    from cuedeck.model.agent_session import HostSession

_TAIL_BYTES = 1_000_000
_MOST_LOOKED_AT = 60
"""Messages, from the end of a transcript."""
_MOST_SAVED = 12
"""Messages, the newest, whether they are recorded already or not."""
_USER = "User: "


def save_unrecorded(occasion: HookContext) -> HostSession:
    """Record what user and agent said after the last recorded turn; return the session that knows of it.

    Each message is one masked record of at most 500 characters. A message whose text the memory holds already is not
    recorded again: the cache of the session may be lost, or belong to another id of the same conversation. The end of
    the turn, which comes later, adds nothing for words that are saved here. Raises: Locked, StorageError.
    """
    project, told, known = occasion.project, occasion.told, occasion.known
    if not told.transcript:
        return known
    seen: dict[str, NewRecord] = {}
    of_turn: list[str] = []
    said = ""
    has_prompt = False
    for message in reversed(messages(read_tail(told.transcript, _TAIL_BYTES))[-_MOST_LOOKED_AT:]):
        words = masked_words(project, message.text)
        if not words:
            continue
        record = _record_of(occasion, message, words)
        print_ = hash_of_words(record.text)
        if print_ == known.said:  # this message and all before it are recorded
            break
        has_prompt = has_prompt or message.is_human
        if not message.is_human:
            said = said or print_
        if not has_prompt:
            of_turn.append(print_)
        seen.setdefault(print_, record)
        if len(seen) == _MOST_SAVED:
            break
    if not seen:
        return known
    new = _unrecorded(occasion, [record for print_, record in seen.items() if print_ not in known.saved])
    add_once(occasion, new[::-1])
    saved = tuple(dict.fromkeys((*known.saved, *reversed(of_turn))))
    return replace(known, said=said or known.said, saved=saved[-_MOST_LOOKED_AT:])


def _record_of(occasion: HookContext, message: Message, words: str) -> NewRecord:
    """Return the record of a message, with an id that depends on its text alone."""
    text: str = mask_value(f"{_USER}{words}", occasion.project) if message.is_human else words
    record = turn_record(occasion.told, text)
    return record._replace(id=record_id(record))


def _unrecorded(occasion: HookContext, records: Sequence[NewRecord]) -> list[NewRecord]:
    """Return the records without those whose text is in the recent memory, was edited there, or was forgotten.

    Raises: StorageError.
    """
    from cuedeck.app.memory.file_digests import digested_file
    from cuedeck.records.file_digest import hash_of, key_of

    memory = memory_of(occasion.project)
    files = [digested_file(occasion.project, memory, name) for name in recent_files(memory)]
    keys = {each for file in files for each in file.keys}
    marks = {text_mark(each) for file in files for each in file.record_ids}
    marks.update(map(text_mark, memory.forgotten()))
    return [each for each in records if hash_of(key_of(each.text)) not in keys and text_mark(each.id) not in marks]
