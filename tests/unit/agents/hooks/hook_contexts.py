"""Contexts of hook events, for calling handlers without another process."""

from __future__ import annotations

import time
from typing import Any

from sandbox import Sandbox

from cuedeck.agents.hooks.hook_context import HookContext
from cuedeck.agents.hosts import hooks_of
from cuedeck.ledger.sessions.agent_sessions import HostSessionFiles
from cuedeck.model.agent_session import HostSession
from cuedeck.model.hook_event import HookEvent


def hook_context(
    sandbox: Sandbox, event: str, known: HostSession | None = None, **words: Any
) -> HookContext:
    """Return the context of an event of Claude Code in a newly opened workspace."""
    workspace = sandbox.workspace()
    sent = HookEvent(
        event,
        words.pop("host", "claude"),
        session="a",
        folder=str(sandbox.root),
        **words,
    )
    return HookContext(
        workspace,
        sent,
        known or HostSession(sent.host),
        HostSessionFiles(workspace.paths),
        time.time(),
        hooks_of(sent.host),
    )
