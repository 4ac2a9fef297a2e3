"""Listing and removal of derived files in `.cuedeck/cache/`."""

from __future__ import annotations

import contextlib
import os
from typing import NamedTuple

from cuedeck.model.errors import StorageError
from cuedeck.model.paths import CACHE
from cuedeck.store.files import nofollow
from cuedeck.store.files.disk import failed, names_in
from cuedeck.store.files.nofollow import LinkRefused
from cuedeck.store.workspace_paths import WorkspacePaths

_KEPT = "backup"
"""Name that is not derived: backups made by `doctor --repair` and the data to undo
setup.
"""


class Cached(NamedTuple):
    """A file or a folder of the cache."""

    path: str
    """Workspace-relative POSIX path."""
    size: int
    """Bytes, including the content of a folder."""


def cached(paths: WorkspacePaths) -> tuple[Cached, ...]:
    """Return the derived files and folders of the cache, sorted by path.

    Lock files are not included: a process that holds a lock and a later one must use
    the same file. Raises: StorageError, also if the cache folder is a symbolic link.
    """
    folder = paths.cache
    try:
        nofollow.check(folder)
    except LinkRefused as error:
        raise StorageError(
            str(error.strerror), hint="delete its target yourself"
        ) from error
    wanted = []
    own = _own_folder(paths)
    for name in names_in(folder):
        if name == own:
            wanted += [
                f"{own}/{each}"
                for each in names_in(os.path.join(folder, own))
                if not each.endswith(".lock")
            ]
        elif name != _KEPT and not name.endswith(".lock"):
            wanted.append(name)
    try:
        return tuple(
            Cached(f"{CACHE}/{name}", _size(os.path.join(folder, name)))
            for name in wanted
        )
    except OSError as error:
        raise StorageError(
            f"cannot list {folder}: {error.strerror}", hint="check its permissions"
        ) from error


def remove_cached(paths: WorkspacePaths, each: Cached) -> None:
    """Remove a file, if it still exists, or a folder with its content. Raises:
    StorageError.
    """
    place = paths.absolute(each.path)
    try:
        if _is_folder(place):
            nofollow.remove_tree(place)
        else:
            with contextlib.suppress(FileNotFoundError):
                nofollow.unlink(place)
    except OSError as error:
        raise failed(f"clean {paths.cache}", error, "check its permissions") from error


def _own_folder(paths: WorkspacePaths) -> str:
    """Return the name of the private folder; empty where it has none."""
    try:
        return os.path.basename(paths.private)
    except StorageError:
        return ""


def _size(place: str) -> int:
    if not _is_folder(place):
        return os.lstat(place).st_size
    size = 0
    for folder, _, names in os.walk(place):
        for name in names:
            size += os.lstat(os.path.join(folder, name)).st_size
    return size


def _is_folder(place: str) -> bool:
    return os.path.isdir(place) and not os.path.islink(place)
