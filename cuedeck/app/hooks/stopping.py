"""The end of a turn: what the agent said last is remembered, and SCENE.md follows what it did."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import TYPE_CHECKING

from cuedeck.app.hooks.beginning import ensure_open
from cuedeck.app.hooks.following import follow
from cuedeck.app.hooks.news import tell_news
from cuedeck.app.hooks.occasion import Occasion, Outcome
from cuedeck.app.hooks.snapshot import failing, see, snapshot
from cuedeck.app.hooks.watched import SCENE, print_now
from cuedeck.app.masking import mask_value
from cuedeck.app.memory.adding import NewRecord, add_records
from cuedeck.app.memory.profiles import memory_of
from cuedeck.app.sessions.checkpoint import catch_up
from cuedeck.parse.transcript import last_said
from cuedeck.store.tail import read_tail

if TYPE_CHECKING:
    from cuedeck.app.project import Project
    from cuedeck.model.hook import Told
    from cuedeck.model.host_session import HostSession

CHARACTERS = 500
"""Of what is remembered of a turn."""
_CONFIDENCE = 0.8
_TAIL_BYTES = 1_000_000
_LONGEST = 20_000
"""Characters of a message that are looked at."""
_SUBAGENT = frozenset(["SubagentStop", "subagentStop"])
_NOTHING = frozenset(["heartbeat_ok", ""])
_AROUND = "*_`.!\"' \t\r\n"


def stop(occasion: Occasion) -> Outcome:
    """Remember a turn once, write the checkpoint that is due, bring SCENE.md up to date.

    A turn that a hook made go on is the same turn; subagents and turns without words leave nothing.
    """
    project, told, known = occasion.project, occasion.told, occasion.known
    if not told.is_main or told.active or told.name in _SUBAGENT:
        return Outcome(known)
    text = _said(project, told)
    if text:
        turn = hashlib.sha256(f"{told.turn}\0{text}".encode("utf-8", "surrogatepass")).hexdigest()[:16]
        if turn == known.turn:
            return Outcome(known)
        ensure_open(project)
        wanted = NewRecord(text, "turn-summary", "operational", told.host, _CONFIDENCE)
        add_records(project, memory_of(project), [wanted])
        catch_up(project)
        known = replace(known, turn=turn)
    return Outcome(_settled(project, known))


def _said(project: Project, told: Told) -> str:
    """Return what the agent said last, masked and cut; empty where it is nothing to remember."""
    text = told.message or (last_said(read_tail(told.transcript, _TAIL_BYTES)) if told.transcript else "")
    if text.strip(_AROUND).casefold() in _NOTHING:
        return ""
    masked: str = mask_value(text.strip()[:_LONGEST], project)
    return masked[:CHARACTERS].strip()


def _settled(project: Project, known: HostSession) -> HostSession:
    """Bring SCENE.md up to date; where others changed anything as well, the next prompt tells of it."""
    if known.given is None:
        return known
    failed = failing(project)
    made = see(project)
    now = snapshot(project, made, failed)
    if tell_news(project, known, now, made.report["visits"], failed):
        return follow(project, known)
    return follow(project, replace(known, given=now), {SCENE: print_now(project, SCENE)})
