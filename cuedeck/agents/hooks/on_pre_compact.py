"""Handler of pre-compact: saves the statements of the unfinished turn and writes
checkpoints before a host compacts the context.
"""

from __future__ import annotations

from cuedeck.agents.hooks.hook_context import HookContext, HookResult
from cuedeck.agents.hooks.scene_changes import with_own_writes
from cuedeck.agents.hooks.turn_records import add_once
from cuedeck.engine.open_session import find_open
from cuedeck.knowledge.memory.add_record import CHECKPOINT
from cuedeck.knowledge.statements.capture_statements import capture_turn
from cuedeck.text.timestamps import moment_of
from cuedeck.work.sessions.checkpoint import checkpoint
from cuedeck.work.sessions.ensure_session import ensure_open

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
        _record(context)
    text = ""
    if context.hooks.context_name(event.event):
        # Most hosts do not read the answer, and it needs the walk of the scene.
        from cuedeck.agents.hooks.session_brief import summary_instructions

        text = summary_instructions(workspace)
    return HookResult(
        with_own_writes(workspace, known._replace(compacted=True, recovered=False)),
        text,
    )


def _record(context: HookContext) -> None:
    # First, so that nothing is written twice if the session is locked.
    ensure_open(context.workspace)
    if context.event.transcript or context.event.conversation:
        capture_turn(context, is_ended=False)
    if not context.known.compacted:
        add_once(context, [CHECKPOINT])
        if not _has_checkpoint(context):
            checkpoint(context.workspace)


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
