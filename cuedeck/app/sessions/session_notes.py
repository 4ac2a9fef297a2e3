"""What is said to the open session: notes, what is next, its step, its files, its end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from cuedeck.app.mask_answers import mask_to_keep
from cuedeck.app.sessions.checkpoint import catch_up, checkpoint
from cuedeck.app.sessions.open_session import change, find_open, find_session, later, require_one_line
from cuedeck.app.sessions.session_working_set import hash_on_disk, path_of, speakable, take_in
from cuedeck.app.sessions.start_session import opened
from cuedeck.app.sessions.sync_scene import settle
from cuedeck.model.display import quoted
from cuedeck.model.errors import Invalid
from cuedeck.model.session import Note, Role, Session
from cuedeck.records.working_set import checksum
from cuedeck.store.ledgers.workflow_files import load_workflow

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace
    from cuedeck.parse.workflow_file import Step

_KEPT = 500
"""Notes of one session."""


def add_note(project: Workspace, text: str, following: str = "") -> dict[str, Any]:
    """Note what was done, and with `following` what is next; a session is begun where none is open.

    Raises: Invalid for an empty note.
    """
    if not text.strip() and not following.strip():
        require_one_line(text, "note")
    said = require_one_line(mask_to_keep(text, project), "note") if text.strip() else ""
    after = require_one_line(mask_to_keep(following, project), "next step") if following.strip() else ""

    def act(session: Session) -> Session:
        notes = (*session.notes, Note(said, later(session.last_access)))[-_KEPT:] if said else session.notes
        return replace(session, notes=notes, next=after or session.next)

    session, started = opened(project)
    session = change(project, session.id, act)
    settle(project)
    catch_up(project)
    return {"session": session.id, "started": started, "note": said or None, "next": session.next or None}


def touch(project: Workspace, start: str, names: Sequence[str], role: Role) -> dict[str, Any]:
    """Note files that were read or written, as they are now; paths as seen from the folder `start`.

    Raises: NoOpenSession, Invalid for a folder or a file outside the workspace.
    """
    session = find_open(project)
    paths = [path_of(project, start, name) for name in names]
    if speakable(project, paths) != paths:
        raise Invalid("a file name contains a secret", hint="rename the file; nothing was recorded")
    hashes = {path: hash_on_disk(project, path) for path in paths}
    gone = next((path for path in paths if not hashes[path]), "") if role == "read" else ""
    if gone:
        raise Invalid(f"there is no file {gone}", hint="give an existing path without an anchor")

    def act(known: Session) -> Session:
        known = take_in(project, known, paths, role, later(known.last_access), hashes)
        # What the scene says does not change by it, so the receipt is the one that is known.
        working = {path: each.hash for path, each in known.working_set.items()}
        return replace(known, context_checksum=checksum(working, known.receipt))

    session = change(project, session.id, act)
    touched = [{"path": path, "role": session.working_set[path].role} for path in paths]
    return {"session": session.id, "touched": touched, "working_set": len(session.working_set)}


def step(project: Workspace, number: int | None) -> dict[str, Any]:
    """Go to a step of the workflow, by default the next one.

    Raises: NoOpenSession, Invalid without a workflow or for a step it does not have.
    """
    session = find_open(project)
    steps = _steps_of(project, session)
    wanted = session.current_step + 1 if number is None else number
    if not 1 <= wanted <= len(steps):
        said = "that was the last step" if number is None else f"there is no step {number}"
        hint = f"{session.workflow} has the steps 1 to {len(steps)}; `cuedeck session close` closes the session"
        raise Invalid(f"{said}: the session is at step {session.current_step} of {len(steps)}", hint=hint)
    session = change(project, session.id, lambda known: replace(known, current_step=wanted))
    settle(project)
    return _step_row(session, steps)


def current_step(project: Workspace) -> dict[str, Any]:
    """Return the step of the workflow at which the open session is.

    Raises: NoOpenSession, Invalid without a workflow or at a step it no longer has.
    """
    session = find_open(project)
    steps = _steps_of(project, session)
    if not 1 <= session.current_step <= len(steps):
        hint = f"{session.workflow} has the steps 1 to {len(steps)}: cuedeck session step set 1"
        raise Invalid(f"the session is at step {session.current_step}, which the workflow does not have", hint=hint)
    return _step_row(session, steps)


def _steps_of(project: Workspace, session: Session) -> Sequence[Step]:
    if not session.workflow:
        raise Invalid(
            f"session {session.id} has no workflow, so it has no steps",
            hint="close it and begin one with steps: cuedeck session start --workflow feature-development",
        )
    return load_workflow(project.workspace, session.workflow).steps


def _step_row(session: Session, steps: Sequence[Step]) -> dict[str, Any]:
    now = steps[session.current_step - 1]
    return {
        "session": session.id,
        "step": session.current_step,
        "of": len(steps),
        "name": now.name,
        "text": now.text or None,
        "budget": now.budget or None,
    }


def close(project: Workspace, text: str = "", identity: str = "") -> dict[str, Any]:
    """End a session with a last checkpoint. Raises: NoOpenSession, Invalid when it is closed already."""
    if identity:
        session = find_session(project, identity)
        if session.status == "closed":
            raise Invalid(f"session {session.id} is closed already", hint=f"cuedeck resume {quoted(session.id)}")
        if session.id != find_open(project).id:
            raise Invalid(f"session {session.id} is not the open session", hint=f"cuedeck resume {quoted(session.id)}")
    made = checkpoint(project, text)
    # In this order: an open session that nobody points at is found again, whatever comes between.
    project.sessions.point_at("")
    session = change(project, made["session"], lambda known: replace(known, status="closed"))
    return {"session": session.id, "status": session.status, "working_set": len(session.working_set)}
