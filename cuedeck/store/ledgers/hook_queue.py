"""The queue of hook events: `.cuedeck/sessions/pending/`, one private file for each event that is not processed yet.

An event is on disk, file and folder synced, before anything of it is processed, so that no deadline and no kill loses
it. Files hold raw words of the host, secrets included: the folder has mode 0700, files have mode 0600, and what leaves
the queue is masked by the code that processes it.

The name of a file is `<time in ns>-<random>.<tries>.json`. Names sort in the order in which events were added, also
when the clock goes backwards. A file is renamed before its event is processed, so that an event that ends the process
each time is known by its number of tries. Writers need no lock; the process that removes events holds the lock `hooks`.

Hooks import this module before anything else is loaded, so it imports nothing heavy.
"""

from __future__ import annotations

import json
import os
import stat
import time

from cuedeck.model.errors import StorageError
from cuedeck.model.hook_event import HookEvent
from cuedeck.store.fs import nofollow
from cuedeck.store.fs.disk import failed

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
_ASIDE = "aside"
"""Folder in the folder of the queue for events that cannot be processed."""
_HINT = "free space or check the permissions"
_OLD = ("taken.jsonl", "waiting.jsonl")
"""Files of earlier versions, one event a line, the older lines first."""


class PendingEvent:
    """An event in the queue."""

    __slots__ = ("id", "name", "seconds", "tries")

    def __init__(self, name: str) -> None:
        """`name` is that of its file. Raises: ValueError for another file."""
        identity, tries, ending = name.rsplit(".", 2)
        stamp, _, random = identity.partition("-")
        if f".{ending}" != _ENDING or not (stamp + tries).isdecimal() or not (random.isascii() and random.isalnum()):
            raise ValueError(name)
        self.name = name
        self.id = identity
        self.tries = int(tries)
        """How often its processing was begun before."""
        self.seconds = int(stamp) / 1e9
        """When it was added, since the epoch."""


class HookQueue:
    """The events of a workspace that are not processed yet."""

    def __init__(self, root: str) -> None:
        self._home = os.path.join(root, ".cuedeck")
        self._sessions = os.path.join(self._home, "sessions")
        self._folder = os.path.join(self._sessions, "pending")

    @property
    def is_empty(self) -> bool:
        """Whether no event waits, not in a file of an earlier version either."""
        return not self._names() and self.is_adopted

    @property
    def is_adopted(self) -> bool:
        """Whether no file of an earlier version is left."""
        return not any(_is_file(self._place_of_old(name)) for name in _OLD)

    def add(self, told: HookEvent) -> PendingEvent:
        """Write an event durably. Raises: StorageError, also when the queue is too long for an event of its kind."""
        names = self._names()
        if told.event in DROPPABLE and len(names) >= MOST_DROPPABLE:
            raise StorageError(
                f"{len(names):,} hook events wait already", hint="`cuedeck session status` processes them"
            )
        stamp = max(time.time_ns(), _stamp(names[-1]) + 1 if names else 0)
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
        """Return what a host told; None for a file that holds no event or cannot be read."""
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
        folder = self._place(_ASIDE)
        try:
            nofollow.make_folder(folder)
            nofollow.replace(self._place(event.name), os.path.join(folder, event.name))
        except OSError as error:
            raise failed(f"move {self._place(event.name)}", error, _HINT) from error

    def aside(self) -> Sequence[str]:
        """Return the names of the files of events that were set aside."""
        try:
            return [name for name in nofollow.list_folder(self._place(_ASIDE)) if _is_event(name)]
        except OSError:
            return ()

    def adopt_old_files(self) -> None:
        """Move events of the files of an earlier version into the queue. The caller holds the lock `hooks`.

        The name of each is made of its line, so that a second try after a kill adds nothing twice.
        Raises: StorageError.
        """
        from hashlib import sha256

        for name in _OLD:
            place = self._place_of_old(name)
            try:
                lines = nofollow.read_file(place).split(b"\n")
                stamp = nofollow.status(place).st_mtime_ns
                self._make_folder()
                for number, line in enumerate(lines):
                    if _parse(line) is not None:
                        self._write(f"{stamp + number:020d}-{sha256(line).hexdigest()[:8]}.0{_ENDING}", line)
                nofollow.unlink(place)
            except FileNotFoundError:
                continue
            except OSError as error:
                raise failed(f"move {place}", error, _HINT) from error

    def _names(self) -> list[str]:
        try:
            return [name for name in nofollow.list_folder(self._folder) if _is_event(name)]
        except OSError:
            return []

    def _make_folder(self) -> None:
        """Make the folder of the queue; a workspace that is gone is not made again. Raises: OSError."""
        nofollow.status(self._home)
        try:
            nofollow.status(self._folder)
        except FileNotFoundError:
            nofollow.make_folder(self._folder)
            _make_private(self._folder)
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
        except BaseException:
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

    def _place_of_old(self, name: str) -> str:
        return os.path.join(self._sessions, name)


def _make_private(folder: str) -> None:
    """Give a folder to its owner alone, where the system knows owners. Raises: OSError."""
    if hasattr(os, "fchmod"):
        handle = nofollow.open_file(folder, os.O_RDONLY)
        try:
            os.fchmod(handle, 0o700)
        finally:
            os.close(handle)


def _is_file(place: str) -> bool:
    """Return whether a plain file is there; what lies beyond a link does not count."""
    try:
        return stat.S_ISREG(nofollow.status(place).st_mode)
    except OSError:
        return False


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
