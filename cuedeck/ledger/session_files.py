"""Session files: replaced atomically, large ones compressed; and the archive of old
ones.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import posixpath
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from cuedeck.ledger.session_codec import format_session, parse_session
from cuedeck.model.diagnostic import Diagnostic
from cuedeck.model.errors import StorageError
from cuedeck.model.paths import OPEN_SESSION, SESSION_ARCHIVE, SESSIONS
from cuedeck.model.session import COMPRESS_KIB, Session
from cuedeck.store.files import nofollow
from cuedeck.store.files.disk import (
    LARGEST_POINTER,
    read_generated,
    read_text,
    write_atomic,
    write_if_changed,
)
from cuedeck.store.files.nofollow import LinkRefused
from cuedeck.store.files.unpacking import TooLarge, unpack, unpack_frames
from cuedeck.store.git.worktrees import places_in_worktrees
from cuedeck.store.workspace_paths import WorkspacePaths

_PLAIN, _PACKED = ".json", ".json.lz4"
_ARCHIVE_NAME = posixpath.basename(SESSION_ARCHIVE)
_UNSOUND = (ValueError, RuntimeError, EOFError)
"""Errors of reading a file that is not a session."""


class Loaded(NamedTuple):
    """A session, and the faults of its files."""

    session: Session | None
    faults: tuple[Diagnostic, ...]


class SessionFiles:
    """The sessions of a workspace, identified by their file names; writers hold the
    lock `sessions`.
    """

    def __init__(
        self, paths: WorkspacePaths, compress_kib: Callable[[], int] | None = None
    ) -> None:
        """`compress_kib` returns the size from which a file is compressed, by default
        that of the default settings.
        """
        self._compress_kib = compress_kib or (lambda: COMPRESS_KIB)
        self._workspace = paths
        self._cache: dict[str, tuple[bytes, Session]] = {}
        """Bytes and parsed session of each file, by path."""

    def ids(self) -> Sequence[str]:
        """Return the ids in file names, sorted."""
        found: set[str] = set()
        with contextlib.suppress(OSError):
            found.update(map(_stem, os.listdir(self._workspace.absolute(SESSIONS))))
        found.discard("")
        return sorted(found)

    def load(self, identity: str) -> Loaded:
        """Return a session, from the newer of two files that a crash may leave."""
        faults: list[Diagnostic] = []
        valid: list[Session] = []
        for path in self._files(identity):
            try:
                valid.append(self._read(path))
            except _UNSOUND as error:
                message = f"not a valid session file: {error}"
                hint = "no command overwrites it; repair or delete it"
                fault = Diagnostic(
                    path,
                    0,
                    "error",
                    "bad-session",
                    message,
                    hint,
                )
                faults.append(fault)
        newest = max(valid, key=lambda session: session.last_access, default=None)
        return Loaded(newest, tuple(faults))

    def every(self) -> Iterator[Session]:
        """Yield every session that can be read, by id."""
        for identity in self.ids():
            session = self.load(identity).session
            if session is not None:
                yield session

    def write(self, session: Session) -> None:
        """Replace the file of a session durably, compressed if it is large. The caller
        must hold the lock. Raises: StorageError, ConfigurationError.
        """
        if not is_name(session.id):
            message = f"`{session.id}` is not a valid session id"
            raise StorageError(message, hint="nothing was written")
        data = format_session(session)
        ending, other = _PLAIN, _PACKED
        if len(data) > self._compress_kib() * 1024:
            import lz4.frame

            ending, other = _PACKED, _PLAIN
            data = lz4.frame.compress(data, content_checksum=True)
        folder = self._workspace.absolute(SESSIONS)
        place = os.path.join(folder, session.id)
        write_if_changed(place + ending, data, folder, private=True)
        with contextlib.suppress(OSError):
            nofollow.unlink(place + other)
        nofollow.sync_folder(folder)

    def point_at(self, identity: str) -> None:
        """Set the open session; an empty id means none. Raises: StorageError."""
        from cuedeck.store.files.workspace_files import remove_file

        place = self._workspace.absolute(OPEN_SESSION)
        folder = os.path.dirname(place)
        if identity:
            write_if_changed(place, f"{identity}\n".encode(), folder, private=True)
        else:
            remove_file(self._workspace, OPEN_SESSION)
        nofollow.sync_folder(folder)

    def pointed(self) -> str:
        """Return the id of the open session, or an empty string. Raises:
        StorageError.
        """
        try:
            place = self._workspace.absolute(OPEN_SESSION)
            return (read_text(place, LARGEST_POINTER) or "").strip()
        except StorageError as error:
            if isinstance(error.__cause__, LinkRefused) or _is_too_large(error):
                return ""  # CueDeck writes neither a link nor a large file
            raise

    def pointed_elsewhere(self) -> set[str]:
        """Return the ids of the sessions that are open in other worktrees. Raises:
        StorageError.
        """
        root = self._workspace.root
        others = set(places_in_worktrees(root)) - {os.path.realpath(root)}
        return {SessionFiles(WorkspacePaths(other)).pointed() for other in others}

    def remove(self, identity: str) -> None:
        """Remove the files of a session. Raises: StorageError."""
        from cuedeck.store.files.workspace_files import remove_file

        for path in self._files(identity):
            remove_file(self._workspace, path)
        nofollow.sync_folder(self._workspace.absolute(SESSIONS))

    def archived(self) -> Iterator[Session]:
        """Yield the sessions of the archive, oldest first; a session that was archived
        twice is yielded twice. The archive is a file of concatenated LZ4 frames, one
        for each session.

        Raises: StorageError.
        """
        data = read_generated(self._workspace.absolute(SESSION_ARCHIVE)) or b""
        for frame, _ in _frames(data):
            for line in frame.splitlines():
                with contextlib.suppress(ValueError, RecursionError):
                    session = parse_session(line)
                    if is_name(session.id):
                        yield session

    def archive(self, identity: str) -> None:
        """Move a session into the archive: its files are removed after the archive is
        on disk. Raises: StorageError.
        """
        import lz4.frame

        found = self.load(identity)
        if found.session is None or found.faults:
            return
        fields = json.loads(format_session(found.session))
        line = json.dumps(fields, ensure_ascii=False).encode("utf-8", "replace") + b"\n"
        frame = lz4.frame.compress(line, content_checksum=True)
        place = self._workspace.absolute(SESSION_ARCHIVE)
        # An incomplete frame, left by a crash, is dropped: the frames after it could
        # not be read.
        data = read_generated(place) or b""
        before = data[: max((end for _, end in _frames(data)), default=0)]
        # Equal sessions have equal frames: the frame exists already after a crash
        # before the removal of the files.
        if not before.endswith(frame):
            scratch = self._workspace.absolute(SESSIONS)
            write_atomic(place, before + frame, scratch, private=True)
        self.remove(identity)

    def _read(self, path: str) -> Session:
        """Return the session in a file, cached while its bytes are unchanged. Raises:
        one of `_UNSOUND`.
        """
        try:
            data = read_generated(self._workspace.absolute(path)) or b""
        except StorageError as error:
            if isinstance(error.__cause__, LinkRefused):
                message = "a symbolic link is in its place, or on the way to it"
                raise ValueError(message) from None
            if _is_too_large(error):
                raise ValueError("it is too large to be read") from None
            raise
        cached = self._cache.get(path)
        if cached is not None and cached[0] == data:
            return cached[1]
        session = parse_session(unpack(data) if path.endswith(_PACKED) else data)
        # The id is that of the file name: the one in the file may be a path.
        session = replace(session, id=_stem(posixpath.basename(path)))
        self._cache[path] = (data, session)
        return session

    def _files(self, identity: str) -> list[str]:
        paths = (f"{SESSIONS}/{identity}{ending}" for ending in (_PLAIN, _PACKED))
        return [
            path for path in paths if os.path.isfile(self._workspace.absolute(path))
        ]


def unreadable(identity: str) -> StorageError:
    """Return the error for a session whose file cannot be read."""
    hint = "its file is corrupt; `cuedeck doctor` names it"
    return StorageError(f"session {identity} cannot be read", hint=hint)


def is_name(identity: str) -> bool:
    """Return whether an id can be the name of a session file."""
    if not identity or identity.startswith("."):
        return False
    return set(identity).isdisjoint("/\\\0")


def _frames(data: bytes) -> Iterator[tuple[bytes, int]]:
    """Yield the content and the end of each frame. Raises: StorageError for a frame too
    large for a session.
    """
    try:
        yield from unpack_frames(data)
    except TooLarge as error:
        hint = "move the file away: a session is never that large; nothing was changed"
        message = f"cannot read {SESSION_ARCHIVE}: {error}"
        raise StorageError(message, hint=hint) from error


def _stem(name: str) -> str:
    if name.startswith(".") or name == _ARCHIVE_NAME:
        return ""
    for ending in (_PACKED, _PLAIN):
        if name.endswith(ending):
            return name.removesuffix(ending)
    return ""


def _is_too_large(error: StorageError) -> bool:
    cause = error.__cause__
    return isinstance(cause, OSError) and cause.errno == errno.EFBIG
