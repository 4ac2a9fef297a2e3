"""Session files: replaced as a whole, with the state before as a backup; large ones are compressed."""

from __future__ import annotations

import contextlib
import errno
import os
import posixpath
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.model.errors import StorageError
from cuedeck.model.paths import HOME, OPEN_SESSION, SESSION_ARCHIVE, SESSIONS
from cuedeck.model.session import Session
from cuedeck.parse.session_file import format_session, parse_session
from cuedeck.store.fs import nofollow
from cuedeck.store.fs.disk import LARGEST_POINTER, failed, read_generated, read_text, write_atomic, write_if_changed
from cuedeck.store.fs.nofollow import LinkRefused
from cuedeck.store.workspace_paths import WorkspacePaths

if TYPE_CHECKING:
    from cuedeck.model.file import Diagnostic

_OLD_FOLDER = f"{HOME}/.cache/sessions"
"""Where the oldest shapes were kept; they are read there and written to `SESSIONS`."""
_PLAIN, _PACKED = ".json", ".json.lz4"
_BACKUP = ".backup"
_ASIDE = re.compile(r".+\.json(\.lz4)?\.corrupt(\.\d+)?", re.DOTALL)
_UNSOUND = (ValueError, RuntimeError, EOFError)
"""What reading raises of a file that is no session."""


class Loaded(NamedTuple):
    """A session as it was found, and what was wrong with its files."""

    session: Session | None
    faults: tuple[Diagnostic, ...]
    broken: tuple[str, ...]
    """Paths of the files that cannot be read as a session."""


