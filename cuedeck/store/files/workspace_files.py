"""Direct access to files of `.cuedeck/` for listing, checks and repair, without the
index.
"""

from __future__ import annotations

import os
import posixpath
import sqlite3
import stat
from typing import Literal, NamedTuple

from cuedeck.model.formatting import replace_surrogates
from cuedeck.model.paths import CACHE
from cuedeck.store.files import nofollow
from cuedeck.store.files.disk import create_numbered, failed, read_bytes
from cuedeck.store.index import schema
from cuedeck.store.workspace_paths import WorkspacePaths

Presence = Literal["file", "folder", ""]


class HomeEntry(NamedTuple):
    """A directory entry of a folder of `.cuedeck/`."""

    path: str
    """Workspace-relative POSIX path."""
    is_folder: bool


def list_folder(paths: WorkspacePaths, folder: str) -> tuple[HomeEntry, ...]:
    """Return the entries of a folder, sorted by path; none if it cannot be listed."""
    try:
        with os.scandir(paths.absolute(folder)) as entries:
            found = [
                HomeEntry(
                    posixpath.join(folder, replace_surrogates(entry.name)),
                    _is_folder(entry),
                )
                for entry in entries
            ]
    except OSError:
        return ()
    return tuple(sorted(found))


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a symbolic link loop
        return False


def presence(paths: WorkspacePaths, path: str) -> Presence:
    """Return whether a path of the workspace is a file, a folder or missing on disk,
    regardless of the index.
    """
    try:
        place = paths.absolute(path)
        if os.path.isdir(place):
            return "folder"
        if os.path.exists(place):
            return "file"
        return ""
    except ValueError:  # a NUL in the path
        return ""


def database_fault(place: str) -> str:
    """Return how an SQLite file is corrupt; empty if it is sound, missing or cannot be
    opened.

    The file is opened read-only, so that the check does not change it.
    """
    if not os.path.isfile(place):
        return ""
    try:
        database = schema.open_read_only(place)
    except (sqlite3.OperationalError, OSError):
        return ""
    try:
        answer = str(database.execute("PRAGMA quick_check(1)").fetchone()[0])
    except sqlite3.OperationalError as error:
        if "malformed" not in str(error):
            return ""
        return str(error)
    except sqlite3.DatabaseError as error:
        return str(error)
    finally:
        database.close()
    if answer == "ok":
        return ""
    return " ".join(answer.split())


def make_folder(paths: WorkspacePaths, path: str) -> None:
    """Create a folder and its parents. Raises: StorageError."""
    try:
        nofollow.make_folder(paths.absolute(path))
    except OSError as error:
        raise failed(f"make {path}", error, "check the permissions") from error


def remove_file(paths: WorkspacePaths, path: str) -> None:
    """Remove a file if it exists. Raises: StorageError."""
    try:
        nofollow.unlink(paths.absolute(path))
    except FileNotFoundError:
        return
    except OSError as error:
        raise failed(f"remove {path}", error, "check the permissions") from error


def remove_database(place: str) -> None:
    """Remove the file of an index, which the next command rebuilds; an empty path names
    none. Raises: StorageError.
    """
    try:
        if place:
            schema.remove_index(place)
    except OSError as error:
        raise failed("remove the index", error, "check the permissions") from error


def back_up(paths: WorkspacePaths, path: str) -> str | None:
    """Copy a file to `.cuedeck/cache/backup/<name>`, or `<name>.1` and so on; never
    overwrite a copy. Return the path of the copy, or None for a missing file.

    The copy has the permissions of the file from the start. Raises: StorageError if the
    copy cannot be written.
    """
    data = read_bytes(paths.absolute(path))
    if data is None:
        return None
    place = os.path.join(paths.cache, "backup", posixpath.basename(path))
    copy = create_numbered(place, data, _mode(paths.absolute(path)))
    return f"{CACHE}/backup/{os.path.basename(copy)}"


def _mode(place: str) -> int:
    """Return the permissions of a file; private ones if it has been deleted."""
    try:
        return stat.S_IMODE(os.stat(place).st_mode) & 0o777
    except OSError:
        return 0o600
