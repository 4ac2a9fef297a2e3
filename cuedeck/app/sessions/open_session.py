"""The open session, found and changed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from cuedeck.model.errors import Invalid, NotFound, StorageError, TooLong
from cuedeck.model.paths import HOME
from cuedeck.model.session import COMPRESS_KIB
from cuedeck.parse.plain_text import plain_line
from cuedeck.parse.timestamps import format_moment, moment_of
from cuedeck.store.clock import moment_after

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace
    from cuedeck.model.file import File
    from cuedeck.model.session import Session

_LONGEST = 4_000
"""Characters of what is said in one sentence."""
FAMILY = "sessions"
"""The lock of all session files."""


class NoOpenSession(NotFound):
    """No session is open."""

    def __init__(self) -> None:
        hint = "`cuedeck session start` starts one, `cuedeck resume` resumes the last"
        super().__init__("no session is open", hint=hint)


class AlreadyOpen(Invalid):
    """Another session is open."""

    def __init__(self, identity: str) -> None:
        hint = f"`cuedeck resume` resumes it, `cuedeck session close` closes it (session {identity})"
        super().__init__(f"a session is already open: {identity}", hint=hint)


def open_session(project: Workspace) -> Session | None:
    """Return the session that is open, without changing anything; its backup where its file is broken."""
    files = project.sessions
    identity = files.pointed()
    try:
        session = files.load(identity).session if identity else None
    except StorageError:
        return None
    return session if session is not None and session.status == "open" else None


def find_open(project: Workspace) -> Session:
    """Return the session that is open, also when a crash kept it from being pointed at. Raises: NoOpenSession."""
    session = open_session(project)
    if session is None:
        files = project.sessions
        # Of the older shapes none says that it is closed: only sessions that this program wrote are taken up again.
        left = [each for each in files.every() if each.status == "open" and each.receipt]
        session = max(left, key=lambda each: each.last_access, default=None)
        if session is None:
            raise NoOpenSession
        files.point_at(session.id)
    return session


def find_session(project: Workspace, text: str) -> Session:
    """Return the session that `text` names, also one in the archive.

    Raises: NotFound, Ambiguous, StorageError when it cannot be read.
    """
    from cuedeck.records.id_prefix import pick

    files = project.sessions
    try:
        identity = pick(text, files.ids(), "session")
    except NotFound:
        from cuedeck.store.ledgers.session_archive import archived

        past = {each.id: each for each in archived(project.workspace)}
        if not any(each.startswith(text.strip().removeprefix("session:")) for each in past):
            raise
        return past[pick(text, list(past), "session")]
    session = files.load(identity).session
    if session is None:
        hint = "its file is corrupt and has no valid backup; `cuedeck doctor` names both"
        raise StorageError(f"session {identity} cannot be read", hint=hint)
    return session


def change(project: Workspace, identity: str, act: Callable[[Session], Session]) -> Session:
    """Replace a session by what `act` makes of it, under the lock; it is on disk when this returns.

    An equal session is not written: the file of a session is an input of the scene, and a write starts a build.
    Raises: whatever `act` raises, with nothing written; Locked, StorageError.
    """
    from cuedeck.store.fs.file_lock import locked

    files = project.sessions
    with locked(project.workspace, FAMILY):
        session = files.load(identity).session
        if session is None:
            raise StorageError(f"session {identity} is gone", hint="`cuedeck session list` shows what there is")
        changed = act(session)
        if changed == session:
            return session
        changed = replace(changed, last_access=later(session.last_access))
        write(project, changed)
    return changed


def write(project: Workspace, session: Session) -> None:
    """Write a session; the caller holds the lock."""
    kib = project.settings.session.compress_kib if project.speaks_of("session") else COMPRESS_KIB
    project.sessions.write(session, kib * 1024)


def later(timestamp: str) -> str:
    """Return now, a little after `timestamp` at least."""
    before = moment_of(timestamp)
    return format_moment(moment_after([before] if before else []))


def minutes_since(timestamp: str) -> float:
    """Return the minutes that have passed since a moment; very many when it is none."""
    moment = moment_of(timestamp)
    return (datetime.now(UTC) - moment).total_seconds() / 60 if moment else float("inf")


def require_one_line(text: str, what: str) -> str:
    """Return a text, masked by the caller, on one line. Raises: Invalid when it says nothing, or too much."""
    line = plain_line(text)
    if not line:
        raise Invalid(f"the {what} is empty", hint="give a short text")
    if len(line) > _LONGEST:
        raise TooLong(f"the {what} must have at most {_LONGEST:,} characters, got {len(line):,}", hint="shorten it")
    return line


def card_file(project: Workspace, identity: str) -> File | None:
    """Return the file of a card; None when it is gone or nobody is named."""
    found = project.index.file(f"{HOME}/cards/{identity}.md") if identity else None
    return found if found is not None and found.card is not None else None


def card_title(project: Workspace, identity: str) -> str:
    """Return the title of a card; empty when it is gone or nobody is named."""
    found = card_file(project, identity)
    return found.card.title if found is not None and found.card is not None else ""
