"""Before a host compacts the context of an agent: what is known goes to disk, and is given again behind it."""

from __future__ import annotations

from dataclasses import replace

from cuedeck.app.hooks.beginning import ensure_open
from cuedeck.app.hooks.following import follow
from cuedeck.app.hooks.occasion import Occasion, Outcome
from cuedeck.app.memory.adding import flush_checkpoint
from cuedeck.app.memory.profiles import memory_of
from cuedeck.app.sessions.checkpoint import checkpoint

_AFTER = frozenset(["PostCompact"])
"""Names of events that come when it is over: then nothing is left to be saved."""


def compact(occasion: Occasion) -> Outcome:
    """Write a checkpoint of the session and one of its memory, once for each compaction.

    No host takes a text here. So the next event that can tell the agent anything gives it the whole brief.
    """
    project, told, known = occasion.project, occasion.told, occasion.known
    if told.is_main and not known.compacted and told.name not in _AFTER:
        ensure_open(project)  # first: where it is locked, nothing is written twice when this comes again
        flush_checkpoint(project, memory_of(project))
        checkpoint(project)
    return Outcome(follow(project, replace(known, compacted=True)))
