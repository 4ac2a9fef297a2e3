"""Progress items of the open session: done, doing and to do."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from cuedeck.engine.mask_answers import mask_to_keep
from cuedeck.engine.open_session import (
    card_title,
    open_session,
    require_one_line,
    timestamp_after,
    update_session,
)
from cuedeck.ledger.sessions.progress_items import find, gather, line, record
from cuedeck.model.secret import unnumbered
from cuedeck.model.session import Item, Session, State
from cuedeck.work.sessions.card_checkboxes import card_boxes
from cuedeck.work.sessions.checkpoint import write_due_checkpoint
from cuedeck.work.sessions.scene_context import sync_session
from cuedeck.work.sessions.start_session import active_card, open_or_start

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace

_MOST_ITEMS = 500
"""Maximal number of items of a session; the items done first are dropped."""


def record_progress(workspace: Workspace, text: str, state: State) -> dict[str, Any]:
    """Record an item as done, doing or to do. A prefix that fits exactly one open item
    names that item.

    A session is started if none is open. Raises: Invalid for an empty text.
    """
    wanted = require_one_line(mask_to_keep(text, workspace), "text")

    def add(session: Session) -> Session:
        known = find(gather(session.progress, boxes), wanted)
        name = unnumbered(known.text) if known else wanted
        items = record(
            session.progress, name, state, timestamp_after(session.last_access)
        )
        return replace(session, progress=_bounded(items))

    session, started = open_or_start(workspace)
    workspace.refresh()
    boxes = card_boxes(workspace.index, workspace.paths, session.card, workspace.mask)
    session = update_session(workspace, session.id, add)
    sync_session(workspace)
    write_due_checkpoint(workspace)
    item = session.progress[-1]
    return {
        "session": session.id,
        "started": started,
        "text": item.text,
        "state": item.state,
        "line": line(item),
    }


def list_progress(workspace: Workspace) -> dict[str, Any]:
    """Return the items of the open session with the checkboxes of its card, and before
    them the checkboxes of the active card if that is another one.
    """
    workspace.refresh()
    session = open_session(workspace.sessions)
    active = active_card(workspace)
    parts: dict[str, tuple[Item, ...]] = {active: ()}
    if session is not None:
        if not session.card and not session.progress:
            parts.pop("", None)
        parts[session.card] = session.progress
    rows = []
    for card, progress in parts.items():
        boxes = card_boxes(
            workspace.index, workspace.paths, card, workspace.answer_mask
        )
        for each in gather(progress, boxes):
            rows.append(
                {
                    "text": each.text,
                    "state": each.state,
                    "line": line(each),
                    "card": card or None,
                }
            )
    cards = []
    for card in filter(None, parts):
        title = card_title(workspace.index, card) or None
        in_session = session is not None and session.card == card
        cards.append(
            {
                "id": card,
                "title": title,
                "active": card == active,
                "session": session.id if session and in_session else None,
            }
        )
    return {
        "session": session.id if session else None,
        "cards": cards,
        "progress": rows,
    }


def _bounded(items: tuple[Item, ...]) -> tuple[Item, ...]:
    excess = len(items) - _MOST_ITEMS
    kept = []
    for item in items:
        if excess > 0 and item.state == "done":
            excess -= 1
            continue
        kept.append(item)
    return tuple(kept)
