"""Sessions that were left alone for long go to the archive."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cuedeck.app.sessions.open_session import FAMILY, minutes_since, open_session
from cuedeck.model.paths import SESSION_ARCHIVE
from cuedeck.store.fs.file_lock import locked

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace

_MINUTES_A_DAY = 24 * 60


def clean(project: Workspace, *, dry_run: bool = False) -> dict[str, Any]:
    """Archive the sessions whose last access is longer ago than the settings allow; never the open one.

    Raises: Locked, StorageError; what is not in the archive by then is still where it was.
    """
    files = project.sessions
    days = project.settings.session.keep_days
    with locked(project.workspace, FAMILY):
        session = open_session(project)
        kept = session.id if session else ""
        old = [
            each.id
            for each in files.every()
            if each.id != kept and minutes_since(each.last_access) > days * _MINUTES_A_DAY
        ]
        if not dry_run:
            from cuedeck.store.ledgers.session_archive import archive

            for identity in old:
                archive(project.workspace, files, identity)
    return {"removed": old, "archive": SESSION_ARCHIVE if old else None, "dry_run": dry_run, "keep_days": days}
