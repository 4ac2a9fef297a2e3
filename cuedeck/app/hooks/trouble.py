"""What goes wrong in a hook: a line of the log, so that nothing has to be said where an agent listens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cuedeck.model.errors import CueDeckError
from cuedeck.store.log import log

if TYPE_CHECKING:
    from cuedeck.app.project import Project
    from cuedeck.model.hook import Told


def note(project: Project, told: Told, problem: Exception | str) -> bool:
    """Add a problem to the log, masked; tell whether it could be written."""
    from cuedeck.app.masking import mask_value

    said = problem.message if isinstance(problem, CueDeckError) else str(problem)
    if isinstance(problem, Exception) and not isinstance(problem, CueDeckError):
        said = f"{type(problem).__name__}: {said}"
    told_of = {"hook": told.event or "?", "host": told.host, "name": told.name, "problem": said[:1_000]}
    return log(project.workspace, {"event": "hook", **mask_value(told_of, project)})
