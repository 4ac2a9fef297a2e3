"""Workspace with an index that follows file-system events: the cost of a refresh is
proportional to the change.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from cuedeck.engine.open_workspace import open_ledgers
from cuedeck.engine.workspace import Workspace
from cuedeck.model.errors import ConfigurationError
from cuedeck.model.paths import ACTIVE, CONFIG
from cuedeck.model.ports import Progress
from cuedeck.store.files.disk import LARGEST_TOML, look_at
from cuedeck.store.files.file_events import HEAD, MANY, FileEvents
from cuedeck.store.git.head import find_repository, history_key_of

if TYPE_CHECKING:
    from cuedeck.store.files.tree import Changed
    from cuedeck.store.workspace_paths import WorkspacePaths


_PATIENCE_SECONDS = 1.0
"""Time to wait for the event of a marker file; after it the whole tree is scanned."""
_DOUBT_SECONDS = 0.2
"""Time in which files may enter a new folder before the system watches it."""


class News(NamedTuple):
    """Changes since the last call of `take_news`."""

    paths: tuple[str, ...]
    """Changed paths, sorted; includes files that are not in the index."""
    files: tuple[str, ...]
    """New, changed and deleted indexed files, sorted, and HEAD."""
    listing: bool
    """Whether files were added, deleted or renamed."""


class LiveWorkspace(Workspace):
    """Open workspace of an engine. All of it belongs to one thread."""

    def __init__(
        self,
        paths: WorkspacePaths,
        environ: Mapping[str, str],
        wake: Callable[[], None],
    ) -> None:
        super().__init__(paths, environ, open_ledgers)
        self.progress: Progress | None = None
        """Callback for the progress of a full scan."""
        self._events = FileEvents(paths, wake)
        self._head = history_key_of(find_repository(paths.root))
        self.is_polled = True
        """Whether the system sends no events, so that changes are found by polling."""
        self._must_scan = True
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
        self._names: object = None

    def follow(self) -> None:
        """Start following events. Without events, every refresh scans the whole tree.

        A folder without `.cuedeck/` is not followed, because it has no place for the
        files that mark a call. Raises: StorageError if the system reports no changes.
        """
        if not self.paths.is_initialised:
            return
        self.is_polled = not self._events.start()

    @property
    def has_lost_events(self) -> bool:
        """Whether changes were reported and no more will be."""
        return self._events.has_ended

    @property
    def is_configured(self) -> bool:
        """Whether the settings could be read, and the present ones are used."""
        return self._settings_fault is None and "settings" in self.__dict__

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
            self._must_scan = True  # the events were consumed but not applied
            raise
        files = dict.fromkeys((*changed.written, *changed.gone))
        self._touched.update(files)
        self._files.update(files)
        return changed

    def take_news(self) -> News:
        """Return the changes since the last call."""
        paths = tuple(sorted(self._touched))
        files = tuple(sorted(self._files))
        names = self.index.names
        listing = names is not self._names
        self._touched = {}
        self._files = {}
        self._names = names
        return News(paths, files, listing)

    def close(self) -> None:
        """Stop following events and close the workspace."""
        self._events.stop()
        super().close()

    def _look(self, progress: Progress | None) -> Changed:
        paths: set[str] | None
        if self._is_called and not self.is_polled:
            paths = self._events.settled(_PATIENCE_SECONDS)
        else:
            paths = self._events.pending()
        self._is_called = False
        self._must_scan |= self.is_polled or paths is None
        self._note(paths or ())
        if CONFIG in (paths or ()) or (self.is_polled and self._is_config_changed()):
            self._reload_settings()
            self._must_scan = True
        doubt = self._doubt_until
        if doubt and time.monotonic() > doubt:
            self._doubt_until = 0.0
        if self._must_scan or doubt or paths is None:
            changed = super().refresh(progress)
            self._must_scan = False
            return changed
        self.is_refreshed = True
        return self.tree.refresh_paths(paths - {ACTIVE, HEAD})

    def _is_config_changed(self) -> bool:
        known = self.__dict__.get("config")
        if known is None:
            return False
        is_known = look_at(self.paths.config, LARGEST_TOML) == known
        return not is_known or self._settings_fault is not None

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
        if HEAD in found:
            head = history_key_of(find_repository(self.paths.root))
            if head == self._head:
                del found[HEAD]
            else:
                self._head = head
                self._files[HEAD] = None
        self._touched.update(found)
        if len(found) >= MANY or any(
            os.path.isdir(self.paths.absolute(path)) for path in found
        ):
            self._doubt_until = time.monotonic() + _DOUBT_SECONDS

    @property
    def is_in_doubt(self) -> bool:
        """Whether an event may have been missed since the last scan of the tree."""
        return bool(self._doubt_until)
