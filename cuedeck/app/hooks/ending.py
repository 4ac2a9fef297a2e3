"""The end of a session of a host."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from cuedeck.app.hooks.beginning import check_free
from cuedeck.app.hooks.occasion import Occasion, Outcome
from cuedeck.app.sessions.checkpoint import checkpoint
from cuedeck.app.sessions.notes import close
from cuedeck.app.sessions.state import NoOpenSession
from cuedeck.model.hook import file_name, main_name
from cuedeck.parse.host_session import parse_host_session

if TYPE_CHECKING:
    from cuedeck.app.project import Project


def end(occasion: Occasion) -> Outcome:
    """Write a last checkpoint, close the session unless others work in it, and look after memory in the background."""
    project, told = occasion.project, occasion.told
    if not told.is_main or occasion.known.progress_at > occasion.seconds:  # the session was gone on with since
        return Outcome(occasion.known)
    check_free(project)
    try:
        if _is_alone(occasion):
            close(project)
        else:
            checkpoint(project)
    except NoOpenSession:
        pass  # nothing was done
    _tend(project)
    return Outcome(replace(occasion.known, ended=True))


def _is_alone(occasion: Occasion) -> bool:
    """Tell whether no other session of a host was heard of lately that did not end; a subagent ends with its own."""
    others = dict.fromkeys(main_name(name) for name in occasion.files.alive())
    others.pop(file_name(occasion.told), None)
    return all(parse_host_session(occasion.files.read(name), "").ended for name in others)


def _tend(project: Project) -> None:
    """Start what is due for memory; nobody waits for it."""
    from cuedeck.app.memory.due import is_on
    from cuedeck.app.memory.tick import LOCK
    from cuedeck.store.background import start

    if is_on(project):
        start(project.workspace, LOCK, ("memory", "tick"))
