"""Notes, progress items, workflow steps and the end of the open session."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from cuedeck.engine.open_session import (
    card_boxes,
    card_title,
    find_open,
    find_session,
    open_session,
    stored_line,
    timestamp_after,
    update_session,
)
from cuedeck.ledger.sessions.progress_items import find, gather, line, record
from cuedeck.ledger.sessions.workflow_files import load_workflow
from cuedeck.model.errors import Invalid
from cuedeck.model.formatting import quoted
from cuedeck.model.secret import unnumbered
from cuedeck.model.session import Item, Note, Role, Session, State
from cuedeck.work.sessions.checkpoint import checkpoint, write_due_checkpoint
from cuedeck.work.sessions.scene_context import sync_session
from cuedeck.work.sessions.session_working_set import add_to_working_set
from cuedeck.work.sessions.start_session import active_card, open_or_start

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.ledger.session_files import SessionFiles
    from cuedeck.ledger.sessions.workflow_files import Step
    from cuedeck.model.ports import Json
    from cuedeck.store.workspace_paths import WorkspacePaths

_MOST_NOTES = 500
"""Maximal number of notes of a session; the oldest are dropped."""


def add_note(workspace: Workspace, text: str, following: str = "") -> Json:
    """Add a note about finished work, and with `following` set the next step.

    A session is started if none is open. Raises: Invalid if both texts are empty.
    """
    note = next_step = ""
    if text.strip() or not following.strip():
        note = stored_line(workspace, text, "note")
    if following.strip():
        next_step = stored_line(workspace, following, "next step")

    def add(session: Session) -> Session:
        notes = session.notes
        if note:
            added = Note(note, timestamp_after(session.last_access))
            notes = (*notes, added)[-_MOST_NOTES:]
        return replace(session, notes=notes, next=next_step or session.next)

    session, started = open_or_start(workspace)
    session = update_session(workspace.sessions, workspace.paths, session.id, add)
    sync_session(workspace)
    write_due_checkpoint(workspace)
    return {
        "session": session.id,
        "started": started,
        "note": note or None,
        "next": session.next or None,
    }


def touch(workspace: Workspace, start: str, names: Sequence[str], role: Role) -> Json:
    """Add read or written files to the open session; `names` are paths relative to the
    folder `start`.

    Raises: the errors of `add_to_working_set`.
    """
    answer = add_to_working_set(workspace, start, names, role)
    sync_session(workspace)  # the working set is a signal of the related files
    return answer


def step(workspace: Workspace, number: int | None) -> Json:
    """Go to a step of the workflow, by default to the next one.

    Raises: NoOpenSession, Invalid without a workflow or if the workflow has no such
    step.
    """
    session = find_open(workspace.sessions)
    steps = _steps_of(workspace.paths, session)
    wanted = session.current_step + 1 if number is None else number
    if not 1 <= wanted <= len(steps):
        problem = (
            "there is no further step"
            if number is None
            else f"there is no step {number}"
        )
        hint = f"{session.workflow} has the steps 1 to {len(steps)}; `cuedeck session close` closes the session"
        raise Invalid(
            f"{problem}: the session is at step {session.current_step} of {len(steps)}",
            hint=hint,
        )
    session = update_session(
        workspace.sessions,
        workspace.paths,
        session.id,
        lambda known: replace(known, current_step=wanted),
    )
    sync_session(workspace)
    return _step_row(session, steps)


def current_step(sessions: SessionFiles, paths: WorkspacePaths) -> Json:
    """Return the current workflow step of the open session.

    Raises: NoOpenSession, Invalid without a workflow or if the workflow has no such
    step.
    """
    session = find_open(sessions)
    steps = _steps_of(paths, session)
    if not 1 <= session.current_step <= len(steps):
        hint = f"{session.workflow} has the steps 1 to {len(steps)}: cuedeck session step set 1"
        raise Invalid(
            f"the session is at step {session.current_step}, which the workflow does not have",
            hint=hint,
        )
    return _step_row(session, steps)


def _steps_of(paths: WorkspacePaths, session: Session) -> Sequence[Step]:
    if not session.workflow:
        raise Invalid(
            f"session {session.id} has no workflow, so it has no steps",
            hint="close it and start one with steps: cuedeck session start --workflow feature-development",
        )
    return load_workflow(paths, session.workflow)


def _step_row(session: Session, steps: Sequence[Step]) -> Json:
    current = steps[session.current_step - 1]
    return {
        "session": session.id,
        "step": session.current_step,
        "of": len(steps),
        "name": current.name,
        "text": current.text or None,
        "budget": current.budget or None,
    }


def close(workspace: Workspace, text: str = "", identity: str = "") -> Json:
    """Close the open session with a last checkpoint; `identity`, if given, must name
    it.

    Raises: NoOpenSession, Invalid for a session that is not open.
    """
    if identity:
        session = find_session(workspace.paths, workspace.sessions, identity)
        hint = f"cuedeck resume {quoted(session.id)}"
        if session.status == "closed":
            raise Invalid(f"session {session.id} is already closed", hint=hint)
        if session.id != find_open(workspace.sessions).id:
            raise Invalid(f"session {session.id} is not the open session", hint=hint)
    made = checkpoint(workspace, text)
    # In this order a crash leaves an open session without pointer, which `find_open`
    # finds again.
    workspace.sessions.point_at("")
    session = update_session(
        workspace.sessions,
        workspace.paths,
        made["session"],
        lambda known: replace(known, status="closed"),
    )
    return {
        "session": session.id,
        "status": session.status,
        "working_set": len(session.working_set),
    }


def record_progress(workspace: Workspace, text: str, state: State) -> Json:
    """Record an item as done, doing or to do. A prefix that fits exactly one open item
    names that item.

    A session is started if none is open. Raises: Invalid for an empty text.
    """
    wanted = stored_line(workspace, text, "text")

    def add(session: Session) -> Session:
        known = find(gather(session.progress, boxes), wanted)
        name = unnumbered(known.text) if known else wanted
        items = record(
            session.progress,
            name,
            state,
            timestamp_after(session.last_access),
        )
        return replace(session, progress=items)

    session, started = open_or_start(workspace)
    workspace.refresh()
    boxes = card_boxes(workspace.index, workspace.paths, session.card, workspace.mask)
    session = update_session(workspace.sessions, workspace.paths, session.id, add)
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


def list_progress(workspace: Workspace) -> Json:
    """Return the items of the open session with the checkboxes of its card, and before
    them the checkboxes of the active card if that is another one.
    """
    workspace.refresh()
    session = open_session(workspace.sessions)
    active = active_card(workspace.index, workspace.paths)
    parts: dict[str, tuple[Item, ...]] = {active: ()}
    if session is not None:
        if not session.card and not session.progress:
            parts.pop("", None)
        parts[session.card] = session.progress
    rows: list[Json] = []
    cards: list[Json] = []
    opened = session.id if session else None
    index, mask = workspace.index, workspace.answer_mask
    for card, progress in parts.items():
        for each in gather(progress, card_boxes(index, workspace.paths, card, mask)):
            row = {"text": each.text, "state": each.state, "line": line(each)}
            rows.append({**row, "card": card or None})
        if card:
            title = card_title(index, card) or None
            is_own = session is not None and session.card == card
            own = opened if is_own else None
            cards.append(
                {"id": card, "title": title, "active": card == active, "session": own}
            )
    return {"session": opened, "cards": cards, "progress": rows}
