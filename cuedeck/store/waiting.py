"""Events of hosts that nobody had time for: one JSON object a line, added without the lock that handling them needs.

Who adds holds the file for that moment alone; who takes moves it away first, so that no line comes too late.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from cuedeck.model.places import HOME, SESSIONS
from cuedeck.store import nofollow
from cuedeck.store.appending import End
from cuedeck.store.disk import failed, read_generated, write_atomic
from cuedeck.store.nofollow import PRIVATE
from cuedeck.store.workspace import Workspace

if TYPE_CHECKING:
    from cuedeck.model.hook import Told

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

KEPT = ("event", "host", "name", "session", "agent", "message", "turn", "active", "role", "files")
"""Of an event; where the conversation is kept is not asked for again, it has gone on by then."""
BARE = frozenset(["pre-compact", "session-end"])
"""Events that say something by coming at all, without words or files."""
_TAKEN = f"{SESSIONS}/taken.jsonl"
_FLAGS = os.O_RDWR | os.O_APPEND | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0)


def line_of(told: Told, files: Sequence[str], message: str = "") -> bytes:
    """Return the line of an event, with these files and this message: its own ones may hold what is secret."""
    row = {name: getattr(told, name) for name in KEPT} | {"files": files, "message": message}
    return json.dumps(row, separators=(",", ":")).encode()


class Waiting:
    """The lines that wait. Who takes them and keeps what is left of them holds the lock `hooks`."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._home = os.path.join(workspace.root, HOME)
        self._place = workspace.absolute(f"{SESSIONS}/waiting.jsonl")
        self._taken = workspace.absolute(_TAKEN)

    @property
    def is_empty(self) -> bool:
        """Whether nothing waits."""
        return not os.path.exists(self._place) and not os.path.exists(self._taken)

    def add(self, line: bytes) -> None:
        """Add a line durably; a workspace that is gone is not made again. Raises: StorageError."""
        try:
            if os.path.isdir(self._home):
                nofollow.make_folder(os.path.dirname(self._place))
            with self._held(os.O_CREAT) as handle:
                End(handle, synced=True).add(line + b"\n")
            nofollow.sync_folder(os.path.dirname(self._place))
        except OSError as error:
            raise failed(f"write {self._place}", error, "check the disk") from error

    def take(self) -> Sequence[bytes]:
        """Return the lines that wait, those first that were taken before and left. Raises: StorageError."""
        try:
            with self._held(0):
                left = read_generated(self._taken)
                if left is None:
                    nofollow.replace(self._place, self._taken)
                else:
                    write_atomic(self._taken, left + (read_generated(self._place) or b""))
                    nofollow.unlink(self._place)
        except FileNotFoundError:
            pass  # nothing came since
        except OSError as error:
            raise failed(f"move {self._place}", error, "check the permissions") from error
        return [line for line in (read_generated(self._taken) or b"").split(b"\n") if line]

    def keep(self, lines: Sequence[bytes]) -> None:
        """Keep of what was taken these lines alone. Raises: StorageError."""
        if lines:
            write_atomic(self._taken, b"".join(line + b"\n" for line in lines))
        else:
            from cuedeck.store.home import remove_file

            remove_file(self._workspace, _TAKEN)

    @contextlib.contextmanager
    def _held(self, more: int) -> Iterator[int]:
        """Open the file that stands there and hold it: one that was moved away meanwhile is opened anew."""
        while True:
            handle = nofollow.open_file(self._place, _FLAGS | more, PRIVATE)
            try:
                if fcntl:
                    fcntl.flock(handle, fcntl.LOCK_EX)
                if self._is_at_its_place(handle):
                    yield handle
                    return
            finally:
                os.close(handle)

    def _is_at_its_place(self, handle: int) -> bool:
        try:
            return os.path.samestat(os.fstat(handle), os.stat(self._place))
        except FileNotFoundError:
            return False
