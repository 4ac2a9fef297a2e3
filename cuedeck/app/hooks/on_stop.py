"""The end of a turn: what the agent said last is remembered, and SCENE.md follows what it did."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from cuedeck.app.hooks.enqueue_event import is_turn_end
from cuedeck.app.hooks.ensure_session import ensure_open
from cuedeck.app.hooks.hook_context import HookContext, HookResult
from cuedeck.app.hooks.on_pre_compact import notice_compression
from cuedeck.app.hooks.own_writes import follow
from cuedeck.app.hooks.record_once import add_once, hash_of_words, turn_record
from cuedeck.app.hooks.scene_changes import tell_news
from cuedeck.app.hooks.scene_snapshot import failing, snapshot, snapshot_scene
from cuedeck.app.hooks.turn_summary import words_of
from cuedeck.app.hooks.watched_files import print_now
from cuedeck.app.memory.memory_profiles import memory_of
from cuedeck.app.scene.carry_scene import carry_scene, scene_to_carry
from cuedeck.app.sessions.checkpoint import catch_up
from cuedeck.model.paths import SCENE
from cuedeck.store.memory.memory_files import PRIMARY

if TYPE_CHECKING:
    from cuedeck.app.memory.add_record import NewRecord
    from cuedeck.app.workspace import Workspace
    from cuedeck.model.agent_session import HostSession


def stop(occasion: HookContext) -> HookResult:
    """Remember a turn once, write the checkpoint that is due, bring SCENE.md up to date.

    A stop that a hook made go on counts as a continuation only when its turn left a record: some hosts set that flag on
    every stop. Subagents and turns without words leave nothing.
    """
    project, told = occasion.project, occasion.told
    known = notice_compression(told, occasion.known)
    if not is_turn_end(told):
        return HookResult(known)
    text = words_of(project, told)
    if text:
        turn = f"{hash_of_words(told.turn)}{hash_of_words(f'{told.turn}{chr(0)}{text}')}"
        is_continuation = told.active and known.turn.startswith(hash_of_words(told.turn))
        if turn == known.turn or is_continuation:
            return HookResult(known)
        ensure_open(project)
        said = hash_of_words(text)
        if said not in known.saved:
            _remember(occasion, turn_record(told, text))
        catch_up(project)
        known = replace(known, turn=turn, said=said, saved=())
    return HookResult(_settled(project, known))


def _remember(occasion: HookContext, record: NewRecord) -> None:
    """Add the record of a turn. The kept scene stays the scene where the record cannot change it."""
    project = occasion.project
    memory_path = memory_of(project).place(PRIMARY)
    scene = scene_to_carry(project, memory_path, record.text)
    added = add_once(occasion, [record])
    if scene is not None and added:
        carry_scene(project, memory_path, scene, added[0])


def _settled(project: Workspace, known: HostSession) -> HostSession:
    """Bring SCENE.md up to date; where others changed anything as well, the next prompt tells of it."""
    if known.given is None:
        return known
    failed = failing(project)
    made = snapshot_scene(project)
    now = snapshot(project, made, failed)
    if tell_news(project, known, now, made.report["visits"], failed):
        return follow(project, known)
    scene = None if project.is_unfinished else print_now(project, SCENE)
    return follow(project, replace(known, given=now), {SCENE: scene})
