"""Doing what an event of a host asks for."""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable, Mapping

from cuedeck.app.hooks.occasion import Occasion, Outcome
from cuedeck.app.hooks.trouble import note
from cuedeck.app.project import Project
from cuedeck.model.hook import Told, file_name
from cuedeck.store.host_sessions import HostSessionFiles
from cuedeck.store.lock import locked
from cuedeck.store.workspace import Workspace

LOCK = "hooks"
_PATIENCE_SECONDS = 2.0
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
        say(f"cuedeck hook {told.event}: {type(error).__name__}; .cuedeck/cache/log.jsonl has it")
        note(project, told, error)
        return ""
    finally:
        project.close()


def _run(project: Project, told: Told) -> str:
    if told.event not in HANDLERS:
        note(project, told, "there is no such event" if told.event else "no JSON object on standard input")
        return ""
    module, name = HANDLERS[told.event].split(":")
    handle: Callable[[Occasion], Outcome] = getattr(importlib.import_module(f"cuedeck.app.hooks.{module}"), name)
    from cuedeck.parse.host_session import format_host_session, parse_host_session

    files, place = HostSessionFiles(project.workspace), file_name(told)
    with locked(project.workspace, LOCK, _PATIENCE_SECONDS):
        known = parse_host_session(files.read(place), told.host)
        outcome = handle(Occasion(project, told, known, files, time.time()))
        if outcome.known != known:
            files.write(place, format_host_session(outcome.known))
    return outcome.text
