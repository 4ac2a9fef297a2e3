"""One event of a host, and what it leads to."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace
    from cuedeck.model.agent_session import HostSession
    from cuedeck.model.hook_event import HookEvent
    from cuedeck.store.ledgers.agent_sessions import HostSessionFiles


class HookContext(NamedTuple):
    """An event, and what is known of the session it belongs to."""

    project: Workspace
    told: HookEvent
    known: HostSession
    files: HostSessionFiles
    seconds: float
    """Now, since the epoch."""


class HookResult(NamedTuple):
    """What the agent is told, and what is known of its session from now on."""

    known: HostSession
    text: str = ""
