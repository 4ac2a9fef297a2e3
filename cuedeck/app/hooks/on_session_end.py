"""The end of a session of a host."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from cuedeck.app.hooks.ensure_session import check_free
from cuedeck.app.hooks.hook_context import HookContext, HookResult
from cuedeck.app.sessions.checkpoint import checkpoint
from cuedeck.app.sessions.open_session import NoOpenSession
from cuedeck.app.sessions.session_notes import close
from cuedeck.model.hook_event import file_name, main_name
from cuedeck.parse.agent_session_file import parse_host_session

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace


def end(occasion: HookContext) -> HookResult:
    """Write a last checkpoint, close the session unless others work in it, and look after memory in the background."""
    project, told = occasion.project, occasion.told
    if not told.is_main or occasion.known.progress_at > occasion.seconds:  # the session was gone on with since
        return HookResult(occasion.known)
    check_free(project)
    try:
        if _is_alone(occasion):
            close(project)
        else:
            checkpoint(project)
    except NoOpenSession:
        pass  # nothing was done
    _tend(project)
    return HookResult(replace(occasion.known, ended=True))


def _is_alone(occasion: HookContext) -> bool:
    """Tell whether no other session of a host was heard of lately that did not end; a subagent ends with its own."""
    others = dict.fromkeys(main_name(name) for name in occasion.files.alive())
    others.pop(file_name(occasion.told), None)
    return all(parse_host_session(occasion.files.read(name), "").ended for name in others)


def _tend(project: Workspace) -> None:
    """Start what is due for memory; nobody waits for it."""
    from cuedeck.app.memory.after_append import LOCK
    from cuedeck.app.memory.due_jobs import is_on
    from cuedeck.store.fs.background_process import start

    if is_on(project):
        start(project.workspace, LOCK, ("memory", "tick"))
