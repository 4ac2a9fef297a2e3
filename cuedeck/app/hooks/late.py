"""The time of a hook is over before its work was done: what it was told is kept, and that is logged.

There is next to no time left, so as little as can be is imported. Of a tool no words are kept, and names of files as
they are, in a file that its owner alone reads; the last words of a turn are masked first.
"""

from __future__ import annotations

from collections.abc import Mapping

from cuedeck.model.errors import StorageError
from cuedeck.model.hook import Told
from cuedeck.store.log import log
from cuedeck.store.waiting import BARE, Waiting, line_of
from cuedeck.store.workspace import Workspace


def run_late(root: str, told: Told, environ: Mapping[str, str]) -> None:
    """Keep what an event told and nobody handled, and log that its time was over."""
    workspace = Workspace(root)
    problem = "no answer in time; the agent went on without it"
    try:
        if (told.event in BARE or (told.event == "post-tool" and told.files)) and not told.kept:
            # There is no time to look for secrets in names of files that lie here anyhow: who takes them does it.
            Waiting(workspace).add(line_of(told, told.files))
    except StorageError as error:
        problem += f"; and what it told is lost: {error.message}"
    log(workspace, {"event": "hook", "hook": told.event, "host": told.host, "problem": problem})
    if told.event == "stop":
        _put_off(workspace, told, environ)


def _put_off(workspace: Workspace, told: Told, environ: Mapping[str, str]) -> None:
    """Keep the last words of a turn, masked."""
    from cuedeck.app.hooks.trouble import note
    from cuedeck.app.hooks.waiting import wait
    from cuedeck.app.project import Project

    project = Project(workspace, environ)
    try:
        wait(project, told)
    except StorageError as error:
        note(project, told, error)
