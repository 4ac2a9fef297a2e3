"""Files of entries below one folder of a workspace, written under one lock."""

from __future__ import annotations

import contextlib
import os
import time
from _thread import get_ident  # `threading` costs a hook a millisecond
from collections.abc import Callable, Iterator

from cuedeck.store.files import nofollow
from cuedeck.store.files.append import appending
from cuedeck.store.files.disk import failed, read_generated, write_atomic
from cuedeck.store.files.file_lock import locked
from cuedeck.store.files.fingerprint import Print, print_of
from cuedeck.store.workspace_paths import WorkspacePaths

_LATE_SECONDS = 0.015
"""Time for a program without the lock that has opened a file before it is replaced."""


class EntryFiles:
    """Files whose names are relative to one folder. Each write is durable on return."""

    def __init__(self, workspace: WorkspacePaths, root: str, lock: str) -> None:
        self.workspace = workspace
        self.root = root
        """Workspace-relative path of the folder; empty for that of the workspace."""
        self.lock = lock
        """Family of the lock of the files."""
        self._holder = 0
        """Thread that holds the lock."""

    def path(self, name: str) -> str:
        """Return the workspace-relative path of a file."""
        return f"{self.root}/{name}" if self.root else name

    def place(self, name: str) -> str:
        """Return the absolute path of a file."""
        return self.workspace.absolute(self.path(name))

    def print(self, name: str) -> Print | None:
        """Return the fingerprint of a file, or None if it is missing."""
        return print_of(self.place(name))

    def data(self, name: str) -> bytes | None:
        """Return the content of a file, or None if it is missing.

        A symbolic link in any component of the path is refused, because a repository
        could present another file of the user as its memory. Raises: StorageError.
        """
        return read_generated(self.place(name))

    def text(self, name: str) -> str | None:
        """Return the text of a file, or None if it is missing. Invalid UTF-8 is kept as
        surrogates. Raises: StorageError, also for a symbolic link.
        """
        data = self.data(name)
        return None if data is None else decode(data)

    @contextlib.contextmanager
    def writing(self, patience_seconds: float | None = None) -> Iterator[None]:
        """Hold the lock while a block runs; a block inside it holds the same lock.
        Raises: Locked, StorageError.
        """
        if self._holder == get_ident():
            yield
            return
        patience = () if patience_seconds is None else (patience_seconds,)
        with locked(self.workspace, self.lock, *patience):
            self._holder = get_ident()
            try:
                yield
            finally:
                self._holder = 0

    def add_lines(self, name: str, text: str) -> None:
        """Append whole lines to a file; create it if missing. Raises: Locked,
        StorageError.
        """
        if text:
            with self.writing(), appending(self.place(name)) as file:
                file.add(encode(text))

    def rewrite(self, name: str, make: Callable[[str], str]) -> bool:
        """Replace the text of a file by `make(text)`; return whether it changed.

        Lines that a program without the lock appends meanwhile are kept at the end.
        Raises: Locked, StorageError, and whatever `make` raises; the old file is then
        unchanged.
        """
        place = self.place(name)
        with self.writing():
            try:
                with open(place, "rb", buffering=0, opener=nofollow.opener) as old:
                    data = nofollow.read_open(old)
                    made = encode(make(decode(data)))
                    if made == data:
                        return False
                    self.write(name, made)
                    time.sleep(_LATE_SECONDS)
                    grown = os.fstat(old.fileno()).st_size - len(data)
                    late = os.pread(old.fileno(), max(grown, 0), len(data))
            except FileNotFoundError:
                made = encode(make(""))
                if made:
                    self.write(name, made)
                return bool(made)
            except OSError as error:
                hint = "nothing was changed; fix its permissions"
                raise failed(f"read {place}", error, hint) from error
            self.add_lines(name, decode(late))
            return True

    def write(self, name: str, data: bytes) -> None:
        """Replace a file; a new one is readable by its owner only. Raises:
        StorageError.
        """
        place = self.place(name)
        try:
            nofollow.make_folder(os.path.dirname(place))
        except OSError as error:
            raise failed(f"write {place}", error, "nothing was changed") from error
        write_atomic(place, data, self.workspace.cache, private=True)

    def remove(self, name: str) -> None:
        """Remove a file or an empty folder if it exists. Raises: StorageError."""
        place = self.place(name)
        try:
            with contextlib.suppress(FileNotFoundError):
                if os.path.isdir(place) and not os.path.islink(place):
                    nofollow.remove_folder(place)
                else:
                    nofollow.unlink(place)
        except OSError as error:
            hint = "nothing was changed; free space or fix its permissions"
            raise failed(f"write {self.path(name)}", error, hint) from error


def decode(data: bytes) -> str:
    """Return bytes as text from which `encode` restores the same bytes."""
    return data.decode("utf-8", "surrogateescape")


def encode(text: str) -> bytes:
    """Return the bytes of a text made by `decode`."""
    return text.encode("utf-8", "surrogateescape")
