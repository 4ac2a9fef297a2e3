"""Workspace with an index that follows file-system events: the cost of a refresh is
proportional to the change.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from cuedeck.engine.workspace import OpenLedgers, Workspace
from cuedeck.model.errors import ConfigurationError
from cuedeck.model.paths import ACTIVE, CONFIG, CORTEX, HOME
from cuedeck.store.files.change_tracker import ChangeTracker
from cuedeck.store.files.disk import LARGEST_POINTER, LARGEST_TOML, look_at
from cuedeck.store.files.file_events import HEAD, MANY

if TYPE_CHECKING:
    from cuedeck.model.ports import Progress
    from cuedeck.model.secret import Secret
    from cuedeck.store.files.tree import Changed
    from cuedeck.store.workspace_paths import WorkspacePaths

_PATIENCE_SECONDS = 1.0
"""Time to wait for the event of the tracker's own marker file; after it the whole tree
is scanned.
"""
_DOUBT_SECONDS = 0.2
"""Time in which files may enter a new folder before the system watches it."""
_MOST_KEPT = 64
_LONG = 1_000
"""Number of characters above which a text is not a label and its secrets are cached."""

Answer = TypeVar("Answer")


class News(NamedTuple):
    """Changes since the last call of `take_news`."""

    paths: tuple[str, ...]
    """Changed paths, sorted; includes files that are not in the index."""
    files: tuple[str, ...]
    """New, changed and deleted indexed files, and HEAD."""
    listing: bool
    """Whether files were added, deleted or renamed."""


class LiveWorkspace(Workspace):
    """Open workspace of a server. All of it belongs to one thread."""

    def __init__(
        self,
        paths: WorkspacePaths,
        environ: Mapping[str, str],
        open_ledgers: OpenLedgers,
        wake: Callable[[], None],
    ) -> None:
        super().__init__(paths, environ, open_ledgers)
        self.progress: Progress | None = None
        """Callback for the progress of a full scan."""
        self._following = ChangeTracker(paths, HEAD, wake)
        self._is_followed = False
        self._looked = False
        """Whether the whole tree was scanned."""
        self._is_called = False
        """Whether a call has begun that has not refreshed the index yet."""
        self._settings_fault: ConfigurationError | None = None
        """Why the present `config.toml` is not used, but the last valid one."""
        self._doubt_until = 0.0
        """Time until which, and once after it, the whole tree is scanned; 0 if no event
        may have been missed.
        """
        self._touched: dict[str, None] = {}
        self._files: dict[str, None] = {}
        self._cortex: set[str] | None = None
        """Changed paths of the cortex tree; None if they are not known."""
        self._is_exact = False
        """Whether the last call received all earlier events."""
        self._names: object = None
        self._answers: dict[object, tuple[object, Any]] = {}
        self._searched: dict[tuple[str, str], Sequence[Secret]] = {}

    def follow(self) -> bool:
        """Start following events; return False if the system sends none, so that every
        refresh scans the whole tree.

        A folder without `.cuedeck/` is not followed, because it has no place for the
        files that mark a call.
        """
        self._is_followed = self.paths.is_initialised and self._following.start()
        return self._is_followed

    def begin_call(self) -> None:
        """Make the next refresh see everything that was written before now."""
        self._is_called = True
        self.is_refreshed = False

    def refresh(self, progress: Progress | None = None) -> Changed:
        """Update the index. Raises: StorageError, ConfigurationError."""
        changed = self._refresh(progress)
        if self._settings_fault is not None:
            raise self._settings_fault.with_traceback(None)
        return changed

    def refresh_for_recall(self) -> tuple[str, ...]:
        """Update the index, with the last valid settings if `config.toml` has become
        invalid; return a note about it.

        Raises: StorageError, ConfigurationError if no settings were valid yet.
        """
        self._refresh(None)
        fault = self._settings_fault
        if fault is None:
            return ()
        return (f"the last valid settings are used: {fault.message}",)

    def _refresh(self, progress: Progress | None) -> Changed:
        try:
            changed = self._look(progress or self.progress)
        except BaseException:
            self._looked = False  # the events were consumed but not applied
            raise
        files = dict.fromkeys((*changed.written, *changed.gone))
        self._touched.update(files)
        self._files.update(files)
        return changed

    def take_news(self) -> News:
        """Return the changes since the last call."""
        touched, self._touched = self._touched, {}
        files, self._files = self._files, {}
        names, self._names = self._names, self.index.names
        return News(
            tuple(sorted(touched)), tuple(sorted(files)), names is not self._names
        )

    def take_cortex_changes(self) -> Collection[str] | None:
        """Return the paths of the cortex tree that changed since the last call.

        None if the index was not refreshed since the present call began, or if events
        may have been missed.
        """
        if self._is_called or not self._is_exact:
            self._cortex = None
            return None
        changed, self._cortex = self._cortex, set()
        return changed

    @property
    def has_news(self) -> bool:
        """Whether anything changed since `take_news`."""
        return bool(self._touched)

    def kept(self, question: object, below: str, make: Callable[[], Answer]) -> Answer:
        """Return the cached answer to a question about the files below a folder, the
        settings and the active card.

        `make` computes it again if any of these changed.
        Raises: errors of `make`, StorageError.
        """
        self.refresh()
        files = []
        for path in self.index.folder(below):
            files.append((path, self.index.hash(path)))
        values = self.index.value_rows()
        active = look_at(self.paths.active, LARGEST_POINTER)
        state = (files, self.config, active, values)
        known = self._answers.get(question)
        if known is None or known[0] != state:
            if len(self._answers) >= _MOST_KEPT:
                self._answers.clear()
            known = self._answers[question] = (state, make())
        answer: Answer = known[1]
        return answer

    def find_secrets(self, text: str) -> Sequence[Secret]:
        """Return the secrets in `text`. Results for the last long texts are cached,
        because answers repeat.
        """
        if len(text) <= _LONG:
            return super().find_secrets(text)
        key = (self.masking_rules, text)
        if key not in self._searched:
            if len(self._searched) >= _MOST_KEPT:
                self._searched.clear()
            self._searched[key] = super().find_secrets(text)
        return self._searched[key]

    def close(self) -> None:
        """Stop following events and close the workspace."""
        self._following.stop()
        super().close()

    def _look(self, progress: Progress | None) -> Changed:
        if not self._is_followed:
            self._is_exact = False
            self._reload_if_config_differs()
            return super().refresh(progress)
        was_called, self._is_called = self._is_called, False
        paths = (
            self._following.settled(_PATIENCE_SECONDS)
            if was_called
            else self._following.pending()
        )
        if was_called or paths is None:
            self._is_exact = paths is not None
        self._note(paths or ())
        if CONFIG in (paths or ()):
            self._reload_settings()
        if paths is None or CONFIG in paths or self._is_in_doubt() or not self._looked:
            self._cortex = None
            changed = super().refresh(progress)
            self._looked = True
            return changed
        if self._cortex is not None:
            self._cortex.update(filter(_is_of_cortex, paths))
        self.is_refreshed = True
        return self.tree.refresh_paths(
            path for path in paths if path not in (ACTIVE, HEAD)
        )

    def _reload_if_config_differs(self) -> None:
        """Read the settings again if `config.toml` is not as it was read."""
        known = self.__dict__.get("config")
        if known is None:
            return
        present = look_at(self.paths.config, LARGEST_TOML)
        if present != known or self._settings_fault is not None:
            self._reload_settings()

    def _reload_settings(self) -> None:
        """Read the settings again; keep the last valid ones if they cannot be used.

        Raises: ConfigurationError if there are no valid ones.
        """
        known: dict[str, Any] = {}
        for name in ("config", "settings"):
            if name in self.__dict__:
                known[name] = self.__dict__[name]
        self.forget_settings()
        self._settings_fault = None
        try:
            self.settings  # noqa: B018 - parses the file
        except ConfigurationError as error:
            self.__dict__.pop("config", None)
            if "settings" not in known:
                raise
            self.__dict__.update(known)
            self._settings_fault = error

    def _note(self, paths: Iterable[str]) -> None:
        found = dict.fromkeys(paths)
        self._touched.update(found)
        self._files.update(dict.fromkeys(found.keys() & {HEAD}))
        if len(found) >= MANY or any(
            os.path.isdir(self.paths.absolute(path)) for path in found
        ):
            self._doubt_until = time.monotonic() + _DOUBT_SECONDS

    def _is_in_doubt(self) -> bool:
        doubt = self._doubt_until
        if doubt and time.monotonic() > doubt:
            self._doubt_until = 0.0
        return bool(doubt)


def _is_of_cortex(path: str) -> bool:
    """Return whether an event of a path may concern files of the cortex tree."""
    return path.startswith(f"{CORTEX}/") or path in (CORTEX, HOME)