class SessionFiles:
    """The sessions of a workspace, each known by the name of its file; writers hold the lock `sessions`."""

    def __init__(self, workspace: WorkspacePaths) -> None:
        self._workspace = workspace
        self._known: dict[str, tuple[bytes, Session]] = {}
        """By path: the bytes of a file that were read, and the session they are."""

    def ids(self) -> Sequence[str]:
        """Return the ids that files are named for, sorted; also of a session of which only the backup is left."""
        found = set()
        for folder in (SESSIONS, _OLD_FOLDER):
            with contextlib.suppress(OSError):
                for name in os.listdir(self._workspace.absolute(folder)):
                    stem = _stem(name)
                    if stem:
                        found.add(stem)
        return sorted(found)

    def aside(self) -> Sequence[str]:
        """Return the paths of the files that were set aside, sorted."""
        with contextlib.suppress(OSError):
            names = os.listdir(self._workspace.absolute(SESSIONS))
            return sorted(f"{SESSIONS}/{name}" for name in names if _ASIDE.fullmatch(name))
        return ()

    def load(self, identity: str) -> Loaded:
        """Return a session: its newest sound file; where one is broken or missing its backups count too."""
        faults: list[Diagnostic] = []
        broken: list[str] = []
        sound: list[Session] = []
        for stem in (identity, identity + _BACKUP):
            for path in self._files(stem):
                try:
                    sound.append(self._read(path))
                except _UNSOUND as error:
                    broken.append(path)
                    faults.append(_fault(path, str(error)))
            if sound and not broken:
                break
        return Loaded(max(sound, key=lambda each: each.last_access, default=None), tuple(faults), tuple(broken))

    def every(self) -> Iterator[Session]:
        """Yield every session that can be read, by id."""
        for identity in self.ids():
            session = self.load(identity).session
            if session is not None:
                yield session

    def write(self, session: Session, most_bytes: int) -> None:
        """Replace the file of a session durably; above `most_bytes` it is compressed. Raises: StorageError."""
        if not is_name(session.id):
            raise StorageError(f"`{session.id}` is not a valid session id", hint="nothing was written")
        data = format_session(session)
        ending = _PACKED if len(data) > most_bytes else _PLAIN
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
        """Make a session the open one, or none. Raises: StorageError."""
        from cuedeck.store.fs.workspace_files import remove_file

        if identity:
            place = self._workspace.absolute(OPEN_SESSION)
            write_if_changed(place, f"{identity}\n".encode(), self._workspace.absolute(SESSIONS), private=True)
        else:
            remove_file(self._workspace, OPEN_SESSION)
        nofollow.sync_folder(self._workspace.absolute(SESSIONS))

    def pointed(self) -> str:
        """Return the id of the session that is open, or empty. Raises: StorageError."""
        try:
            return (read_text(self._workspace.absolute(OPEN_SESSION), LARGEST_POINTER) or "").strip()
        except StorageError as error:
            if isinstance(error.__cause__, LinkRefused) or _is_too_large(error):
                return ""  # a link or a large file is no pointer that CueDeck wrote
            raise

    def set_aside(self, path: str) -> str:
        """Rename a broken file, never onto another one; return its new path. Raises: StorageError."""
        number = 0
        while True:
            aside = f"{path}.corrupt{f'.{number}' if number else ''}"
            if not os.path.lexists(self._workspace.absolute(aside)):
                break
            number += 1
        try:
            nofollow.replace(self._workspace.absolute(path), self._workspace.absolute(aside))
        except OSError as error:
            raise failed(f"rename {path}", error, "check the permissions") from error
        return aside

    def remove(self, identity: str) -> None:
        """Remove the files of a session, the newest last, so that what a crash leaves is never an older state.

        Raises: StorageError.
        """
        from cuedeck.store.fs.workspace_files import remove_file

        for stem in (identity + _BACKUP, identity):
            for path in self._files(stem):
                remove_file(self._workspace, path)
        nofollow.sync_folder(self._workspace.absolute(SESSIONS))

    def _read(self, path: str) -> Session:
        """Read one file, once for each state of it. Raises: one of `_UNSOUND` when it is no session."""
        try:
            data = read_generated(self._workspace.absolute(path)) or b""
        except StorageError as error:
            if isinstance(error.__cause__, LinkRefused):
                raise ValueError("a symbolic link is in its place, or on the way to it") from None
            if _is_too_large(error):
                raise ValueError("it is too large to be read") from None
            raise
        if path not in self._known or self._known[path][0] != data:
            text = data
            if path.endswith(_PACKED):
                from cuedeck.store.fs.unpacking import unpack

                text = unpack(data)
            session = parse_session(text)
            # The name of the file is the id: what stands in it may be that of another shape, or lead anywhere.
            identity = _stem(posixpath.basename(path))
            if session.id != identity:
                session = replace(session, id=identity, rest={**session.rest, "formerId": session.id})
            self._known[path] = (data, session)
        return self._known[path][1]

    def _files(self, stem: str) -> list[str]:
        paths = (f"{folder}/{stem}{ending}" for folder in (SESSIONS, _OLD_FOLDER) for ending in (_PLAIN, _PACKED))
        return [path for path in paths if os.path.isfile(self._workspace.absolute(path))]

    def _keep_backup(self, identity: str) -> None:
        """Give the file as it is now a second name; the data is not copied."""
        for ending in (_PLAIN, _PACKED):
            place = self._workspace.absolute(f"{SESSIONS}/{identity}{ending}")
            backup = self._workspace.absolute(f"{SESSIONS}/{identity}{_BACKUP}{ending}")
            if not os.path.isfile(place):
                continue
            try:
                self._read(f"{SESSIONS}/{identity}{ending}")
            except _UNSOUND:  # the backup that is there is worth more
                self.set_aside(f"{SESSIONS}/{identity}{ending}")
                continue
            step = f"{backup}.{os.getpid()}.tmp"
            try:
                nofollow.hard_link(place, step)
                nofollow.replace(step, backup)
            except OSError:  # a file system without hard links
                write_atomic(backup, read_generated(place) or b"", private=True)
            finally:
                with contextlib.suppress(OSError):
                    nofollow.unlink(step)
            for other in {_PLAIN, _PACKED} - {ending}:
                with contextlib.suppress(OSError):
                    nofollow.unlink(self._workspace.absolute(f"{SESSIONS}/{identity}{_BACKUP}{other}"))

    def _remove(self, identity: str, *, but: str) -> None:
        for ending in {_PLAIN, _PACKED} - {but}:
            with contextlib.suppress(OSError):
                nofollow.unlink(self._workspace.absolute(f"{SESSIONS}/{identity}{ending}"))


def is_name(identity: str) -> bool:
    """Tell whether a file in the folder of sessions can be named for an id."""
    return bool(identity) and not identity.startswith(".") and not set(identity) & set("/\\\0")


def _stem(name: str) -> str:
    for ending in (_PACKED, _PLAIN):
        if name.endswith(ending) and not name.startswith("."):
            stem = name.removesuffix(ending)
            return "" if name == os.path.basename(SESSION_ARCHIVE) else stem.removesuffix(_BACKUP)
    return ""


def _fault(path: str, message: str) -> Diagnostic:
    from cuedeck.model.file import Diagnostic

    hint = "`cuedeck resume` sets it aside and uses its backup"
    return Diagnostic(path, 0, "error", "bad-session", f"not a valid session file: {message}", hint)


def _is_too_large(error: StorageError) -> bool:
    """Return whether a file is refused because of its size."""
    return isinstance(error.__cause__, OSError) and error.__cause__.errno == errno.EFBIG
