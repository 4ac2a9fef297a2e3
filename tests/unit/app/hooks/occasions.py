"""Events of a host, given to what handles them without a process between."""

from __future__ import annotations

import time
from typing import Any

from desk import Desk

from cuedeck.app.hooks.occasion import Occasion
from cuedeck.model.hook import Told
from cuedeck.model.host_session import HostSession
from cuedeck.store.host_sessions import HostSessionFiles


def occasion(desk: Desk, event: str, known: HostSession | None = None, **words: Any) -> Occasion:
    """Return an event of Claude Code in a workspace that is opened anew."""
    project = desk.project()
    told = Told(event, words.pop("host", "claude"), session="a", folder=str(desk.root), **words)
    return Occasion(project, told, known or HostSession(told.host), HostSessionFiles(project.workspace), time.time())
