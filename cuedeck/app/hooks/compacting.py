"""Before a host compacts the context of an agent: what is known goes to disk, and is given again behind it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from cuedeck.app.hooks.beginning import ensure_open
from cuedeck.app.hooks.following import follow
from cuedeck.app.hooks.keeping import summary_instructions
from cuedeck.app.hooks.occasion import Occasion, Outcome
from cuedeck.app.hooks.recording import add_once
from cuedeck.app.hooks.unrecorded import save_unrecorded
from cuedeck.app.memory.adding import CHECKPOINT
from cuedeck.app.sessions.checkpoint import checkpoint
from cuedeck.app.sessions.state import find_open
from cuedeck.model.hook import TELLING
from cuedeck.parse.moments import moment_of
from cuedeck.parse.transcript import compression_id
from cuedeck.store.tail import read_tail

if TYPE_CHECKING:
    from cuedeck.model.hook import Told
    from cuedeck.model.host_session import HostSession

_TAIL_BYTES = 2_000_000
_AFTER = frozenset(["PostCompact"])
"""Names of events that come when it is over: then nothing is left to be saved."""


def notice_compression(told: Told, known: HostSession) -> HostSession:
    """Return the session, marked as compacted where its conversation shows a compression that nobody announced."""
    if told.host != "gemini" or not told.transcript or not told.is_main:
        return known
    found = compression_id(read_tail(told.transcript, _TAIL_BYTES))
    if not found or found == known.compression:
        return known
    return replace(known, compression=found, compacted=True, recovered=False)


def compact(occasion: Occasion) -> Outcome:
    """Record what no record has yet of the transcript, and write a checkpoint of the session and one of its memory.

    The checkpoints are written once for each compaction. A host that reads instructions for its summary gets the facts
    to keep. The next event that can tell the agent anything gives it the whole brief.
    """
    project, told, known = occasion.project, occasion.told, occasion.known
    if told.name in _AFTER or not told.is_main:
        return Outcome(follow(project, replace(known, compacted=True, recovered=False)))
    ensure_open(project)  # first: where it is locked, nothing is written twice when this comes again
    known = save_unrecorded(occasion)
    if not known.compacted:
        add_once(occasion, [CHECKPOINT])
        if not _has_checkpoint(occasion):
            checkpoint(project)
    text = summary_instructions(project) if "pre-compact" in TELLING.get(told.host, {}) else ""
    return Outcome(follow(project, replace(known, compacted=True, recovered=False)), text)


def _has_checkpoint(occasion: Occasion) -> bool:
    """Return whether an earlier try of this event wrote the checkpoint of the session."""
    if not occasion.told.is_retry:
        return False
    checkpoints = find_open(occasion.project).checkpoints
    last = moment_of(checkpoints[-1].timestamp) if checkpoints else None
    return last is not None and last.timestamp() >= occasion.seconds
