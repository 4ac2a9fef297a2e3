"""The queue of hook events: below `.cuedeck/sessions/pending/`, one private file for
each event to be processed.

An event is on disk, with its file and folder synced, before it is processed, so that no
deadline and no kill loses it. Files contain raw text of the host, including secrets:
the folder has mode 0700, files have mode 0600, and the code that processes an event
masks it.

The name of the folder cannot be predicted by a repository (`private_folder`): an event
in a cloned repository would become a record of the user. Other files below `pending/`
are never read; `doctor` reports them.

The name of a file is `<time in ns>-<random>.<tries>.json`. Names sort in the order in
which events were added, even when the clock goes backwards. A file is renamed before
its event is processed, so that the number of tries shows an event that crashes the
process. Writers need no lock; the process that removes events holds the lock `hooks`.
An event that cannot be processed gets the ending `.aside` and stays in the folder.

Hooks import this module before anything else is loaded, so it imports nothing heavy.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Sequence

from cuedeck.model.errors import StorageError, failed
from cuedeck.model.hook_event import HookEvent
from cuedeck.store.files import nofollow
from cuedeck.store.files.private_folder import private_name

LOCK = "hooks"
"""The lock of the process that takes events out of the queue."""
FIELDS = (
    "event",
    "host",
    "name",
    "session",
    "agent",
    "agent_name",
    "message",
    "transcript",
    "conversation",
    "turn",
    "role",
)
"""Stored text fields of an event; `files` and `active` are stored, too."""
MOST_DROPPABLE = 1_000
"""Length of the queue at which events of `DROPPABLE` are refused."""
DROPPABLE = frozenset(["post-tool"])
LONGEST_MESSAGE = 1_000_001
"""Maximum stored characters of a message: one more than a timeline accepts."""
_LONGEST_PATH = 4_096
_ENDING = ".json"
_STAMP_DIGITS = 20
_RANDOM_DIGITS = 8
_MOST_TRIES_DIGITS = 3
_HEX = frozenset("0123456789abcdef")
_LAST_STAMP = 10**19 - 1
_ASIDE = ".aside"
"""Ending of the file of an event that cannot be processed."""
_HINT = "free space or check the permissions"


class PendingEvent:
    """An event in the queue."""

    __slots__ = ("id", "name", "seconds", "tries")

    def __init__(self, name: str) -> None:
        """Parse the name of an event file. Raises: ValueError for the name of any other
        file.
        """
        # A regular expression would cost a hook two milliseconds.
        self.id, _, rest = name.partition(".")
        stamp, _, digits = self.id.partition("-")
        tries = rest.removesuffix(_ENDING)
        is_event = (
            len(stamp) == _STAMP_DIGITS
            and stamp[0] == "0"
            and _is_number(stamp)
            and len(digits) == _RANDOM_DIGITS
            and _HEX.issuperset(digits)
        )
        is_tried = _is_number(tries) and len(tries) <= _MOST_TRIES_DIGITS
        if not is_event or not is_tried or tries == rest:
            raise ValueError(name)
        self.name = name
        self.tries = int(tries)
        """Number of earlier attempts to process it."""
        self.seconds = int(stamp) / 1e9
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
        """Whether the queue contains no event."""
        return not self._names()

    def add(self, event: HookEvent) -> PendingEvent:
        """Write an event durably. Raises: StorageError; also if the queue is too long
        for a droppable event.
        """
        names = self._names()
        if event.event in DROPPABLE and len(names) >= MOST_DROPPABLE:
            raise StorageError(
                f"{len(names):,} hook events are already queued",
                hint="`cuedeck session status` processes them",
            )
        earliest = 0
        if names:
            earliest = _stamp(names[-1]) + 1
        stamp = min(max(time.time_ns(), earliest), _LAST_STAMP)
        pending = PendingEvent(f"{stamp:020d}-{os.urandom(4).hex()}.0{_ENDING}")
        try:
            self._make_folder()
            self._write(pending.name, _format(event))
        except OSError as error:
            raise failed(f"write {self._folder}", error, _HINT) from error
        return pending

    def events(self) -> Sequence[PendingEvent]:
        """Return the events in the order in which they were added."""
        return [PendingEvent(name) for name in self._names()]

    def read(self, pending: PendingEvent) -> HookEvent | None:
        """Return an event as the host sent it; None for a file that is unreadable or
        contains no event.
        """
        try:
            event = _parse(nofollow.read_file(self._place(pending.name)))
        except OSError:
            return None
        if event is not None:
            event.id = pending.id
            event.is_retry = pending.tries > 0
        return event

    def begin(self, event: PendingEvent) -> PendingEvent:
        """Count another try of an event; return the event under its new name. Raises:
        StorageError.
        """
        return self._renamed(event, event.tries + 1)

    def put_back(self, event: PendingEvent) -> None:
        """Undo the try that `begin` counted. Raises: StorageError."""
        self._renamed(event, event.tries - 1)

    def remove(self, event: PendingEvent) -> None:
        """Remove a processed event. Raises: StorageError."""
        try:
            nofollow.unlink(self._place(event.name))
        except FileNotFoundError:
            return
        except OSError as error:
            raise failed(f"remove {self._place(event.name)}", error, _HINT) from error

    def set_aside(self, event: PendingEvent) -> None:
        """Move an event that cannot be processed out of the queue; its file is kept.
        Raises: StorageError.
        """
        try:
            nofollow.replace(self._place(event.name), self._place(event.name + _ASIDE))
        except OSError as error:
            raise failed(f"move {self._place(event.name)}", error, _HINT) from error

    def aside(self) -> Sequence[str]:
        """Return the workspace-relative paths of the events that were set aside."""
        aside = (name for name in self._listed() if name.endswith(_ASIDE))
        events = (name for name in aside if _is_event(name.removesuffix(_ASIDE)))
        return [self._path(self._place(name)) for name in events]

    def foreign(self) -> Sequence[str]:
        """Return the workspace-relative paths of files near the queue that are not part
        of it.
        """
        own = os.path.basename(self._folder)
        try:
            names = [name for name in nofollow.list_folder(self._shared) if name != own]
        except OSError:
            names = []
        return [self._path(os.path.join(self._shared, name)) for name in names]

    def _names(self) -> list[str]:
        return [name for name in self._listed() if _is_event(name)]

    def _listed(self) -> list[str]:
        try:
            return nofollow.list_folder(self._folder)
        except (OSError, StorageError):
            return []

    @property
    def _folder(self) -> str:
        """The folder of the queue. Raises: StorageError without a user key, from which
        its name is derived.
        """
        if not self._private:
            self._private = os.path.join(self._shared, private_name(self._root))
        return self._private

    def _make_folder(self) -> None:
        """Create the folder of the queue, but not a deleted workspace. Raises:
        OSError.
        """
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
        """Write a file under a temporary name, sync it, rename it, sync the folder.
        Raises: OSError.
        """
        temporary = self._place(f".{name}.{os.getpid()}.tmp")
        handle = nofollow.open_file(
            temporary,
            os.O_WRONLY | os.O_CREAT | os.O_EXCL,
            nofollow.PRIVATE,
        )
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


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal()


def _stamp(name: str) -> int:
    return int(name.partition("-")[0])


def _format(event: HookEvent) -> bytes:
    row: dict[str, object] = {name: getattr(event, name) for name in FIELDS}
    row["message"] = event.message.strip()[:LONGEST_MESSAGE]
    row["files"] = [path for path in event.files if len(path) <= _LONGEST_PATH]
    row["active"] = event.active
    return json.dumps(row, separators=(",", ":")).encode()


def _parse(data: bytes) -> HookEvent | None:
    try:
        row = json.loads(data)
        texts = {name: str(row.get(name, "")) for name in FIELDS}
        files = tuple(map(str, row["files"]))
        return HookEvent(
            texts.pop("event"),
            texts.pop("host"),
            active=row.get("active") is True,
            files=files,
            **texts,
        )
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None
