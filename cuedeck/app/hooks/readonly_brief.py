"""The brief of a workspace in which nothing can be written: made in memory, kept nowhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cuedeck.app.hooks.session_brief import BriefAudience, draw_brief
from cuedeck.app.workspace import Workspace

if TYPE_CHECKING:
    from cuedeck.model.hook_event import HookEvent


def unkept_brief(project: Workspace, told: HookEvent) -> str:
    """Return the brief as the files give it. Raises: CueDeckError when they cannot be read either."""
    in_memory = project.reopened(index_in_memory=True)
    try:
        return draw_brief(in_memory, (), BriefAudience(told.is_main), writes=False).text
    finally:
        in_memory.close()
