"""Session files: replaced atomically, with the previous state as a backup; large ones
are compressed.
"""

from __future__ import annotations

import contextlib
import errno
import os
import posixpath
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from typing import NamedTuple

from cuedeck.ledger.sessions.session_file import format_session, parse_session
from cuedeck.model.diagnostic import Diagnostic
from cuedeck.model.errors import StorageError
from cuedeck.model.paths import HOME, OPEN_SESSION, SESSION_ARCHIVE, SESSIONS
from cuedeck.model.session import Session
from cuedeck.store.files import nofollow
from cuedeck.store.files.disk import (
    LARGEST_POINTER,
    failed,
    read_generated,
    read_text,
    write_atomic,
    write_if_changed,
)
from cuedeck.store.files.nofollow import LinkRefused
from cuedeck.store.files.unpacking import unpack
from cuedeck.store.git.worktrees import places_in_worktrees
from cuedeck.store.workspace_paths import WorkspacePaths

_OLD_FOLDER = f"{HOME}/.cache/sessions"
"""Folder of the oldest format; its sessions are read there and written to `SESSIONS`.
"""
_PLAIN, _PACKED = ".json", ".json.lz4"
_BACKUP = ".backup"
_ARCHIVE_NAME = posixpath.basename(SESSION_ARCHIVE)
_ASIDE = re.compile(r".+\.json(\.lz4)?\.corrupt(\.\d+)?", re.DOTALL)
_UNSOUND = (ValueError, RuntimeError, EOFError)
"""Errors of reading a file that is not a session."""


class Loaded(NamedTuple):
    """A session, and the faults of its files."""

    session: Session | None
    faults: tuple[Diagnostic, ...]
    broken: tuple[str, ...]
    """Paths of the files that cannot be read as a session."""


class SessionFiles:
    """The sessions of a workspace, identified by their file names; writers hold the
    lock `sessions`.
    """

    def __init__(self, paths: WorkspacePaths) -> None:
        self._workspace = paths
        self._cache: dict[str, tuple[bytes, Session]] = {}
        """Bytes and parsed session of each file, by path."""

    def ids(self) -> Sequence[str]:
        """Return the ids in file names, sorted; a session that has only a backup
        is included.
        """
        found: set[str] = set()
        for folder in (SESSIONS, _OLD_FOLDER):
            with contextlib.suppress(OSError):
                names = os.listdir(self._workspace.absolute(folder))
                found.update(map(_stem, names))
        found.discard("")
        return sorted(found)

    def aside(self) -> Sequence[str]:
        """Return the paths of the files that were set aside, sorted."""
        with contextlib.suppress(OSError):
            names = os.listdir(self._workspace.absolute(SESSIONS))
            return sorted(
                f"{SESSIONS}/{name}" for name in names if _ASIDE.fullmatch(name)
            )
        return ()

    def load(self, identity: str) -> Loaded:
        """Return a session from its newest valid file; its backups are read if a file
        is broken or missing.
        """
        faults: list[Diagnostic] = []
        broken: list[str] = []
        valid: list[Session] = []
        for stem in (identity, identity + _BACKUP):
            for path in self._files(stem):
                try:
                    valid.append(self._read(path))
                except _UNSOUND as error:
                    broken.append(path)
                    faults.append(_fault(path, str(error)))
            if valid and not broken:
                break
        newest = max(valid, key=lambda session: session.last_access, default=None)
        return Loaded(newest, tuple(faults), tuple(broken))

    def every(self) -> Iterator[Session]:
        """Yield every session that can be read, by id."""
        for identity in self.ids():
            session = self.load(identity).session
            if session is not None:
                yield session

    def write(self, session: Session, compress_above: int) -> None:
        """Replace the file of a session durably, compressed above this number of bytes.
        Raises: StorageError.
        """
        if not is_name(session.id):
            raise StorageError(
                f"`{session.id}` is not a valid session id", hint="nothing was written"
            )
        data = format_session(session)
        ending = _PACKED if len(data) > compress_above else _PLAIN
        if ending == _PACKED:
            import lz4.frame

            data = lz4.frame.compress(data, content_checksum=True)
        folder = self._workspace.absolute(SESSIONS)
        place = os.path.join(folder, session.id + ending)
        self._keep_backup(session.id)
        write_if_changed(place, data, folder, private=True)
        self._remove(session.id, but=ending)
        nofollow.sync_folder(folder)

    def point_at(self, identity: str) -> None:
        """Set the open session; an empty id means none. Raises: StorageError."""
        from cuedeck.store.files.workspace_files import remove_file

        place = self._workspace.absolute(OPEN_SESSION)
        folder = os.path.dirname(place)
        if identity:
            data = f"{identity}\n".encode()
            write_if_changed(place, data, folder, private=True)
        else:
            remove_file(self._workspace, OPEN_SESSION)
        nofollow.sync_folder(folder)

    def pointed(self) -> str:
        """Return the id of the open session, or an empty string. Raises:
        StorageError.
        """
        try:
            return (
                read_text(self._workspace.absolute(OPEN_SESSION), LARGEST_POINTER) or ""
            ).strip()
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
        found = set()
        for other in others:
            files = SessionFiles(WorkspacePaths(other))
            found.add(files.pointed())
        return found

    def set_aside(self, path: str) -> str:
        """Rename a broken file, never onto another one; return its new path. Raises:
        StorageError.
        """
        aside = base = f"{path}.corrupt"
        number = 0
        while os.path.lexists(self._workspace.absolute(aside)):
            number += 1
            aside = f"{base}.{number}"
        try:
            nofollow.replace(
                self._workspace.absolute(path), self._workspace.absolute(aside)
            )
        except OSError as error:
            raise failed(f"rename {path}", error, "check the permissions") from error
        return aside

    def remove(self, identity: str) -> None:
        """Remove the files of a session, the newest last, so that a crash never leaves
        only an older state.

        Raises: StorageError.
        """
        from cuedeck.store.files.workspace_files import remove_file

        for stem in (identity + _BACKUP, identity):
            for path in self._files(stem):
                remove_file(self._workspace, path)
        nofollow.sync_folder(self._workspace.absolute(SESSIONS))

    def _read(self, path: str) -> Session:
        """Return the session in a file, cached while its bytes are unchanged. Raises:
        one of `_UNSOUND`.
        """
        try:
            data = read_generated(self._workspace.absolute(path)) or b""
        except StorageError as error:
            if isinstance(error.__cause__, LinkRefused):
                raise ValueError(
                    "a symbolic link is in its place, or on the way to it"
                ) from None
            if _is_too_large(error):
                raise ValueError("it is too large to be read") from None
            raise
        cached = self._cache.get(path)
        if cached is not None and cached[0] == data:
            return cached[1]
        session = _parse(path, data)
        self._cache[path] = (data, session)
        return session

    def _files(self, stem: str) -> list[str]:
        stems = (f"{SESSIONS}/{stem}", f"{_OLD_FOLDER}/{stem}")
        paths = map("".join, product(stems, (_PLAIN, _PACKED)))
        return [
            path for path in paths if os.path.isfile(self._workspace.absolute(path))
        ]

    def _keep_backup(self, identity: str) -> None:
        """Link the current file to the name of its backup; the data is not copied."""
        for ending in (_PLAIN, _PACKED):
            path = f"{SESSIONS}/{identity}{ending}"
            place = self._workspace.absolute(path)
            if not os.path.isfile(place):
                continue
            try:
                self._read(path)
            except _UNSOUND:  # the existing backup is worth more
                self.set_aside(path)
                continue
            backup = self._workspace.absolute(f"{SESSIONS}/{identity}{_BACKUP}{ending}")
            _link_or_copy(place, backup)
            self._remove(identity + _BACKUP, but=ending)

    def _remove(self, stem: str, *, but: str) -> None:
        """Remove the file of the other format."""
        other = _PACKED if but == _PLAIN else _PLAIN
        with contextlib.suppress(OSError):
            nofollow.unlink(self._workspace.absolute(f"{SESSIONS}/{stem}{other}"))


