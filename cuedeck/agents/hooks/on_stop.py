"""Handlers of stop, session-end and pre-compact: the records of a turn, the end of a
session, and the checkpoints before a host compacts the context.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cuedeck.agents.hooks.enqueue_event import is_turn_end
from cuedeck.agents.hooks.hook_context import HookContext, HookResult
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
    record_message,
    turn_message,
    turn_record,
)
from cuedeck.engine.open_session import NoOpenSession, find_open
from cuedeck.knowledge.memory.add_record import CHECKPOINT
from cuedeck.knowledge.memory.due_jobs import LOCK, is_on
from cuedeck.knowledge.statements.capture_statements import capture_turn
from cuedeck.knowledge.statements.turn_summary import summarize_turn
from cuedeck.ledger.sessions.agent_sessions import parse_host_session
from cuedeck.model.hook_event import file_name, main_name
from cuedeck.model.paths import SCENE
from cuedeck.parse.own_words import is_host_text
from cuedeck.store.files.background_process import start
from cuedeck.text.timestamps import moment_of
from cuedeck.work.sessions.checkpoint import checkpoint, write_due_checkpoint
from cuedeck.work.sessions.ensure_session import check_lock, ensure_open
from cuedeck.work.sessions.session_notes import close

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
    now = scene_snapshot_of(workspace.index, workspace.ledger, made, failed)
    if describe_changes(workspace, known, now, made.report["visits"], failed):
        return with_own_writes(workspace, known)
    scene = None
    if not workspace.is_unfinished:
        scene = stat_now(workspace.paths.root, SCENE)
    return with_own_writes(workspace, known._replace(given=now), {SCENE: scene})


def end(context: HookContext) -> HookResult:
    """Write a last checkpoint, close the session unless other agents use it, and start
    due memory maintenance.
    """
    workspace, event = context.workspace, context.event
    # A later event of the session was processed first.
    is_continued = context.known.progress_at > context.seconds
    if not event.is_main or is_continued:
        return HookResult(context.known)
    if context.is_recorded:
        _close_session(context)
    if context.is_recorded or is_on(workspace):
        start(workspace.paths, LOCK, ("memory", "tick"))
    return HookResult(context.known._replace(ended=True))


def _close_session(context: HookContext) -> None:
    """Write a last checkpoint, and close the session unless other agents use it."""
    workspace = context.workspace
    check_lock(workspace.paths)
    try:
        others = dict.fromkeys(main_name(name) for name in context.files.alive())
        others.pop(file_name(context.event), None)
        read = context.files.read
        # A subagent ends with its main session.
        if all(parse_host_session(read(name), "").ended for name in others):
            close(workspace)
        else:
            checkpoint(workspace)
    except NoOpenSession:
        return  # the agent did nothing


_AFTER_COMPACTION = frozenset(["PostCompact"])
"""Names of events sent after the compaction, when there is nothing left to save."""


def compact(context: HookContext) -> HookResult:
    """Add the statements of the unfinished turn, and write a checkpoint of the session
    and one of the memory. The record of the turn follows at its end.

    The checkpoints are written once for each compaction, and all of this only if
    sessions are recorded. A host that reads instructions for its summary gets the facts
    to keep. The next event whose answer the agent reads gets the whole brief.
    """
    workspace, event, known = context.workspace, context.event, context.known
    if event.name in _AFTER_COMPACTION or not event.is_main:
        return HookResult(
            with_own_writes(workspace, known._replace(compacted=True, recovered=False))
        )
    if context.is_recorded:
        # First, so that nothing is written twice if the session is locked.
        ensure_open(context.workspace)
        if context.event.transcript or context.event.conversation:
            capture_turn(context, is_ended=False)
        if not context.known.compacted:
            add_once(context, [CHECKPOINT])
            if not _has_checkpoint(context):
                checkpoint(context.workspace)
    text = ""
    if context.hooks.context_name(event.event):
        # Most hosts do not read the answer, and it needs the walk of the scene.
        from cuedeck.agents.hooks.session_brief import summary_instructions

        text = summary_instructions(workspace)
    return HookResult(
        with_own_writes(workspace, known._replace(compacted=True, recovered=False)),
        text,
    )


def _has_checkpoint(context: HookContext) -> bool:
    """Return whether an earlier attempt for this event wrote the checkpoint of the
    session.
    """
    if not context.event.is_retry:
        return False
    checkpoints = find_open(context.workspace.sessions).checkpoints
    last = None
    if checkpoints:
        last = moment_of(checkpoints[-1].timestamp)
    return last is not None and last.timestamp() >= context.seconds
