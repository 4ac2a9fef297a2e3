"""What goes wrong in a hook: a line of the log, so that nothing has to be said where an agent listens."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cuedeck.app.mask_answers import mask_value
from cuedeck.model.errors import CueDeckError
from cuedeck.store.fs.log_file import log

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace
    from cuedeck.model.hook_event import HookEvent


def log_hook_error(project: Workspace, told: HookEvent, problem: Exception | str) -> bool:
    """Add a problem to the log, masked; tell whether it could be written."""
    from cuedeck.app.mask_answers import mask_value

    said = problem.message if isinstance(problem, CueDeckError) else str(problem)
    if isinstance(problem, Exception) and not isinstance(problem, CueDeckError):
        said = f"{type(problem).__name__}: {said}"
    told_of = {"hook": told.event or "?", "host": told.host, "name": told.name, "problem": said[:1_000]}
    return log(project.workspace, {"event": "hook", **mask_value(told_of, project)})


def log_error(project: Workspace, profile: str, job: str, error: CueDeckError | OSError) -> dict[str, Any]:
    """Add an error to the log; return what is told of it, masked: code, message, hint."""
    found = error if isinstance(error, CueDeckError) else CueDeckError(str(error))
    told: dict[str, Any] = mask_value({"code": found.code, "message": found.message, "hint": found.hint}, project)
    log(project.workspace, {"event": "error", "profile": profile, "job": job, **told})
    return told
