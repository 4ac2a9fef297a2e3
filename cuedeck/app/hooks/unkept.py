"""The brief of a workspace in which nothing can be written: made in memory, kept nowhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cuedeck.app.hooks.brief import Hearer, draw_brief
from cuedeck.app.project import Project

if TYPE_CHECKING:
    from cuedeck.model.hook import Told


def unkept_brief(project: Project, told: Told) -> str:
    """Return the brief as the files give it. Raises: CueDeckError when they cannot be read either."""
    in_memory = Project(project.workspace, project.environ, index_in_memory=True)
    try:
        return draw_brief(in_memory, (), Hearer(told.is_main), writes=False).text
    finally:
        in_memory.close()
