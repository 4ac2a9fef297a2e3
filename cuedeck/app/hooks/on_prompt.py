"""A prompt: the agent is told what changed since it was last told, what was experienced, and how far its work is."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from cuedeck.app.hooks.brief_memory import experiences_for
from cuedeck.app.hooks.hook_context import HookContext, HookResult
from cuedeck.model.hook_event import PROGRESS_SECONDS
from cuedeck.scene.brief_plan import is_small

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace

_PROGRESS_BUDGET = 3_750
"""Of a scene whose block of progress has 150 tokens."""


def prompt(occasion: HookContext) -> HookResult:
    """Tell the delta; the whole brief to a session that has none before it, or whose context was compacted."""
    known = occasion.known
    if known.given is None or known.compacted or known.ended:
        from cuedeck.app.hooks.on_session_start import start

        outcome = start(occasion)
    else:
        outcome = HookResult(known) if occasion.told.same else tell_changes(occasion)
    if not occasion.told.is_heard:
        return HookResult(outcome.known)
    return _experienced(occasion, _progress(occasion, outcome))


def tell_changes(occasion: HookContext) -> HookResult:
    """Bring SCENE.md up to date and say what is new in it; another card is told as a whole."""
    from cuedeck.app.hooks.scene_changes import tell_news
    from cuedeck.app.hooks.scene_snapshot import failing, snapshot, snapshot_scene
    from cuedeck.app.hooks.session_brief import hearer_of, make_brief
    from cuedeck.app.hooks.watched_files import look, look_at_own, look_at_scene
    from cuedeck.app.mask_answers import mask_value

    project, told, known = occasion.project, occasion.told, occasion.known
    assert known.given is not None
    before = look(project)
    failed = failing(project)
    made = snapshot_scene(project)
    now, visits = snapshot(project, made, failed), made.report["visits"]
    if mask_value(now.card, project) != known.given.card or not told.is_heard:
        _, text, records = make_brief(project, (), hearer_of(told, known))
        known = replace(known, experiences=tuple(dict.fromkeys((*known.experiences, *records))))
    else:
        text = tell_news(project, known, now, visits, failed)
    prints = {**before, **look_at_scene(project, visits), **look_at_own(project)}
    asks = told.is_main and experiences_for(project, "", known.experiences).are_left
    return HookResult(replace(known, given=now, prints=prints, asks=asks), text)


def _progress(occasion: HookContext, outcome: HookResult) -> HookResult:
    known = outcome.known
    if 0 <= occasion.seconds - known.progress_at < PROGRESS_SECONDS:
        return outcome
    text = outcome.text + _progress_block(occasion.project)
    return HookResult(replace(known, progress_at=occasion.seconds), text)


def _progress_block(project: Workspace) -> str:
    """Return how far the work of the open session is; empty without one."""
    from cuedeck.app.scene.blocks.session_block import session_block
    from cuedeck.scene.ledger_blocks import fit_blocks

    project.refresh()
    content = project.settled(lambda: session_block(project, project.mask()))
    blocks = fit_blocks((content,), _PROGRESS_BUDGET, project.counter()) if content else ()
    return "".join(block.text for block in blocks)


def _experienced(occasion: HookContext, outcome: HookResult) -> HookResult:
    """Add the experiences that fit the prompt, each once in a session, where the host has room for them."""
    told, known = occasion.told, outcome.known
    if not told.asks or not known.asks:
        return outcome
    found = experiences_for(occasion.project, told.prompt, known.experiences)
    text = outcome.text + found.text
    if found.text and not is_small(text, occasion.project.counter()):
        return outcome
    known = replace(known, experiences=(*known.experiences, *found.ids), asks=found.are_left)
    return HookResult(known, text)
