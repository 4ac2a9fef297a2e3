"""Lists and details of sessions as JSON."""

from __future__ import annotations

import json
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from cuedeck.agents.hooks.process_pending import process_hook_events
from cuedeck.engine.open_session import (
    NoOpenSession,
    card_boxes,
    card_title,
    find_open,
    find_session,
    open_session,
    step_position,
)
from cuedeck.knowledge.cortex.change_cortex_session import list_cortex_sessions
from cuedeck.ledger.session_codec import format_session
from cuedeck.ledger.sessions.progress_items import (
    gather,
    last_action,
    line,
    next_action,
)
from cuedeck.model.secret import Word, as_words
from cuedeck.model.session import Session

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.ledger.session_files import SessionFiles
    from cuedeck.model.ports import Json, JsonView
    from cuedeck.store.workspace_paths import WorkspacePaths

_NO_TIMELINE: JsonView = MappingProxyType(
    {
        "address": None,
        "created_at": None,
        "updated_at": None,
        "closed_at": None,
        "message_count": 0,
        "uncommitted": 0,
        "participants": [],
        "tags": [],
        "description": None,
        "user_id": None,
        "agent_id": None,
        "original_id": None,
        "hosts": [],
    }
)
"""Keys of a row of a session without a timeline."""
_KEYED_BY_PATH = ("workingSet", "shown", "dirty")
"""Fields of a session whose keys are paths."""


def list_sessions(workspace: Workspace) -> Json:
    """Return every session, the last used first, and the problems of corrupt session
    files.

    A session of the workspace and the timeline with its id are one row; a timeline
    without such a session has a row of its own.
    """
    files = workspace.sessions
    opened = open_session(workspace.sessions)
    open_id = opened.id if opened else None
    faults: list[Json] = []
    for identity in files.ids():
        faults += [fault._asdict() for fault in files.load(identity).faults]
    timelines = {
        each["session"]: each for each in list_cortex_sessions(workspace.paths)
    }
    rows = []
    for each in files.every():
        timeline = timelines.pop(each.id, _NO_TIMELINE)
        row = {**_row(each), "open": each.id == open_id}
        rows.append({**row, **timeline, **row})
    # Keys of a row of a timeline without a session of the workspace.
    empty = {**_row(Session("", "", "")), "status": "", "open": False}
    for timeline in timelines.values():
        times = {
            "created": timeline["created_at"],
            "last_access": timeline["updated_at"],
        }
        rows.append({**empty, **timeline, **times})
    rows.sort(key=lambda each: (each["last_access"], each["session"]), reverse=True)
    return {"sessions": rows, "faults": faults}


def show_session(sessions: SessionFiles, paths: WorkspacePaths, text: str = "") -> Json:
    """Return the content of the file of a session, by default of the open one.

    Raises: NotFound, Ambiguous, NoOpenSession, StorageError.
    """
    files = sessions
    found = find_session(paths, files, text) if text else None
    session = found or _require_open(sessions)
    known = replace(session, rest={})
    value: Json = json.loads(format_session(known))
    value.pop("schema")
    for name in _KEYED_BY_PATH:
        value[name] = {Word(path): each for path, each in value[name].items()}
    rest: Json = as_words(session.rest)
    return value | rest


def status(workspace: Workspace) -> Json:
    """Process queued hook events and return the status of the open session. Raises:
    NoOpenSession, StorageError.
    """
    process_hook_events(workspace)
    return _status_of(workspace, find_open(workspace.sessions))


def read_status(workspace: Workspace) -> Json:
    """Return the status of the open session and write nothing. Raises:
    NoOpenSession.
    """
    return _status_of(workspace, _require_open(workspace.sessions))


def _require_open(sessions: SessionFiles) -> Session:
    session = open_session(sessions)
    if session is None:  # `find_open` would restore the pointer after a crash
        raise NoOpenSession
    return session


def _status_of(workspace: Workspace, session: Session) -> Json:
    workspace.refresh()
    mask = workspace.answer_mask
    boxes = card_boxes(workspace.index, workspace.paths, session.card, mask)
    items = gather(session.progress, boxes)
    at = step_position(workspace.paths, session)
    step = None
    if at:
        step = {"number": at.number, "of": at.of, "name": at.step.name}
    return {
        **_row(session),
        "title": card_title(workspace.index, session.card) or None,
        "step": step,
        "last_action": last_action(session) or None,
        "next": next_action(session) or None,
        "progress": [{**each._asdict(), "line": line(each)} for each in items],
        "working_set": [
            {"path": path, **each._asdict()}
            for path, each in session.working_set.items()
        ],
        "decisions": [each._asdict() for each in session.decisions],
        "attempts": list(session.attempts),
        "checkpoints": len(session.checkpoints),
    }


def _row(session: Session) -> Json:
    return {
        "session": session.id,
        "status": session.status,
        "card": session.card or None,
        "workflow": session.workflow or None,
        "branch": session.branch or None,
        "created": session.created_at,
        "last_access": session.last_access,
        "files": len(session.working_set),
        "checkpoints": len(session.checkpoints),
        "title": session.title or None,
    }
