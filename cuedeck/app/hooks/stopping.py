"""The end of a turn: what the agent said last is remembered, and SCENE.md follows what it did."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import TYPE_CHECKING

from cuedeck.app.hooks.beginning import ensure_open
from cuedeck.app.hooks.compacting import notice_compression
from cuedeck.app.hooks.enqueuing import is_turn_end
from cuedeck.app.hooks.following import follow
from cuedeck.app.hooks.news import tell_news
from cuedeck.app.hooks.occasion import Occasion, Outcome
from cuedeck.app.hooks.recording import add_once, hash_of_words, turn_record
from cuedeck.app.hooks.snapshot import failing, see, snapshot
from cuedeck.app.hooks.watched import print_now
from cuedeck.app.hooks.words import words_of
from cuedeck.app.sessions.checkpoint import catch_up
from cuedeck.model.places import SCENE

if TYPE_CHECKING:
    from cuedeck.app.project import Project
    from cuedeck.model.host_session import HostSession


def stop(occasion: Occasion) -> Outcome:
    """Remember a turn once, write the checkpoint that is due, bring SCENE.md up to date.

    A stop that a hook made go on counts as a continuation only when its turn left a record: some hosts set that flag on
    every stop. Subagents and turns without words leave nothing.
    """
    project, told = occasion.project, occasion.told
    known = notice_compression(told, occasion.known)
    if not is_turn_end(told):
        return Outcome(known)
    text = words_of(project, told)
    if text:
        turn = f"{_hash(told.turn)}{_hash(f'{told.turn}{chr(0)}{text}')}"
        is_continuation = told.active and known.turn.startswith(_hash(told.turn))
        if turn == known.turn or is_continuation:
            return Outcome(known)
        ensure_open(project)
        said = hash_of_words(text)
        if said not in known.saved:
            add_once(occasion, [turn_record(told, text)])
        catch_up(project)
        known = replace(known, turn=turn, said=said, saved=())
    return Outcome(_settled(project, known))


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


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
