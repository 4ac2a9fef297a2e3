"""One event of a host, and what it leads to."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from cuedeck.app.project import Project
    from cuedeck.model.hook import Told
    from cuedeck.model.host_session import HostSession
    from cuedeck.store.host_sessions import HostSessionFiles


class Occasion(NamedTuple):
    """An event, and what is known of the session it belongs to."""

    project: Project
    told: Told
    known: HostSession
    files: HostSessionFiles
    seconds: float
    """Now, since the epoch."""


class Outcome(NamedTuple):
    """What the agent is told, and what is known of its session from now on."""

    known: HostSession
    text: str = ""
