"""After a command of ours: the open session takes the scene as it is now for the one it knows.

So a resume tells what others changed, and never what a note or a decision of the session itself changed.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from cuedeck.app.decisions.decision_repository import decisions_of as decisions_in
from cuedeck.app.mask_answers import mask_to_keep
from cuedeck.app.sessions.open_session import change, open_session
from cuedeck.app.sessions.session_working_set import remember, speakable
from cuedeck.model.paths import ASSUMPTIONS
from cuedeck.model.session import Chosen
from cuedeck.records.decision_log import accepted_decisions
from cuedeck.records.ledger_state import fold
from cuedeck.records.working_set import checksum

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace
    from cuedeck.model.session import Session


class Context(NamedTuple):
    """What a session has before it: the receipt of the scene, the hash of each file it shows, its card's title."""

    receipt: str
    shown: dict[str, str]
    title: str
    text: str = ""
    """The scene itself; empty where there is none."""


def settle(project: Workspace) -> None:
    """Let the open session know the scene as a command has just changed it; nothing without an open session."""
    session = open_session(project)
    if session is not None:
        context = look(project)
        change(project, session.id, lambda known: with_context(with_decisions(project, known), context))


def open_id(project: Workspace) -> str:
    """Return the id of the open session, or empty."""
    session = open_session(project)
    return session.id if session else ""


def look(project: Workspace, session: Session | None = None) -> Context:
    """Return the scene as it is now; an empty one while no card is active. Brings the index up to date.

    Where it is the one that `session` knows, what that knows of it is returned.
    """
    from cuedeck.app.scene.build_scene import Request, make_scene
    from cuedeck.model.errors import NoActiveCard

    try:
        made = make_scene(project, Request())
    except NoActiveCard:
        return Context("", {}, session.title if session else "")
    if session is not None and made.report["receipt"] == session.receipt:
        return Context(session.receipt, dict(session.shown), session.title, made.text)
    return context_of(project, made.report)._replace(text=made.text)


def context_of(project: Workspace, report: Mapping[str, Any]) -> Context:
    """Return what a scene that was just made puts before the session; `report` is its JSON."""
    paths = [each["path"] for each in report["visits"] if each["tier"] == "explicit" and each["kind"] != "folder"]
    hashes = {path: project.index.hash(path) for path in paths}
    shown = {path: hashes[path] for path in speakable(project, paths) if hashes[path]}
    remember(project, shown)
    card = project.index.file(report["card"]) if report["card"] else None
    return Context(report["receipt"], shown, mask_to_keep(card.card.title, project) if card and card.card else "")


def with_context(session: Session, context: Context) -> Session:
    """Return the session with a scene, and the checksum over it and what is known of the working set."""
    working = {path: each.hash for path, each in session.working_set.items()}
    return replace(
        session,
        receipt=context.receipt,
        title=context.title,
        shown=context.shown,
        context_checksum=checksum(working, context.receipt),
    )


def with_decisions(project: Workspace, session: Session) -> Session:
    """Return the session with what the ledgers say it decided and tried."""

    return replace(session, decisions=decisions_of(project, session), attempts=attempts_of(project, session))


def session_assumptions(project: Workspace) -> list[dict[str, Any]]:
    """Check every assumption, note what changed, and return those that fail and nobody dealt with."""
    if not os.path.exists(project.workspace.absolute(ASSUMPTIONS)):
        return []
    from cuedeck.app.assumptions.recheck import evaluate

    return [
        {
            "id": each.assumption.id,
            "text": each.assumption.text,
            "status": "invalidated",
            "evidence": each.verdict.evidence,
            "where": each.verdict.where or None,
            "message": each.message,
        }
        for each in evaluate(project).failing
    ]


def decisions_of(project: Workspace, session: Session) -> tuple[Chosen, ...]:
    """Return the standing decisions of a session, oldest first, each with the step in which it was first seen."""
    known = {each.id: each for each in session.decisions}
    found = [each for each in session.decisions if not each.id]
    for each in accepted_decisions(decisions_in(project)):
        if each.session == session.id:
            step = known[each.id].step if each.id in known else session.current_step
            found.append(Chosen(each.id, each.decision, each.timestamp, step))
    return tuple(found)


def attempts_of(project: Workspace, session: Session) -> tuple[str, ...]:
    """Return the ids of the attempts of a session, oldest first."""
    rows = project.ledgers.derive("attempts", fold)
    return tuple(identity for identity, row in rows.items() if row.get("session") == session.id)
