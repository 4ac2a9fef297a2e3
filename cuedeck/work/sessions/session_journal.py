"""The record that a watcher keeps for the open session: written files, and periodic
checkpoints.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from cuedeck.context.scene.scene_report import report_of
from cuedeck.engine.open_session import open_session, timestamp_after, update_session
from cuedeck.store.files.file_events import HEAD
from cuedeck.work.sessions.checkpoint import is_due, write_due_checkpoint
from cuedeck.work.sessions.scene_context import (
    context_of_report,
    failing_assumptions,
    with_context,
)
from cuedeck.work.sessions.session_working_set import (
    hash_on_disk,
    keep_file_versions,
    paths_without_secrets,
    with_touched_files,
)

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.model.scene_values import Scene
    from cuedeck.model.session import Session


class SessionJournal:
    """Buffer of written files, so that no save waits for the session file; `keep`
    writes the buffer.
    """

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._written: dict[str, None] = {}
        self._has_changes = False
        """Whether anything may have changed since the last checkpoint."""
        self._scene: Scene | None = None
        self._has_unchecked_assumptions = False
        """Whether no check of the assumptions followed the last scene."""

    def note(self, paths: Collection[str], scene: Scene) -> None:
        """Buffer the paths of written and deleted files, and the scene built after
        them.

        Files written by a git checkout are left out, because they are no work of this
        session.
        """
        if HEAD not in paths:
            self._written.update(dict.fromkeys(paths))
        self._scene = scene
        self._has_unchecked_assumptions = True
        self._has_changes = True

    def keep(self) -> bool:
        """Write the buffer to the open session, and a checkpoint if one is due; return
        whether there was one.

        Before that, check the assumptions, with or without an open session.
        """
        if self._has_unchecked_assumptions:
            self._has_unchecked_assumptions = False
            failing_assumptions(self._workspace)
        session = (
            open_session(self._workspace.sessions)
            if self._written or self._has_changes
            else None
        )
        if session is None:
            self._written.clear()
            return False
        if self._written or (
            self._scene is not None and self._scene.receipt != session.receipt
        ):
            self._add_written(
                session, paths_without_secrets(self._workspace, self._written)
            )
            self._written.clear()
        if self._has_changes and is_due(self._workspace.settings.session, session):
            self._has_changes = False
            return write_due_checkpoint(self._workspace)
        return False

    def _add_written(self, session: Session, paths: list[str]) -> None:
        assert self._scene is not None
        hashes = {path: hash_on_disk(self._workspace.paths, path) for path in paths}
        context = context_of_report(
            self._workspace, report_of(self._scene, self._workspace.index)
        )

        def add(known: Session) -> Session:
            now = timestamp_after(known.last_access)
            known = with_touched_files(known, paths, "write", now, hashes)
            return with_context(known, context)

        keep_file_versions(
            self._workspace.index,
            self._workspace.paths,
            {path: hashes[path] for path in paths},
        )
        update_session(self._workspace, session.id, add)
