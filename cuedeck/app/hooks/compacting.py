"""Before a host compacts the context of an agent: what is known goes to disk, and is given again behind it."""

from __future__ import annotations

from dataclasses import replace

from cuedeck.app.hooks.beginning import ensure_open
from cuedeck.app.hooks.following import follow
from cuedeck.app.hooks.keeping import summary_instructions
from cuedeck.app.hooks.occasion import Occasion, Outcome
from cuedeck.app.memory.adding import flush_checkpoint
from cuedeck.app.memory.profiles import memory_of
from cuedeck.app.sessions.checkpoint import checkpoint
from cuedeck.model.hook import TELLING

_AFTER = frozenset(["PostCompact"])
"""Names of events that come when it is over: then nothing is left to be saved."""


def compact(occasion: Occasion) -> Outcome:
    """Write a checkpoint of the session and one of its memory, once for each compaction.

    A host that reads instructions for its summary gets the facts to keep. The next event that can tell the agent
    anything gives it the whole brief.
    """
    project, told, known = occasion.project, occasion.told, occasion.known
    if told.name in _AFTER or not told.is_main:
        return Outcome(follow(project, replace(known, compacted=True)))
    if not known.compacted:
        ensure_open(project)  # first: where it is locked, nothing is written twice when this comes again
        flush_checkpoint(project, memory_of(project))
        checkpoint(project)
    text = summary_instructions(project) if "pre-compact" in TELLING.get(told.host, {}) else ""
    return Outcome(follow(project, replace(known, compacted=True)), text)
