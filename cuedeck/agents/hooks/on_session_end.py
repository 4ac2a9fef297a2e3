"""Handler of session-end: closes the session and starts the maintenance of the memory,
which also makes memories from statements.
"""

from __future__ import annotations

from cuedeck.agents.hooks.hook_context import HookContext, HookResult
from cuedeck.engine.open_session import NoOpenSession
from cuedeck.knowledge.memory.due_jobs import LOCK, is_on
from cuedeck.ledger.sessions.agent_sessions import parse_host_session
from cuedeck.model.hook_event import file_name, main_name
from cuedeck.store.files.background_process import start
from cuedeck.work.sessions.checkpoint import checkpoint
from cuedeck.work.sessions.ensure_session import check_lock
from cuedeck.work.sessions.session_notes import close


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
        if _is_alone(context):
            close(workspace)
        else:
            checkpoint(workspace)
    except NoOpenSession:
        return  # the agent did nothing


def _is_alone(context: HookContext) -> bool:
    """Return whether every other recent agent session has ended; a subagent ends with
    its main session.
    """
    others = dict.fromkeys(main_name(name) for name in context.files.alive())
    others.pop(file_name(context.event), None)
    return all(
        parse_host_session(context.files.read(name), "").ended for name in others
    )
