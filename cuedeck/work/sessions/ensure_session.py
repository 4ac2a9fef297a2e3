"""The session of the work of an agent: resumed if there is one, else started."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.engine.open_session import FAMILY, AlreadyOpen, NoOpenSession, find_open
from cuedeck.store.files.file_lock import locked

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.ledger.session_files import SessionFiles
    from cuedeck.model.ports import Json
    from cuedeck.model.session import Session
    from cuedeck.store.workspace_paths import WorkspacePaths

_PATIENCE_SECONDS = 1.0


class EnsuredSession(NamedTuple):
    """A session that was resumed or started."""

    answer: Json
    """Answer of `resume`."""
    is_new: bool


def resume_or_start(workspace: Workspace) -> EnsuredSession:
    """Resume the open session, else the last session of the active card; start one if
    there is neither.

    An open session of another card is closed, because a hook never changes the active
    card. Raises: Locked, StorageError.
    """
    # At the end of a turn the session is nearly always open, so `ensure_open` does
    # without these modules.
    from cuedeck.work.sessions.resume_session import resume
    from cuedeck.work.sessions.session_notes import close
    from cuedeck.work.sessions.start_session import active_card, start_session

    check_lock(workspace.paths)
    workspace.refresh()
    card = active_card(workspace.index, workspace.paths)
    session = _find_open(workspace.sessions)
    if session is not None and card and session.card != card:
        with suppress(NoOpenSession):  # another process closed it meanwhile
            close(workspace)
        session = None
    if session is None:
        elsewhere = workspace.sessions.pointed_elsewhere()
        of_card = (
            each
            for each in workspace.sessions.every()
            if each.card == card and each.id not in elsewhere
        )
        session = max(of_card, key=lambda each: each.last_access, default=None)
    try:
        if session is not None:
            return EnsuredSession(resume(workspace, session.id), False)
        return EnsuredSession(
            resume(workspace, start_session(workspace)["session"]), True
        )
    except AlreadyOpen:  # another process started one meanwhile
        return EnsuredSession(resume(workspace), False)


def ensure_open(workspace: Workspace) -> None:
    """Resume or start a session unless one is open. Raises: Locked, StorageError."""
    check_lock(workspace.paths)
    if _find_open(workspace.sessions) is None:
        resume_or_start(workspace)


def check_lock(paths: WorkspacePaths) -> None:
    """Raise Locked if another process holds the lock of the sessions for more than a
    second: an agent waits.
    """
    with locked(paths, FAMILY, _PATIENCE_SECONDS):
        return


def _find_open(sessions: SessionFiles) -> Session | None:
    try:
        return find_open(sessions)
    except NoOpenSession:
        return None
