"""Reader of a folder that another program wrote, inside or outside the workspace.

The folder is never written. Links in it are listed and not followed. The path that the
user gives may itself lead through links.
"""

from __future__ import annotations

import os
import stat
from typing import NamedTuple

from cuedeck.model.errors import Invalid, NotFound, StorageError
from cuedeck.store.files import nofollow

MAX_BYTES = 64_000_000
"""Size of the largest file that is read."""
MAX_DEPTH = 64
"""Levels of folders that are listed."""


class ForeignFile(NamedTuple):
    """A file in the folder, or a name that cannot be read."""

    path: str
    """Relative to the folder, with `/`; bytes that are not UTF-8 are surrogates."""
    problem: str = ""
    """Reason why it cannot be read; empty for a regular file."""


class ForeignFolder:
    """A folder of another program."""

    def __init__(self, place: str) -> None:
        """Raises: NotFound if there is no folder at this path."""
        self.root = os.path.realpath(place)
        if not os.path.isdir(self.root):
            raise NotFound(
                f"{place} is not a folder", hint="give the folder of the other program"
            )

    def names(self, folder: str = "") -> list[str]:
        """Return the names in a folder, sorted; none if it is missing or a link."""
        try:
            return nofollow.list_folder(self._place(folder))
        except OSError:
            return []

    def has_folder(self, path: str) -> bool:
        """Return whether a path is a folder and not a link."""
        return stat.S_ISDIR(self._mode(path))

    def has_file(self, path: str) -> bool:
        """Return whether a path is a regular file."""
        return stat.S_ISREG(self._mode(path))

    def files(self, folder: str) -> list[ForeignFile]:
        """Return the files at any depth below a folder, sorted by the bytes of their
        paths. Hidden folders are listed and not entered.
        """
        found: list[ForeignFile] = []
        waiting = [folder]
        while waiting:
            above = waiting.pop()
            try:
                entries = nofollow.scan_folder(self._place(above))
            except FileNotFoundError:
                continue
            except OSError as error:
                found.append(ForeignFile(above, f"cannot be listed: {error.strerror}"))
                continue
            for name, status in entries:
                path = f"{above}/{name}" if above else name
                problem = _problem(path, status.st_mode)
                is_folder = stat.S_ISDIR(status.st_mode)
                if is_folder and not problem:
                    waiting.append(path)
                else:
                    found.append(ForeignFile(path, problem))
        return sorted(found, key=_path_bytes)

    def read(self, path: str) -> bytes:
        """Return the content of a file. Raises: StorageError."""
        try:
            return nofollow.read_file(self._place(path), MAX_BYTES)
        except OSError as error:
            raise StorageError(
                f"cannot be read: {error.strerror}", hint="check its permissions"
            ) from error

    def text(self, path: str) -> str:
        """Return the content of a UTF-8 file unchanged. Raises: StorageError; Invalid
        for any other content.
        """
        try:
            text = self.read(path).decode()
        except UnicodeDecodeError as error:
            raise Invalid(f"byte {error.start + 1} is not valid UTF-8") from None
        if "\0" in text:
            raise Invalid("it is a binary file")
        return text

    def _place(self, path: str) -> str:
        return os.path.join(self.root, *path.split("/"))

    def _mode(self, path: str) -> int:
        try:
            return nofollow.status(self._place(path)).st_mode
        except OSError:
            return 0


def _problem(path: str, mode: int) -> str:
    name = path.rsplit("/", 1)[-1]
    try:
        name.encode()
    except UnicodeEncodeError:
        return "its name is not valid UTF-8"
    if stat.S_ISLNK(mode):
        return "a link is not followed"
    if stat.S_ISDIR(mode):
        if name.startswith("."):
            return "a hidden folder is not read"
        if path.count("/") >= MAX_DEPTH:
            return f"folders of more than {MAX_DEPTH} levels are not read"
        return ""
    if not stat.S_ISREG(mode):
        return "it is not a regular file"
    return ""


def _path_bytes(file: ForeignFile) -> bytes:
    return file.path.encode("utf-8", "surrogateescape")