def _link_or_copy(place: str, backup: str) -> None:
    temporary = f"{backup}.{os.getpid()}.tmp"
    try:
        nofollow.hard_link(place, temporary)
        nofollow.replace(temporary, backup)
    except OSError:  # a file system without hard links
        write_atomic(backup, read_generated(place) or b"", private=True)
    finally:
        with contextlib.suppress(OSError):
            nofollow.unlink(temporary)


def _parse(path: str, data: bytes) -> Session:
    """Return the session in the bytes of a file. Raises: one of `_UNSOUND`."""
    if path.endswith(_PACKED):
        data = unpack(data)
    session = parse_session(data)
    # The id is that of the file name: the one in the file may belong to another format
    # or be a path.
    identity = _stem(posixpath.basename(path))
    if session.id == identity:
        return session
    return replace(session, id=identity, rest={**session.rest, "formerId": session.id})


def is_name(identity: str) -> bool:
    """Return whether an id can be the name of a session file."""
    if not identity or identity.startswith("."):
        return False
    return set(identity).isdisjoint("/\\\0")


def _stem(name: str) -> str:
    """Return the id in the name of a session file; empty for any other file."""
    if name.startswith(".") or name == _ARCHIVE_NAME:
        return ""
    for ending in (_PACKED, _PLAIN):
        if name.endswith(ending):
            return name.removesuffix(ending).removesuffix(_BACKUP)
    return ""


def _fault(path: str, message: str) -> Diagnostic:
    hint = "`cuedeck resume` sets it aside and uses its backup"
    return Diagnostic(
        path=path,
        line=0,
        level="error",
        code="bad-session",
        message=f"not a valid session file: {message}",
        hint=hint,
    )


def _is_too_large(error: StorageError) -> bool:
    """Return whether a file is refused because of its size."""
    if not isinstance(error.__cause__, OSError):
        return False
    return error.__cause__.errno == errno.EFBIG
