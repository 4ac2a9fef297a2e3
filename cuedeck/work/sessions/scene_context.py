"""The scene that a session has seen: its receipt, the files it shows and its text; and
the synchronization of the open session with the scene after a command of CueDeck.

Therefore `resume` reports changes made by others, and no changes made by a note or a
decision of the session itself.
"""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.engine.mask_answers import mask_to_keep
from cuedeck.engine.open_session import open_session, update_session
from cuedeck.ledger.kinds.attempt_kind import ATTEMPT
from cuedeck.ledger.kinds.decision_kind import DECISION, accepted_decisions
from cuedeck.model.entry_node import ENTRY_KINDS
from cuedeck.model.errors import NoActiveCard
from cuedeck.model.paths import ASSUMPTIONS
from cuedeck.model.session import Chosen
from cuedeck.work.sessions.session_working_set import (
    checksum,
    paths_without_secrets,
)

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.ledger.ledger import Ledger
    from cuedeck.ledger.session_files import SessionFiles
    from cuedeck.model.ports import Json, JsonView
    from cuedeck.model.session import Session
    from cuedeck.store.index import Index


class SceneContext(NamedTuple):
    """The parts of a scene that a session stores, and the text of the scene."""

    receipt: str
    shown: dict[str, str]
    """SHA-256 (hex) of each explicitly linked file, by path."""
    title: str
    """Title of the card, masked."""
    text: str = ""
    """SCENE.md; empty without an active card."""


def current_context(workspace: Workspace) -> SceneContext:
    """Update the index and return the current scene; an empty one without an active
    card.
    """
    # Notes about files need this module, but no scene.
    from cuedeck.context.scene.build_scene import Request, make_scene

    try:
        made = make_scene(workspace, Request())
    except NoActiveCard:
        return SceneContext("", {}, "")
    return context_of_report(workspace, made.report)._replace(text=made.text)


def context_of_report(workspace: Workspace, report: JsonView) -> SceneContext:
    """Return the context, without text, of a scene that was just built; `report` is the
    JSON of the scene.
    """
    index = workspace.index
    linked = [each for each in report["visits"] if each["tier"] == "explicit"]
    paths = [
        each["path"] for each in linked if each["kind"] not in ("folder", *ENTRY_KINDS)
    ]
    shown = {}
    for path in paths_without_secrets(workspace, paths):
        digest = index.hash(path)
        if digest:
            shown[path] = digest
    title = mask_to_keep(_title(index, report["card"]), workspace)
    return SceneContext(report["receipt"], shown, title)


def _title(index: Index, path: str | None) -> str:
    file = index.file(path) if path else None
    return file.card.title if file is not None and file.card is not None else ""


def with_context(session: Session, context: SceneContext) -> Session:
    """Return the session with a scene, and with the checksum of the scene and the
    working set.
    """
    hashes = {path: each.hash for path, each in session.working_set.items()}
    return replace(
        session,
        receipt=context.receipt,
        title=context.title,
        shown=context.shown,
        context_checksum=checksum(hashes, context.receipt),
    )


def failing_assumptions(workspace: Workspace) -> list[Json]:
    """Check all assumptions, record changed results, and return the failing ones that
    are not acknowledged.
    """
    if not os.path.exists(workspace.paths.absolute(ASSUMPTIONS)):
        return []
    # The checks load readers of many file formats, and most workspaces have no
    # assumptions.
    from cuedeck.work.assumptions.check_assumptions import evaluate

    return [
        {
            "id": each.assumption.id,
            "text": each.assumption.text,
            "status": "invalidated",
            "evidence": each.verdict.evidence,
            "where": each.verdict.where or None,
            "message": each.message,
        }
        for each in evaluate(workspace).failing
    ]


def sync_session(workspace: Workspace) -> None:
    """Store the current scene, decisions and attempts in the open session, if there is
    one.
    """
    session = open_session(workspace.sessions)
    if session is not None:
        context = current_context(workspace)
        update_session(
            workspace.sessions,
            workspace.paths,
            session.id,
            lambda known: with_context(
                with_decisions(workspace.ledger, known), context
            ),
        )


def open_id(sessions: SessionFiles) -> str:
    """Return the id of the open session, or an empty string."""
    session = open_session(sessions)
    return session.id if session else ""


def with_decisions(ledger: Ledger, session: Session) -> Session:
    """Return the session with its decisions and attempts from the ledgers."""
    attempts = ledger.entries(ATTEMPT)
    return replace(
        session,
        decisions=session_decisions(ledger, session),
        attempts=tuple(each.id for each in attempts if each.session == session.id),
    )


def session_decisions(ledger: Ledger, session: Session) -> tuple[Chosen, ...]:
    """Return the decisions of a session that are in force, oldest first, each with the
    step of its first sync.
    """
    known = {each.id: each for each in session.decisions}
    found = [each for each in session.decisions if not each.id]
    decisions = ledger.entries(DECISION)
    for each in accepted_decisions(decisions):
        if each.session != session.id:
            continue
        step = session.current_step
        if each.id in known:
            step = known[each.id].step
        found.append(Chosen(each.id, each.decision, each.timestamp, step))
    return tuple(found)
