"""The queue of hook events: below `.cuedeck/sessions/pending/`, one private file for each event to be processed.

An event is on disk, file and folder synced, before anything of it is processed, so that no deadline and no kill loses
it. Files hold raw words of the host, secrets included: the folder has mode 0700, files have mode 0600, and what leaves
the queue is masked by the code that processes it.

The files lie in a folder whose name a repository cannot predict (`private_folder`): an event of somebody else would
become a record of the user. Other files below `pending/` are never read; `doctor` reports them.

The name of a file is `<time in ns>-<random>.<tries>.json`. Names sort in the order in which events were added, also
when the clock goes backwards. A file is renamed before its event is processed, so that an event that ends the process
each time is known by its number of tries. Writers need no lock; the process that removes events holds the lock `hooks`.
An event that cannot be processed gets the ending `.aside` and stays in the folder.

Hooks import this module before anything else is loaded, so it imports nothing heavy.
"""

from __future__ import annotations

import json
import os
import re
import time

from cuedeck.model.errors import StorageError
from cuedeck.model.hook_event import HookEvent
from cuedeck.store.fs import nofollow
from cuedeck.store.fs.disk import failed
from cuedeck.store.fs.private_folder import private_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

LOCK = "hooks"
"""The lock of the process that takes events out of the queue."""
FIELDS = ("event", "host", "name", "session", "agent", "message", "transcript", "turn", "role")
"""Texts of an event that are kept; `files` and `active` are kept as well."""
MOST_DROPPABLE = 1_000
"""Length of the queue from which on events of `DROPPABLE` are refused."""
DROPPABLE = frozenset(["post-tool"])
LONGEST_MESSAGE = 20_000
"""Characters of a message that are kept; no more of them are ever looked at."""
_LONGEST_PATH = 4_096
_ENDING = ".json"
_NAME = re.compile(r"(?P<stamp>0[0-9]{19})-[0-9a-f]{8}\.(?P<tries>[0-9]{1,3})\.json")
_LAST_STAMP = 10**19 - 1
_ASIDE = ".aside"
"""Ending of the file of an event that cannot be processed."""
_HINT = "free space or check the permissions"
_OLD = ("taken.jsonl", "waiting.jsonl")
"""Files of earlier versions, which a repository could contain: they are reported, not read."""


class PendingEvent:
    """An event in the queue."""

    __slots__ = ("id", "name", "seconds", "tries")

    def __init__(self, name: str) -> None:
        """`name` is that of its file. Raises: ValueError for another file."""
        found = _NAME.fullmatch(name)
        if found is None:
            raise ValueError(name)
        self.name = name
        self.id = name.partition(".")[0]
        self.tries = int(found["tries"])
        """Number of earlier attempts to process it."""
        self.seconds = int(found["stamp"]) / 1e9
        """Time at which it was added, in seconds since the epoch."""


