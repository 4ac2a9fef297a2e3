"""What goes wrong where nobody looks after a memory: a line of the log."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cuedeck.app.masking import mask_value
from cuedeck.model.errors import CueDeckError
from cuedeck.store.log import log

if TYPE_CHECKING:
    from cuedeck.app.project import Project


def log_error(project: Project, profile: str, job: str, error: CueDeckError | OSError) -> dict[str, Any]:
    """Add an error to the log; return what is told of it, masked: code, message, hint."""
    found = error if isinstance(error, CueDeckError) else CueDeckError(str(error))
    told: dict[str, Any] = mask_value({"code": found.code, "message": found.message, "hint": found.hint}, project)
    log(project.workspace, {"event": "error", "profile": profile, "job": job, **told})
    return told
