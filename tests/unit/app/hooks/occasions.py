"""Events of a host, given to what handles them without a process between."""

from __future__ import annotations

import time
from typing import Any

from desk import Desk

from cuedeck.app.hooks.hook_context import HookContext
from cuedeck.model.agent_session import HostSession
from cuedeck.model.hook_event import HookEvent
from cuedeck.store.ledgers.agent_sessions import HostSessionFiles


def occasion(desk: Desk, event: str, known: HostSession | None = None, **words: Any) -> HookContext:
    """Return an event of Claude Code in a workspace that is opened anew."""
    project = desk.project()
    told = HookEvent(event, words.pop("host", "claude"), session="a", folder=str(desk.root), **words)
    return HookContext(project, told, known or HostSession(told.host), HostSessionFiles(project.workspace), time.time())
