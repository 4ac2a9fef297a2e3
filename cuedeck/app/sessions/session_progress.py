"""Progress of the open session: what is done, being done, to do."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from cuedeck.app.mask_answers import mask_to_keep
from cuedeck.app.sessions.card_checkboxes import boxes_of
from cuedeck.app.sessions.checkpoint import catch_up
from cuedeck.app.sessions.open_session import change, later, open_session, require_one_line
from cuedeck.app.sessions.start_session import active_card, opened
from cuedeck.app.sessions.sync_scene import settle
from cuedeck.model.secret_placeholder import unnumbered
from cuedeck.model.session import Session, State
from cuedeck.records.progress_items import find, gather, line, record

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace

_MOST = 500
"""Items of one session; of more, those done longest ago go."""


def record_progress(project: Workspace, text: str, state: State) -> dict[str, Any]:
    """Note something as done, being done or to do; a beginning that fits one open item names it.

    A session is begun where none is open. Raises: Invalid for an empty text.
    """
    said = require_one_line(mask_to_keep(text, project), "text")

    def act(session: Session) -> Session:
        known = find(gather(session.progress, boxes), said)
        items = record(session.progress, unnumbered(known.text) if known else said, state, later(session.last_access))
        return replace(session, progress=_bounded(items))

    session, started = opened(project)
    project.refresh()
    boxes = boxes_of(project, session.card, project.mask)
    session = change(project, session.id, act)
    settle(project)
    catch_up(project)
    item = session.progress[-1]
    return {"session": session.id, "started": started, "text": item.text, "state": item.state, "line": line(item)}


def list_progress(project: Workspace) -> dict[str, Any]:
    """Return everything the open session and the check boxes of its card say; without a session those of the card."""
    project.refresh()
    session = open_session(project)
    card = session.card if session else active_card(project)
    items = gather(session.progress if session else (), boxes_of(project, card, project.answer_mask))
    rows = [{"text": each.text, "state": each.state, "line": line(each)} for each in items]
    return {"session": session.id if session else None, "progress": rows}


def _bounded(items: tuple[Any, ...]) -> tuple[Any, ...]:
    more = len(items) - _MOST
    if more <= 0:
        return items
    gone = {id(each) for each in [item for item in items if item.state == "done"][:more]}
    return tuple(item for item in items if id(item) not in gone)
