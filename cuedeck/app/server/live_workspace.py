"""A workspace whose index follows the events of the file system: to bring it up to date costs what changed."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from cuedeck.app.workspace import Workspace
from cuedeck.model.paths import ACTIVE, CONFIG
from cuedeck.store.fs.change_tracker import ChangeTracker
from cuedeck.store.fs.disk import read_bytes
from cuedeck.store.fs.file_events import HEAD, MANY

if TYPE_CHECKING:
    from cuedeck.model.file import Secret
    from cuedeck.model.ports import Progress
    from cuedeck.store.fs.tree import Changed
    from cuedeck.store.workspace_paths import WorkspacePaths

_PATIENCE_SECONDS = 1.0
"""For the event of a mark of ours; after it the whole tree is looked at."""
_DOUBT_SECONDS = 0.2
"""Time in which files may come into a new folder before the system watches it."""
_MOST_KEPT = 64
_LONG = 1_000
"""Characters from which on a text is not a label."""

Answer = TypeVar("Answer")


class News(NamedTuple):
    """What changed since somebody last asked."""

    paths: tuple[str, ...]
    """Sorted, also of files that are not in the index."""
    files: tuple[str, ...]
    """Those whose content is new or different, or which are gone, and HEAD."""
    listing: bool
    """True when files came or went, or go by other names."""


class LiveWorkspace(Workspace):
    """The open workspace of a server. All of it belongs to one thread."""

    def __init__(self, workspace: WorkspacePaths, environ: Mapping[str, str], wake: Callable[[], None]) -> None:
        super().__init__(workspace, environ)
        self.progress: Progress | None = None
        """Is told how far a look at the whole tree has come."""
        self._following = ChangeTracker(workspace, HEAD, wake)
        self._is_followed = False
        self._looked = False
        """True once the whole tree was looked at."""
        self._is_called = False
        """True when a call has begun that has not looked at the files yet."""
        self._doubt_until = 0.0
        """Until then, and once after, the whole tree is looked at; 0 without doubt."""
        self._touched: dict[str, None] = {}
        self._files: dict[str, None] = {}
        self._names: object = None
        self._answers: dict[object, tuple[object, Any]] = {}
        self._searched: dict[tuple[str, str], Sequence[Secret]] = {}

    def follow(self) -> bool:
        """Begin to follow events; False when the system does not send any, and every look is at the whole tree."""
        self._is_followed = self._following.start()
        return self._is_followed

    def begin_call(self) -> None:
        """Have the next look see everything that was written before now."""
        self._is_called = True

    def refresh(self, progress: Progress | None = None) -> Changed:
        """Bring the index up to date. Raises: StorageError, ConfigurationError."""
        try:
            changed = self._look(progress or self.progress)
        except BaseException:
            self._looked = False  # what was told is not taken in
            raise
        files = dict.fromkeys((*changed.written, *changed.gone))
        self._touched.update(files)
        self._files.update(files)
        return changed

    def take_news(self) -> News:
        """Return what changed since the last time."""
        touched, self._touched = self._touched, {}
        files, self._files = self._files, {}
        names, self._names = self._names, self.index.names
        return News(tuple(sorted(touched)), tuple(sorted(files)), names is not self._names)

    @property
    def has_news(self) -> bool:
        """Tell whether anything changed since `take_news`."""
        return bool(self._touched)

    def kept(self, question: object, below: str, make: Callable[[], Answer]) -> Answer:
        """Return the answer to a question about the files below a folder, the settings and the active card.

        It is made anew when any of these changed. Raises: whatever `make` raises, StorageError.
        """
        self.refresh()
        files = [(path, self.index.hash(path)) for path in self.index.folder(below)]
        state = (files, self.config, read_bytes(self.workspace.active))
        known = self._answers.get(question)
        if known is None or known[0] != state:
            if len(self._answers) >= _MOST_KEPT:
                self._answers.clear()
            known = self._answers[question] = (state, make())
        answer: Answer = known[1]
        return answer

    def find_secrets(self, text: str) -> Sequence[Secret]:
        """Return where `text` holds secrets; answers are given again and again, so the last long texts are kept."""
        if len(text) <= _LONG:
            return super().find_secrets(text)
        key = (self.secret_rules, text)
        if key not in self._searched:
            if len(self._searched) >= _MOST_KEPT:
                self._searched.clear()
            self._searched[key] = super().find_secrets(text)
        return self._searched[key]

    def close(self) -> None:
        """Let go of everything."""
        self._following.stop()
        super().close()

    def _look(self, progress: Progress | None) -> Changed:
        if not self._is_followed:
            return super().refresh(progress)
        was_called, self._is_called = self._is_called, False
        paths = self._following.settled(_PATIENCE_SECONDS) if was_called else self._following.pending()
        self._note(paths or ())
        if CONFIG in (paths or ()):
            self.forget_settings()
        if paths is None or CONFIG in paths or self._is_in_doubt() or not self._looked:
            changed = super().refresh(progress)
            self._looked = True
            return changed
        return self.tree.refresh_paths(path for path in paths if path not in (ACTIVE, HEAD))

    def _note(self, paths: Iterable[str]) -> None:
        found = dict.fromkeys(paths)
        self._touched.update(found)
        self._files.update(dict.fromkeys(found.keys() & {HEAD}))
        if len(found) >= MANY or any(os.path.isdir(self.workspace.absolute(path)) for path in found):
            self._doubt_until = time.monotonic() + _DOUBT_SECONDS

    def _is_in_doubt(self) -> bool:
        doubt = self._doubt_until
        if doubt and time.monotonic() > doubt:
            self._doubt_until = 0.0
        return bool(doubt)
