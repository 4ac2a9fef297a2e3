"""Before a host compacts the context of an agent: what is known goes to disk, and is given again behind it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from cuedeck.app.hooks.ensure_session import ensure_open
from cuedeck.app.hooks.hook_context import HookContext, HookResult
from cuedeck.app.hooks.own_writes import follow
from cuedeck.app.hooks.record_once import add_once
from cuedeck.app.memory.add_record import CHECKPOINT
from cuedeck.app.sessions.checkpoint import checkpoint
from cuedeck.app.sessions.open_session import find_open
from cuedeck.model.hook_event import CONTEXT_EVENTS
from cuedeck.parse.timestamps import moment_of
from cuedeck.parse.transcript import compression_id
from cuedeck.store.fs.disk import read_tail

if TYPE_CHECKING:
    from cuedeck.model.agent_session import HostSession
    from cuedeck.model.hook_event import HookEvent

_TAIL_BYTES = 2_000_000
_AFTER = frozenset(["PostCompact"])
"""Names of events that come when it is over: then nothing is left to be saved."""


def notice_compression(told: HookEvent, known: HostSession) -> HostSession:
    """Return the session, marked as compacted where its conversation shows a compression that nobody announced."""
    if told.host != "gemini" or not told.transcript or not told.is_main:
        return known
    found = compression_id(read_tail(told.transcript, _TAIL_BYTES))
    if not found or found == known.compression:
        return known
    return replace(known, compression=found, compacted=True, recovered=False)


def compact(occasion: HookContext) -> HookResult:
    """Record what no record has yet of the transcript, and write a checkpoint of the session and one of its memory.

    The checkpoints are written once for each compaction. A host that reads instructions for its summary gets the facts
    to keep. The next event that can tell the agent anything gives it the whole brief.
    """
    from cuedeck.app.hooks.transcript_backlog import save_unrecorded

    project, told, known = occasion.project, occasion.told, occasion.known
    if told.name in _AFTER or not told.is_main:
        return HookResult(follow(project, replace(known, compacted=True, recovered=False)))
    ensure_open(project)  # first: where it is locked, nothing is written twice when this comes again
    known = save_unrecorded(occasion)
    if not known.compacted:
        add_once(occasion, [CHECKPOINT])
        if not _has_checkpoint(occasion):
            checkpoint(project)
    text = ""
    if "pre-compact" in CONTEXT_EVENTS.get(told.host, {}):
        from cuedeck.app.hooks.compaction_notes import summary_instructions

        text = summary_instructions(project)
    return HookResult(follow(project, replace(known, compacted=True, recovered=False)), text)


def _has_checkpoint(occasion: HookContext) -> bool:
    """Return whether an earlier try of this event wrote the checkpoint of the session."""
    if not occasion.told.is_retry:
        return False
    checkpoints = find_open(occasion.project).checkpoints
    last = moment_of(checkpoints[-1].timestamp) if checkpoints else None
    return last is not None and last.timestamp() >= occasion.seconds
