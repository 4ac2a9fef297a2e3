"""The messages of a transcript that no record has yet, saved before a host compacts the context of an agent."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from cuedeck.app.hooks.record_once import add_once, hash_of_words, turn_record
from cuedeck.app.hooks.turn_summary import masked_words
from cuedeck.parse.transcript import messages
from cuedeck.store.fs.disk import read_tail

if TYPE_CHECKING:
    from cuedeck.app.hooks.hook_context import HookContext
    from cuedeck.model.agent_session import HostSession

_TAIL_BYTES = 1_000_000
_MOST_LOOKED_AT = 60
"""Messages, from the end of a transcript."""
_MOST_SAVED = 12
"""Messages, the newest."""
_USER = "User: "


def save_unrecorded(occasion: HookContext) -> HostSession:
    """Record what user and agent said after the last recorded turn; return the session that knows of it.

    Each message is one masked record of at most 500 characters. The end of the turn, which comes later, adds nothing
    for words that are saved here. Raises: Locked, StorageError.
    """
    project, told, known = occasion.project, occasion.told, occasion.known
    if not told.transcript:
        return known
    found: dict[str, str] = {}
    said = ""
    for message in reversed(messages(read_tail(told.transcript, _TAIL_BYTES))[-_MOST_LOOKED_AT:]):
        words = masked_words(project, message.text)
        if not words:
            continue
        text = f"{_USER}{words}" if message.is_human else words
        print_ = hash_of_words(text)
        if print_ == known.said:  # this message and all before it are recorded
            break
        said = said or ("" if message.is_human else print_)
        if print_ not in known.saved:
            found.setdefault(print_, text)
        if len(found) == _MOST_SAVED:
            break
    if not found:
        return known
    add_once(occasion, [turn_record(told, text) for text in reversed(found.values())])
    saved = tuple(dict.fromkeys((*known.saved, *reversed(found))))
    return replace(known, said=said or known.said, saved=saved[-_MOST_LOOKED_AT:])
