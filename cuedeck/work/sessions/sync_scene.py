"""Synchronization of the open session with the scene after a command of CueDeck.

Therefore `resume` reports changes made by others, and no changes made by a note or a
decision of the session itself.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from cuedeck.engine.open_session import open_session, update_session
from cuedeck.ledger.kinds.attempt_kind import ATTEMPT
from cuedeck.ledger.kinds.decision_kind import DECISION, accepted_decisions
from cuedeck.model.session import Chosen
from cuedeck.work.sessions.scene_context import current_context, with_context

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.ledger.session_files import SessionFiles
    from cuedeck.model.session import Session


def sync_session(workspace: Workspace) -> None:
    """Store the current scene, decisions and attempts in the open session, if there is
    one.
    """
    session = open_session(workspace.sessions)
    if session is not None:
        context = current_context(workspace)
        update_session(
            workspace,
            session.id,
            lambda known: with_context(with_decisions(workspace, known), context),
        )


def open_id(sessions: SessionFiles) -> str:
    """Return the id of the open session, or an empty string."""
    session = open_session(sessions)
    return session.id if session else ""


def with_decisions(workspace: Workspace, session: Session) -> Session:
    """Return the session with its decisions and attempts from the ledgers."""
    return replace(
        session,
        decisions=session_decisions(workspace, session),
        attempts=session_attempts(workspace, session),
    )


def session_decisions(workspace: Workspace, session: Session) -> tuple[Chosen, ...]:
    """Return the decisions of a session that are in force, oldest first, each with the
    step of its first sync.
    """
    known = {each.id: each for each in session.decisions}
    found = [each for each in session.decisions if not each.id]
    decisions = workspace.ledger.entries(DECISION)
    for each in accepted_decisions(decisions):
        if each.session != session.id:
            continue
        step = session.current_step
        if each.id in known:
            step = known[each.id].step
        found.append(Chosen(each.id, each.decision, each.timestamp, step))
    return tuple(found)


def session_attempts(workspace: Workspace, session: Session) -> tuple[str, ...]:
    """Return the ids of the attempts of a session, oldest first."""
    attempts = workspace.ledger.entries(ATTEMPT)
    return tuple(each.id for each in attempts if each.session == session.id)
