"""What a hook itself writes is no news for the session it writes it for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from cuedeck.app.hooks.watched_files import look_at_own

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace
    from cuedeck.model.agent_session import HostSession, StatRow


def follow(project: Workspace, known: HostSession, more: Mapping[str, StatRow] | None = None) -> HostSession:
    """Return the session with what hooks write as it is now, and with `more` that is known."""
    return replace(known, prints={**known.prints, **look_at_own(project), **(more or {})})
