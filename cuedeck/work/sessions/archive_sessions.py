"""Archiving of sessions that were not used for a long time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cuedeck.engine.open_session import FAMILY, minutes_since, open_session
from cuedeck.model.paths import SESSION_ARCHIVE
from cuedeck.store.files.file_lock import locked

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace

_MINUTES_A_DAY = 24 * 60


def clean(workspace: Workspace, *, dry_run: bool = False) -> dict[str, Any]:
    """Archive the sessions that were not accessed for `session.keep_days` days; never
    the open session, also not that of another worktree.

    A session is removed only after it is in the archive. Raises: Locked, StorageError.
    """
    days = workspace.settings.session.keep_days
    with locked(workspace.paths, FAMILY):
        session = open_session(workspace.sessions)
        opened = workspace.sessions.pointed_elsewhere()
        opened.add(session.id if session else "")
        removed = []
        for each in workspace.sessions.every():
            if (
                each.id not in opened
                and minutes_since(each.last_access) > days * _MINUTES_A_DAY
            ):
                removed.append(each.id)
        if not dry_run:
            for identity in removed:
                workspace.sessions.archive(identity)
    return {
        "removed": removed,
        "archive": SESSION_ARCHIVE if removed else None,
        "dry_run": dry_run,
        "keep_days": days,
    }
