"""Handler of stop: records the turn of the agent and updates SCENE.md."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cuedeck.agents.hooks.enqueue_event import is_turn_end
from cuedeck.agents.hooks.hook_context import HookContext, HookResult
from cuedeck.agents.hooks.on_message import record_message
from cuedeck.agents.hooks.scene_changes import (
    check_assumptions,
    current_scene,
    describe_changes,
    scene_snapshot_of,
    stat_now,
    with_own_writes,
)
from cuedeck.agents.hooks.turn_records import (
    add_once,
    hash_of_words,
    notice_compression,
    turn_message,
    turn_record,
)
from cuedeck.knowledge.statements.capture_statements import capture_turn
from cuedeck.knowledge.statements.turn_summary import summarize_turn
from cuedeck.model.paths import SCENE
from cuedeck.parse.own_words import is_host_text
from cuedeck.work.sessions.checkpoint import write_due_checkpoint
from cuedeck.work.sessions.ensure_session import ensure_open

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.model.agent_session import HostSession


def stop(context: HookContext) -> HookResult:
    """Record the summary of a turn once, write a due checkpoint and update SCENE.md;
    without the agreement of the user only the last. The message of the agent is added
    to the timeline if the settings ask for it.

    A stop after a hook continued the turn counts as a continuation only if its turn
    left a record, because some hosts set that flag on every stop. Subagents and trivial
    turns leave no record.
    """
    workspace, event = context.workspace, context.event
    known = notice_compression(context)
    if not is_turn_end(event):
        return HookResult(known)
    message = turn_message(event) if context.is_recorded else ""
    if message.strip() and not is_host_text(message):
        record_message(context, "assistant", message)
        statements = capture_turn(context, message)
        start = hash_of_words(event.turn)
        end = hash_of_words(f"{event.turn}\0{message}")
        turn = f"{start}{end}"
        is_continuation = event.active and known.turn.startswith(start)
        if turn == known.turn or is_continuation:
            return HookResult(known)
        text = summarize_turn(statements)
        if text:
            ensure_open(workspace)
            add_once(context, [turn_record(event.host, text)])
            write_due_checkpoint(workspace)
            known = known._replace(turn=turn)
    return HookResult(_with_updated_scene(workspace, known))


def _with_updated_scene(workspace: Workspace, known: HostSession) -> HostSession:
    """Update SCENE.md and return the agent session. Changes made by others are left for
    the next prompt to report.
    """
    if known.given is None:
        return known
    failed = check_assumptions(workspace)
    made = current_scene(workspace)
    now = scene_snapshot_of(workspace, made, failed)
    if describe_changes(workspace, known, now, made.report["visits"], failed):
        return with_own_writes(workspace, known)
    scene = None
    if not workspace.is_unfinished:
        scene = stat_now(workspace.paths.root, SCENE)
    return with_own_writes(workspace, known._replace(given=now), {SCENE: scene})
