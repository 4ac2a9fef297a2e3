"""Paths of agent host files in the workspace (never through a link that leaves it) and
in the home folder.
"""

from __future__ import annotations

import contextlib
import glob
import os
import shutil
import sys
from collections.abc import Iterable
from typing import NamedTuple

from cuedeck.model.errors import Invalid, StorageError
from cuedeck.store.files import nofollow
from cuedeck.store.files.disk import failed, look_at, read_bytes
from cuedeck.store.files.home_place import HOME, home_place, split_home
from cuedeck.store.files.nofollow import LinkRefused, is_below
from cuedeck.store.workspace_paths import WorkspacePaths


class Place(NamedTuple):
    """A file of the workspace, or of the user."""

    path: str
    """Workspace-relative path of the real file, with links resolved; `~/…` for a file
    in the home folder.
    """
    absolute: str


def place_of(paths: WorkspacePaths, path: str) -> Place:
    """Return the real file of a path, with links resolved; `~/` is the home folder.

    Raises: Invalid if a path of the workspace leaves it, leads into `.git`, or is a
    dangling link.
    """
    if path.startswith(HOME):
        return Place(path, os.path.realpath(home_place(path)))
    try:
        real = nofollow.follow_inside(paths.root, paths.absolute(path))
    except LinkRefused as error:
        hint = "put a file in its place, or point the link at a file of the workspace; nothing was changed"
        raise Invalid(str(error.strerror), hint=hint) from error
    return Place(_relative(real, os.path.realpath(paths.root)), real)


def _relative(absolute: str, root: str) -> str:
    return os.path.relpath(absolute, root).replace(os.sep, "/")


def places_like(paths: WorkspacePaths, pattern: str) -> list[tuple[str, str]]:
    """Return (path for display, absolute path) of the files that match a path or
    pattern, sorted.

    `~/` is the home folder.
    """
    base, inside = paths.root, pattern
    if pattern.startswith(HOME):
        base, inside = split_home(pattern)
    places = sorted(
        glob.glob(
            os.path.join(glob.escape(base), *inside.split("/")), include_hidden=True
        )
    )
    if "*" not in pattern:
        return [(pattern, place) for place in places]
    folder = pattern.rsplit("/", 1)[0]
    return [(f"{folder}/{os.path.basename(place)}", place) for place in places]


def read_quietly(absolute: str) -> str:
    """Return the text of a file; empty if it is missing or cannot be read."""
    return look_at(absolute).decode("utf-8", "replace")


def read_plain(place: Place) -> bytes | None:
    """Return the bytes of a file, or None if it is missing.

    Raises: StorageError if the path is not a regular file, because it could not be
    written either.
    """
    if os.path.exists(place.absolute) and not os.path.isfile(place.absolute):
        raise StorageError(
            f"{place.path} is not a regular file",
            hint="put a file in its place; nothing was changed",
        )
    return read_bytes(place.absolute)


def check_folders(place: Place) -> None:
    """Raise StorageError if a parent of a file is not a folder, so that the file could
    not be created.
    """
    path, absolute = place
    while not os.path.exists(absolute):
        path, absolute = os.path.dirname(path), os.path.dirname(absolute)
    if absolute != place.absolute and not os.path.isdir(absolute):
        raise StorageError(
            f"{path} is not a folder",
            hint="put a folder in its place; nothing was changed",
        )


def find_program(name: str) -> str:
    """Return the path of a program given by name (searched in PATH) or by path; empty
    if it is not found.
    """
    return shutil.which(os.path.expanduser(name)) or ""


def folder_of_installed_program(name: str) -> str:
    """Return the folder of the running Python if it contains the program; else
    empty.
    """
    folder = os.path.dirname(os.path.abspath(sys.executable))
    if not shutil.which(name, path=folder):
        return ""
    return folder


def is_same_folder(paths: WorkspacePaths, folder: str) -> bool:
    """Return whether a folder named in a host's settings is in the workspace; paths
    with `${` are assumed to be.
    """
    if "${" in folder:
        return True
    real = os.path.realpath(os.path.join(paths.root, os.path.expanduser(folder)))
    root = os.path.realpath(paths.root)
    return real == root or is_below(real, root)


def make_folders(paths: WorkspacePaths, absolute: str) -> list[str]:
    """Create the parent folders of a file; return the new ones, outermost first.
    Raises: StorageError.
    """
    parent = os.path.dirname(absolute)
    missing = []
    folder = parent
    while not os.path.isdir(folder):
        missing.append(folder)
        folder = os.path.dirname(folder)
    try:
        nofollow.make_folder(parent)
    except OSError as error:
        remove_empty(paths, [_relative(each, paths.root) for each in missing])
        raise failed(
            f"make {parent}", error, "nothing was changed; check the permissions"
        ) from error
    root = os.path.realpath(paths.root)
    return [_relative(each, root) for each in reversed(missing)]


def remove_empty(paths: WorkspacePaths, folders: Iterable[str]) -> None:
    """Remove the empty ones of these folders, innermost first."""
    for folder in sorted(set(folders), key=lambda each: (-each.count("/"), each)):
        with contextlib.suppress(OSError):
            nofollow.remove_folder(paths.absolute(folder))


def remove_empty_parents(absolute: str) -> None:
    """Remove the empty folders above a file, below the home folder."""
    home = os.path.realpath(os.path.expanduser("~"))
    folder = os.path.dirname(absolute)
    with contextlib.suppress(OSError):
        while folder != home:
            nofollow.remove_folder(folder)
            folder = os.path.dirname(folder)
