"""The current step of a session in its workflow."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cuedeck.engine.open_session import open_session
from cuedeck.ledger.sessions.workflow_files import load_workflow
from cuedeck.model.errors import CueDeckError

if TYPE_CHECKING:
    from cuedeck.ledger.session_files import SessionFiles
    from cuedeck.ledger.sessions.workflow_files import Step
    from cuedeck.model.session import Session
    from cuedeck.store.workspace_paths import WorkspacePaths


class StepPosition(NamedTuple):
    """Position of a session in its workflow."""

    number: int
    """1 for the first step."""
    of: int
    """Number of steps of the workflow."""
    step: Step


def step_position(
    paths: WorkspacePaths, session: Session | None
) -> StepPosition | None:
    """Return the current step; None without session or workflow, or if the workflow has
    no such step.
    """
    if session is None or not session.workflow:
        return None
    try:
        steps = load_workflow(paths, session.workflow)
    except CueDeckError:
        return None
    number = session.current_step
    if not 1 <= number <= len(steps):
        return None
    return StepPosition(number, len(steps), steps[number - 1])


def step_budget(paths: WorkspacePaths, sessions: SessionFiles) -> int:
    """Return the token limit of the current step of the open session; 0 if it sets
    none.
    """
    position = step_position(paths, open_session(sessions))
    return position.step.budget if position else 0
