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
import re
import time
from collections.abc import Sequence

from cuedeck.model.errors import StorageError, failed
from cuedeck.model.hook_event import HookEvent
from cuedeck.store.files import nofollow
from cuedeck.store.files.disk import write_atomic
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
_NAME = re.compile(r"(0[0-9]{19})-[0-9a-f]{8}\.([0-9]{1,3})\.json")
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
        found = _NAME.fullmatch(name)
        if found is None:
            raise ValueError(name)
        self.name = name
        self.id = name.partition(".")[0]
        self.tries = int(found[2])
        """Number of earlier attempts to process it."""
        self.seconds = int(found[1]) / 1e9
        """Time at which it was added, in seconds since the epoch."""


class HookQueue:
    """Queue of the hook events of a workspace that are not processed yet."""

    def __init__(self, root: str) -> None:
        self._shared = os.path.join(root, ".cuedeck", "sessions", "pending")
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
        earliest = int(names[-1].partition("-")[0]) + 1 if names else 0
        stamp = min(max(time.time_ns(), earliest), _LAST_STAMP)
        pending = PendingEvent(f"{stamp:020d}-{os.urandom(4).hex()}.0.json")
        changed = [self._folder]
        if not os.path.isdir(self._folder):
            changed += [self._shared, os.path.dirname(self._shared)]
        try:
            # Parents have the usual mode, and a deleted workspace is not made again.
            nofollow.make_folder(self._shared, mode=0o700)
            nofollow.make_folder(self._folder, mode=0o700)
        except OSError as error:
            raise failed(f"write {self._folder}", error, _HINT) from error
        row: dict[str, object] = {name: getattr(event, name) for name in FIELDS}
        row["message"] = event.message.strip()[:LONGEST_MESSAGE]
        row["files"] = [path for path in event.files if len(path) <= _LONGEST_PATH]
        row["active"] = event.active
        data = json.dumps(row, separators=(",", ":")).encode()
        write_atomic(self._place(pending.name), data, private=True)
        for folder in changed:
            nofollow.sync_folder(folder)
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
        return PendingEvent(self._move(event, f"{event.id}.{event.tries + 1}.json"))

    def put_back(self, event: PendingEvent) -> None:
        """Undo the try that `begin` counted. Raises: StorageError."""
        self._move(event, f"{event.id}.{event.tries - 1}.json")

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
        self._move(event, event.name + _ASIDE)

    def aside(self) -> Sequence[str]:
        """Return the workspace-relative paths of the events that were set aside."""
        places = map(self._place, self._names(_ASIDE))
        return [self._path(f"{place}{_ASIDE}") for place in places]

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

    def _names(self, ending: str = "") -> list[str]:
        """Return the names of the event files with an ending, without it."""
        try:
            listed = nofollow.list_folder(self._folder)
        except (OSError, StorageError):
            return []
        names = [name.removesuffix(ending) for name in listed if name.endswith(ending)]
        return [name for name in names if _NAME.fullmatch(name)]

    @property
    def _folder(self) -> str:
        """The folder of the queue. Raises: StorageError without a user key, from which
        its name is derived.
        """
        if not self._private:
            self._private = os.path.join(self._shared, private_name(self._root))
        return self._private

    def _move(self, event: PendingEvent, name: str) -> str:
        place = self._place(event.name)
        try:
            nofollow.replace(place, self._place(name))
        except OSError as error:
            raise failed(f"move {place}", error, _HINT) from error
        return name

    def _place(self, name: str) -> str:
        return os.path.join(self._folder, name)

    def _path(self, place: str) -> str:
        return os.path.relpath(place, self._root).replace(os.sep, "/")


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
