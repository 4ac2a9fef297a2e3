"""What a watcher notes for the open session: files written, and a checkpoint every few minutes."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from cuedeck.app.scene.scene_report import report_of
from cuedeck.app.sessions.checkpoint import catch_up, is_due
from cuedeck.app.sessions.open_session import change, later, open_session
from cuedeck.app.sessions.session_working_set import hash_on_disk, speakable, take_in
from cuedeck.app.sessions.sync_scene import context_of, session_assumptions, with_context
from cuedeck.store.fs.file_events import HEAD

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace
    from cuedeck.model.scene_values import Scene
    from cuedeck.model.session import Session


class SessionJournal:
    """Gathers what is written, so that no save waits for it; `keep` puts it on disk."""

    def __init__(self, project: Workspace) -> None:
        self._project = project
        self._written: dict[str, None] = {}
        self._news = False
        """True when something may have changed since the last checkpoint."""
        self._scene: Scene | None = None
        self._unchecked = False
        """True when assumptions were not looked at since the last scene."""

    def note(self, paths: Collection[str], scene: Scene) -> None:
        """Take note of files that were written or went away, and of the scene that followed.

        A checkout writes files, too; nobody worked on them.
        """
        if HEAD not in paths:
            self._written.update(dict.fromkeys(paths))
        self._scene = scene
        self._unchecked = True
        self._news = True

    def keep(self) -> bool:
        """Write what was noted into the open session, and a checkpoint when it is due; tell whether there was one.

        Assumptions are looked at first, whether a session is open or not.
        """
        if self._unchecked:
            self._unchecked = False
            session_assumptions(self._project)
        session = open_session(self._project) if self._written or self._news else None
        if session is None:
            self._written.clear()
            return False
        if self._written:
            self._take(session, speakable(self._project, self._written))
            self._written.clear()
        if self._news and is_due(self._project, session):
            self._news = False
            return catch_up(self._project)
        return False

    def _take(self, session: Session, paths: list[str]) -> None:
        hashes = {path: hash_on_disk(self._project, path) for path in paths}
        assert self._scene is not None
        context = context_of(self._project, report_of(self._scene, self._project.index))

        def act(known: Session) -> Session:
            return with_context(
                take_in(self._project, known, paths, "write", later(known.last_access), hashes), context
            )

        change(self._project, session.id, act)
