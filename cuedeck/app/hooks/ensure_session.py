"""The session that the work of an agent belongs to: gone on with where there is one, else begun."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from cuedeck.app.sessions.open_session import FAMILY, AlreadyOpen, NoOpenSession, find_open
from cuedeck.store.fs.file_lock import locked

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace
    from cuedeck.model.session import Session

_PATIENCE_SECONDS = 1.0


class EnsuredSession(NamedTuple):
    """A session that was gone on with or begun."""

    answer: dict[str, Any]
    """What `resume` says of it."""
    is_new: bool


def begin(project: Workspace) -> EnsuredSession:
    """Go on with the open session, or the last one on the active card, else begin one.

    An open session on another card than the active one is closed: no hook changes which card is active.
    Raises: Locked, StorageError.
    """
    from cuedeck.app.sessions.resume_session import resume  # the end of a turn finds a session that is open
    from cuedeck.app.sessions.start_session import active_card, start_session

    check_free(project)
    project.refresh()
    card, opened = active_card(project), _opened(project)
    if opened is not None and card and opened.card != card:
        from cuedeck.app.sessions.session_notes import close

        with suppress(NoOpenSession):  # others closed it meanwhile
            close(project)
        opened = None
    of_card = [each for each in project.sessions.every() if each.card == card] if opened is None else [opened]
    last = max(of_card, key=lambda each: each.last_access, default=None)
    try:
        if last is not None:
            return EnsuredSession(resume(project, last.id), False)
        return EnsuredSession(resume(project, start_session(project)["session"]), True)
    except AlreadyOpen:  # others began one meanwhile
        return EnsuredSession(resume(project), False)


def ensure_open(project: Workspace) -> None:
    """Have a session open. Raises: Locked, StorageError."""
    check_free(project)
    if _opened(project) is None:
        begin(project)


def _opened(project: Workspace) -> Session | None:
    try:
        return find_open(project)
    except NoOpenSession:
        return None


def check_free(project: Workspace) -> None:
    """Give up early where somebody keeps the lock of the sessions: an agent waits. Raises: Locked."""
    with locked(project.workspace, FAMILY, _PATIENCE_SECONDS):
        return