class HookQueue:
    """Queue of the hook events of a workspace that are not processed yet."""

    def __init__(self, root: str) -> None:
        self._home = os.path.join(root, ".cuedeck")
        self._sessions = os.path.join(self._home, "sessions")
        self._shared = os.path.join(self._sessions, "pending")
        self._root = root
        self._private = ""

    @property
    def is_empty(self) -> bool:
        """Whether no event waits."""
        return not self._names()

    def add(self, told: HookEvent) -> PendingEvent:
        """Write an event durably. Raises: StorageError, also when the queue is too long for an event of its kind."""
        names = self._names()
        if told.event in DROPPABLE and len(names) >= MOST_DROPPABLE:
            raise StorageError(
                f"{len(names):,} hook events wait already", hint="`cuedeck session status` processes them"
            )
        stamp = min(max(time.time_ns(), _stamp(names[-1]) + 1 if names else 0), _LAST_STAMP)
        event = PendingEvent(f"{stamp:020d}-{os.urandom(4).hex()}.0{_ENDING}")
        try:
            self._make_folder()
            self._write(event.name, _format(told))
        except OSError as error:
            raise failed(f"write {self._folder}", error, _HINT) from error
        return event

    def events(self) -> Sequence[PendingEvent]:
        """Return the events in the order in which they were added."""
        return [PendingEvent(name) for name in self._names()]

    def read(self, event: PendingEvent) -> HookEvent | None:
        """Return an event as the host sent it; None for a file that is unreadable or contains no event."""
        try:
            told = _parse(nofollow.read_file(self._place(event.name)))
        except OSError:
            return None
        if told is not None:
            told.id = event.id
            told.is_retry = event.tries > 0
        return told

    def begin(self, event: PendingEvent) -> PendingEvent:
        """Count another try of an event; return the event under its new name. Raises: StorageError."""
        return self._renamed(event, event.tries + 1)

    def put_back(self, event: PendingEvent) -> None:
        """Take back the try that `begin` counted. Raises: StorageError."""
        self._renamed(event, event.tries - 1)

    def remove(self, event: PendingEvent) -> None:
        """Remove an event that is processed. Raises: StorageError."""
        try:
            nofollow.unlink(self._place(event.name))
        except FileNotFoundError:
            return
        except OSError as error:
            raise failed(f"remove {self._place(event.name)}", error, _HINT) from error

    def set_aside(self, event: PendingEvent) -> None:
        """Move an event that cannot be processed out of the queue; its file is kept. Raises: StorageError."""
        try:
            nofollow.replace(self._place(event.name), self._place(event.name + _ASIDE))
        except OSError as error:
            raise failed(f"move {self._place(event.name)}", error, _HINT) from error

    def aside(self) -> Sequence[str]:
        """Return the paths in the workspace of the files of events that were set aside."""
        names = (name for name in self._listed() if name.endswith(_ASIDE))
        return [self._path(self._place(name)) for name in names if _is_event(name.removesuffix(_ASIDE))]

    def foreign(self) -> Sequence[str]:
        """Return the paths in the workspace of files that are in the place of the queue and not part of it."""
        own = os.path.basename(self._folder)
        try:
            names = [name for name in nofollow.list_folder(self._shared) if name != own]
        except OSError:
            names = []
        places = [os.path.join(self._shared, name) for name in names]
        places += [place for name in _OLD if os.path.lexists(place := os.path.join(self._sessions, name))]
        return [self._path(place) for place in places]

    def _names(self) -> list[str]:
        return [name for name in self._listed() if _is_event(name)]

    def _listed(self) -> list[str]:
        try:
            return nofollow.list_folder(self._folder)
        except (OSError, StorageError):
            return []

    @property
    def _folder(self) -> str:
        """The folder of the queue. Raises: StorageError when it has no name, because there is no key."""
        if not self._private:
            self._private = os.path.join(self._shared, private_name(self._root))
        return self._private

    def _make_folder(self) -> None:
        """Make the folder of the queue; a workspace that is gone is not made again. Raises: OSError."""
        nofollow.status(self._home)
        try:
            nofollow.status(self._folder)
        except FileNotFoundError:
            nofollow.make_folder(self._folder)
            _make_private(self._shared)
            _make_private(self._folder)
            nofollow.sync_folder(self._shared)
            nofollow.sync_folder(self._sessions)

    def _write(self, name: str, data: bytes) -> None:
        """Write a file under a temporary name, sync it, rename it, sync the folder. Raises: OSError."""
        temporary = self._place(f".{name}.{os.getpid()}.tmp")
        handle = nofollow.open_file(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, nofollow.PRIVATE)
        try:
            try:
                while data:
                    data = data[os.write(handle, data) :]
                os.fsync(handle)
            finally:
                os.close(handle)
            nofollow.replace(temporary, self._place(name))
        except BaseException:  # also KeyboardInterrupt: no temporary file may remain
            nofollow.unlink(temporary)
            raise
        nofollow.sync_folder(self._folder)

    def _renamed(self, event: PendingEvent, tries: int) -> PendingEvent:
        name = f"{event.id}.{tries}{_ENDING}"
        try:
            nofollow.replace(self._place(event.name), self._place(name))
        except OSError as error:
            raise failed(f"rename {self._place(event.name)}", error, _HINT) from error
        return PendingEvent(name)

    def _place(self, name: str) -> str:
        return os.path.join(self._folder, name)

    def _path(self, place: str) -> str:
        return os.path.relpath(place, self._root).replace(os.sep, "/")


def _make_private(folder: str) -> None:
    """Restrict a folder to its owner, on systems with file owners. Raises: OSError."""
    if hasattr(os, "fchmod"):
        handle = nofollow.open_file(folder, os.O_RDONLY)
        try:
            os.fchmod(handle, 0o700)
        finally:
            os.close(handle)


def _is_event(name: str) -> bool:
    try:
        PendingEvent(name)
    except ValueError:
        return False
    return True


def _stamp(name: str) -> int:
    return int(name.partition("-")[0])


def _format(told: HookEvent) -> bytes:
    row: dict[str, object] = {name: getattr(told, name) for name in FIELDS}
    row["message"] = told.message.strip()[:LONGEST_MESSAGE]
    row["files"] = [path for path in told.files if len(path) <= _LONGEST_PATH]
    row["active"] = told.active
    return json.dumps(row, separators=(",", ":")).encode()


def _parse(data: bytes) -> HookEvent | None:
    try:
        row = json.loads(data)
        texts = {name: str(row.get(name, "")) for name in FIELDS}
        files = tuple(map(str, row["files"]))
        return HookEvent(texts.pop("event"), texts.pop("host"), active=row.get("active") is True, files=files, **texts)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None
