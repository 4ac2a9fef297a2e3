"""Input and result of an event handler, and the log of failed hooks."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cuedeck.model.errors import CueDeckError
from cuedeck.store.capture_consent import is_agreed

if TYPE_CHECKING:
    from cuedeck.agents.hosts.base import Hooks
    from cuedeck.engine.workspace import Workspace
    from cuedeck.ledger.sessions.agent_sessions import HostSessionFiles
    from cuedeck.model.agent_session import HostSession
    from cuedeck.model.hook_event import HookEvent

_MOST_LOGGED = 1_000
"""Maximal number of characters of a logged problem."""


class HookContext(NamedTuple):
    """An event, and the state of the agent session it belongs to."""

    workspace: Workspace
    event: HookEvent
    known: HostSession
    files: HostSessionFiles
    seconds: float
    """Time of the event, since the epoch."""
    hooks: Hooks
    """The hooks of the host."""

    @property
    def is_recorded(self) -> bool:
        """Whether the user agreed to record sessions of this workspace."""
        return is_agreed(self.workspace.paths.root)


class HookResult(NamedTuple):
    """New state of the agent session, and the answer for the agent."""

    known: HostSession
    text: str = ""


def log_hook_error(
    workspace: Workspace, event: HookEvent, problem: Exception | str
) -> bool:
    """Add a problem to the log, masked, because an agent sees no error output; return
    whether it was written.
    """
    # Most hooks have no problem, and the search for secrets is slow to load.
    from cuedeck.engine.mask_answers import log_event

    text = str(problem)
    if isinstance(problem, CueDeckError):
        text = problem.message
    elif isinstance(problem, Exception):
        text = f"{type(problem).__name__}: {text}"
    row = {
        "event": "hook",
        "hook": event.event or "?",
        "host": event.host,
        "name": event.name,
        "problem": text[:_MOST_LOGGED],
    }
    return log_event(workspace, row)
