"""The steps of a session's workflow."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cuedeck.app.sessions.open_session import open_session
from cuedeck.model.errors import CueDeckError
from cuedeck.store.ledgers.workflow_files import load_workflow

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace
    from cuedeck.model.session import Session
    from cuedeck.parse.workflow_file import Step


class StepPosition(NamedTuple):
    """Where a session stands in its workflow."""

    number: int
    of: int
    step: Step


def standing_at(project: Workspace, session: Session | None) -> StepPosition | None:
    """Return the step of a session; None without one, or where its workflow is gone or has no such step."""
    if session is None or not session.workflow:
        return None
    try:
        steps = load_workflow(project.workspace, session.workflow).steps
    except CueDeckError:
        return None
    at = session.current_step
    return StepPosition(at, len(steps), steps[at - 1]) if 1 <= at <= len(steps) else None


def step_budget(project: Workspace) -> int:
    """Return the token limit that the step of the open session sets; 0 when it sets none."""
    found = standing_at(project, open_session(project))
    return found.step.budget if found else 0
