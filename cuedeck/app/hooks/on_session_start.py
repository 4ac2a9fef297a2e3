"""The start of a session of a host: it is given the brief, and SCENE.md is brought up to date."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from cuedeck.app.hooks.brief_memory import experiences_for
from cuedeck.app.hooks.ensure_session import begin
from cuedeck.app.hooks.hook_context import HookContext, HookResult
from cuedeck.app.hooks.hook_log import log_hook_error
from cuedeck.app.hooks.on_pre_compact import notice_compression
from cuedeck.app.hooks.on_prompt import tell_changes
from cuedeck.app.hooks.scene_snapshot import failing, snapshot
from cuedeck.app.hooks.session_brief import hearer_of, make_brief
from cuedeck.app.hooks.watched_files import look, look_at_own, look_at_scene
from cuedeck.model.errors import CueDeckError


def start(occasion: HookContext) -> HookResult:
    """Give the brief; the work goes on in the session that is open, or in one that is begun for it.

    A resumed conversation that still holds the brief is given what changed since.
    """
    project, told, known = occasion.project, occasion.told, occasion.known
    if not told.may_answer:  # the next prompt gives the brief; a resumed conversation has it
        return HookResult(replace(known, ended=False) if told.keeps_context else replace(known, given=None))
    if told.source == "compact" and known.recovered:  # Codex sends the prompt first, then this start
        return HookResult(replace(known, recovered=False))
    if told.keeps_context and known.given is not None and not known.compacted:
        return _resume(occasion)
    known = notice_compression(told, known)
    answer = _begun(occasion)
    before = look(project)
    failed = answer["assumptions"] if answer is not None else failing(project)
    made, text, records = make_brief(project, answer["changed"] if answer is not None else (), hearer_of(told, known))
    shown = tuple(dict.fromkeys((*known.experiences, *records)))
    prints = {**before, **look_at_scene(project, made.report["visits"]), **look_at_own(project)}
    known = replace(
        known,
        given=snapshot(project, made, failed),
        compacted=False,
        recovered=told.event == "prompt" and occasion.known.compacted,
        asks=told.is_main and experiences_for(project, "", shown).are_left,
        experiences=shown,
        progress_at=occasion.seconds,
        prints=prints,
        ended=False,
    )
    return HookResult(known, text if told.is_heard else "")


def _resume(occasion: HookContext) -> HookResult:
    """Go on with the session of the work and give what changed since the host's session was last told of it."""
    _begun(occasion)
    outcome = tell_changes(occasion)
    return HookResult(replace(outcome.known, ended=False), outcome.text if occasion.told.is_heard else "")


def _begun(occasion: HookContext) -> Mapping[str, Any] | None:
    """Go on with a session or begin one; without any, as a subagent is, the agent still gets what the files say."""
    if not occasion.told.is_main:
        return None
    try:
        begun = begin(occasion.project)
    except CueDeckError as error:
        log_hook_error(occasion.project, occasion.told, error)
        return None
    return {**begun.answer, "changed": ()} if begun.is_new else begun.answer
