"""Doing what an event of a host asks for."""

from __future__ import annotations

import contextlib
import importlib
import math
import time
from collections.abc import Callable, Mapping

from cuedeck.app.hooks.occasion import Occasion, Outcome
from cuedeck.app.hooks.trouble import note
from cuedeck.app.project import Project
from cuedeck.model.errors import CueDeckError, Locked, StorageError
from cuedeck.model.hook import Told, file_name
from cuedeck.store.host_sessions import HostSessionFiles
from cuedeck.store.lock import locked
from cuedeck.store.waiting import BARE, Waiting
from cuedeck.store.workspace import Workspace

LOCK = "hooks"
_PATIENCE_SECONDS = 2.0
_CAN_WAIT = frozenset(["post-tool", "stop", *BARE])
"""What is kept for whoever has the lock, or gets it next, where another hook is at work; the others must answer."""
_LITTLE_PATIENCE_SECONDS = 0.2
_CATCH_UP_SECONDS = 1.0
"""For what waits, before and behind an event of one's own; the rest goes on waiting."""
HANDLERS = {
    "session-start": "starting:start",
    "prompt": "prompting:prompt",
    "pre-compact": "compacting:compact",
    "post-tool": "touching:touch",
    "stop": "stopping:stop",
    "session-end": "ending:end",
}
"""What does each event, and in which module."""


def run(root: str, told: Told, environ: Mapping[str, str], say: Callable[[str], None]) -> str:
    """Do what an event asks for; return what the agent is told of it. What goes wrong is logged and said."""
    project = Project(Workspace(root), environ)
    try:
        return _run(project, told)
    except Exception as error:  # noqa: BLE001 - an agent goes on whatever happens here; the log keeps the reason
        _put_off(project, told)
        where = "has it" if note(project, told, error) else "cannot be written"
        say(f"cuedeck hook {told.event}: {type(error).__name__}; .cuedeck/cache/log.jsonl {where}")
        return _unkept(project, told) if isinstance(error, StorageError) else ""
    finally:
        project.close()


def _unkept(project: Project, told: Told) -> str:
    """Return the brief for a start that nothing could be written of; empty for other events."""
    if told.event != "session-start" or not told.is_heard:
        return ""
    from cuedeck.app.hooks.unkept import unkept_brief

    try:
        return unkept_brief(project, told)
    except CueDeckError as error:
        note(project, told, error)
        return ""


def catch_up(project: Project) -> None:
    """Do what events asked for that could not be handled in time, unless a hook is at it."""
    with contextlib.suppress(Locked), locked(project.workspace, LOCK, 0):
        _catch_up(project)


def _put_off(project: Project, told: Told) -> None:
    """Let an event wait for whoever has the lock next."""
    from cuedeck.app.hooks.waiting import wait

    try:
        wait(project, told)
    except StorageError as error:
        note(project, told, error)


def _catch_up(project: Project, seconds: float = math.inf) -> None:
    if not Waiting(project.workspace).is_empty:
        from cuedeck.app.hooks.waiting import catch_up

        until = time.monotonic() + seconds
        catch_up(project, lambda told: _handle(project, told), lambda told, error: note(project, told, error), until)


def _run(project: Project, told: Told) -> str:
    if told.event not in HANDLERS:
        note(project, told, "there is no such event" if told.event else "no JSON object on standard input")
        return ""
    _handler(told)  # what has to be imported is, before others wait for it
    can_wait = told.event in _CAN_WAIT
    with locked(project.workspace, LOCK, _LITTLE_PATIENCE_SECONDS if can_wait else _PATIENCE_SECONDS):
        _catch_up(project, _CATCH_UP_SECONDS)
        text = _handle(project, told)
        if can_wait:
            _catch_up(project, _CATCH_UP_SECONDS)
    return text


def _handler(told: Told) -> Callable[[Occasion], Outcome]:
    module, name = HANDLERS[told.event].split(":")
    found: Callable[[Occasion], Outcome] = getattr(importlib.import_module(f"cuedeck.app.hooks.{module}"), name)
    return found


def _handle(project: Project, told: Told) -> str:
    """Do what an event asks for; the caller holds the lock."""
    from cuedeck.app.hooks.watched import without_secrets
    from cuedeck.parse.host_session import format_host_session, parse_host_session

    files, place = HostSessionFiles(project.workspace), file_name(told)
    known = parse_host_session(files.read(place), told.host)
    outcome = _handler(told)(Occasion(project, told, known, files, time.time()))
    if outcome.known != known:
        files.write(place, format_host_session(without_secrets(project, outcome.known)))
    return outcome.text
