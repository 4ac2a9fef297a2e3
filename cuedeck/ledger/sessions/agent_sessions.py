"""State files of the sessions of hosts: one small JSON file each; the oldest ones are
deleted. `shells/hook/fast_path.py` reads the same JSON without importing this module.
"""

from __future__ import annotations

import contextlib
import json
import os
import time
from typing import TYPE_CHECKING, Any

from cuedeck.model.agent_session import Given, HostSession, Shown, Touched
from cuedeck.model.hook_event import FOLDER, SCHEMA, main_name, stat_row, turn_mark
from cuedeck.store.files import nofollow
from cuedeck.store.files.disk import read_generated, write_atomic
from cuedeck.store.files.fingerprint import FileStamp
from cuedeck.store.workspace_paths import WorkspacePaths

if TYPE_CHECKING:
    from cuedeck.model.ports import Json
    from cuedeck.store.index import Index

_MAX_FILES = 64
_ALIVE_SECONDS = 30 * 60
"""A session without a sign of life for this long has ended, even without an end event.
"""
_PRINT = "SELECT size, mtime_ns, ctime_ns, inode, checked_ns, hash FROM prints WHERE path = ?"


def print_at(place: str) -> list[int]:
    """Return the stat fingerprint of a file; empty if it is missing."""
    try:
        return stat_row(os.stat(place))
    except (OSError, ValueError):
        return []


def print_as_indexed(
    index: Index, paths: WorkspacePaths, path: str
) -> list[int] | None:
    """Return the stat fingerprint of the indexed content of a file; None if the file
    may have changed since.

    For a path that is not in the index, such as a folder, it is the current
    fingerprint.
    """
    place = paths.absolute(path)
    row = index.recall(_PRINT, (path,))
    if row is None:
        return print_at(place)
    try:
        found = os.stat(place)
    except OSError:
        return None
    if not FileStamp(*row).trusts(found):
        return None
    return stat_row(found)


class HostSessionFiles:
    """The state files of the sessions of hosts."""

    def __init__(self, paths: WorkspacePaths) -> None:
        """Raises: StorageError."""
        self._folder = os.path.join(paths.private, FOLDER)

    def read(self, name: str) -> bytes:
        """Return the bytes of a file; empty if it is missing. Raises: StorageError."""
        return read_generated(os.path.join(self._folder, name)) or b""

    def write(self, name: str, data: bytes) -> None:
        """Replace a file; above 64 files the oldest are deleted. Raises:
        StorageError.
        """
        place = os.path.join(self._folder, name)
        is_new = not os.path.exists(place)
        write_atomic(place, data, private=True)
        if is_new:
            self._drop()

    def alive(self) -> list[str]:
        """Return the file names of the sessions that were active in the last 30
        minutes.
        """
        since = time.time() - _ALIVE_SECONDS
        return [name for written, name in self._ages() if written >= since]

    def is_alive(self, session: str, transcript: str) -> bool:
        """Return whether a session has not ended and was active in the last 30 minutes;
        one of another worktree has no file here, but it writes its transcript.
        """
        name = f"{session}.json"
        state = parse_host_session(self.read(name), "")
        if state.ended:
            return False
        for active in self.alive():
            if main_name(active) == name:
                return True
        written = 0.0
        with contextlib.suppress(OSError):
            found = os.stat(transcript)
            written = found.st_mtime
        since = time.time() - _ALIVE_SECONDS
        return written >= since

    def _drop(self) -> None:
        for _, name in self._ages()[:-_MAX_FILES]:
            place = os.path.join(self._folder, name)
            for each in (place, turn_mark(place)):
                with contextlib.suppress(OSError):
                    nofollow.unlink(each)

    def _ages(self) -> list[tuple[float, str]]:
        """Return the time of the last write of each file, and its name; oldest
        first.
        """
        found = []
        with contextlib.suppress(OSError), os.scandir(self._folder) as entries:
            for entry in entries:
                with contextlib.suppress(OSError):
                    if entry.name.endswith(".json") and not entry.name.startswith("."):
                        found.append((entry.stat().st_mtime, entry.name))
        return sorted(found)


def parse_host_session(data: bytes, host: str) -> HostSession:
    """Parse the state file of an agent session; return an empty state if it is
    malformed or of another schema.
    """
    try:
        value = json.loads(data)
        if value.pop("schema") != SCHEMA or value.keys() != set(HostSession._fields):
            return HostSession(host)
        touched = value["touched"].items()
        value["touched"] = {path: Touched(*each) for path, each in touched}
        value["recalled"] = tuple(value["recalled"])
        value["prints"] = dict(value["prints"])
        if value["given"] is not None:
            value["given"] = _given(**value["given"])
        return HostSession(**{**value, "host": host})
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return HostSession(host)


def format_host_session(session: HostSession) -> bytes:
    """Return the content of the state file."""
    value = {"schema": SCHEMA, **session._asdict()}
    value["given"] = session.given and session.given._asdict()
    return json.dumps(value, separators=(",", ":")).encode()


def _given(files: Json, **rest: Any) -> Given:
    shown = {path: Shown(*each) for path, each in files.items()}
    for name in ("decisions", "assumptions"):
        rest[name] = tuple(rest[name])
    return Given(files=shown, **rest)
