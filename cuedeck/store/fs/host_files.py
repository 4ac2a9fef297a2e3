"""Where the files of hosts are: in the workspace, never through a link that leaves it, and in the home folder."""

from __future__ import annotations

import contextlib
import glob
import os
import shutil
import sys
from collections.abc import Iterable
from typing import NamedTuple

from cuedeck.model.errors import Invalid, StorageError
from cuedeck.store.fs import nofollow
from cuedeck.store.fs.disk import failed, look_at, read_bytes
from cuedeck.store.fs.nofollow import LinkRefused
from cuedeck.store.workspace_paths import WorkspacePaths, is_below

HOME = "~/"
_MOVED = {".claude": "CLAUDE_CONFIG_DIR", ".codex": "CODEX_HOME"}
"""Folders of the home folder that a variable can put elsewhere."""


class Place(NamedTuple):
    """A file of the workspace."""

    path: str
    """Workspace-relative, of the file itself: where a link leads, when one stands in its place."""
    absolute: str


def place_of(workspace: WorkspacePaths, path: str) -> Place:
    """Follow the links on the way to a path.

    Raises: Invalid when they lead out of the workspace, into `.git`, or nowhere.
    """
    try:
        real = nofollow.follow_inside(workspace.root, workspace.absolute(path))
    except LinkRefused as error:
        hint = "put a file in its place, or point the link at a file of the workspace; nothing was changed"
        raise Invalid(str(error.strerror), hint=hint) from error
    return Place(os.path.relpath(real, os.path.realpath(workspace.root)).replace(os.sep, "/"), real)


def places_like(workspace: WorkspacePaths, pattern: str) -> list[tuple[str, str]]:
    """Return the files of a path or pattern as they are told and where they are, sorted; `~/` is the home folder."""
    if pattern.startswith(HOME):
        base, inside = _home(pattern.removeprefix(HOME))
    else:
        base, inside = workspace.root, pattern
    found = glob.glob(os.path.join(glob.escape(base), *inside.split("/")), include_hidden=True)
    told = pattern.rsplit("/", 1)[0] + "/" if "*" in pattern else ""
    return [(told + os.path.basename(each) if told else pattern, each) for each in sorted(found)]


def _home(inside: str) -> tuple[str, str]:
    folder, _, rest = inside.partition("/")
    moved = os.environ.get(_MOVED.get(folder, ""), "")
    return (moved, rest) if moved and rest else (os.path.expanduser("~"), inside)


def read_quietly(absolute: str) -> str:
    """Return the text of a file that is only looked at; empty when it is not there or cannot be read."""
    return look_at(absolute).decode("utf-8", "replace")


def read_plain(place: Place) -> bytes | None:
    """Return the bytes of a file; None when it is not there.

    Raises: StorageError for what is no plain file, such as a pipe: it could not be written either.
    """
    if os.path.exists(place.absolute) and not os.path.isfile(place.absolute):
        raise StorageError(f"{place.path} is not a regular file", hint="put a file in its place; nothing was changed")
    return read_bytes(place.absolute)


def check_folders(place: Place) -> None:
    """Look whether the folders above a file are there or can be made. Raises: StorageError for a file among them."""
    path, absolute = place
    while not os.path.exists(absolute):
        path, absolute = os.path.dirname(path), os.path.dirname(absolute)
    if absolute != place.absolute and not os.path.isdir(absolute):
        raise StorageError(f"{path} is not a folder", hint="put a folder in its place; nothing was changed")


def find_program(name: str) -> str:
    """Return where a program is that is found by its name, or stands where it says; empty when none does."""
    return shutil.which(os.path.expanduser(name)) or ""


def program_beside(name: str) -> str:
    """Return the folder of this Python where the program is, too; empty when it is not there."""
    folder = os.path.dirname(os.path.abspath(sys.executable))
    return folder if shutil.which(name, path=folder) else ""


def is_same_folder(workspace: WorkspacePaths, folder: str) -> bool:
    """Tell whether a folder, as a host's file names it, lies in the workspace; a host's own variables do."""
    if "${" in folder:
        return True
    real = os.path.realpath(os.path.join(workspace.root, os.path.expanduser(folder)))
    root = os.path.realpath(workspace.root)
    return real == root or is_below(real, root)


def make_folders(workspace: WorkspacePaths, absolute: str) -> list[str]:
    """Make the folders above a file; return those that are new, the outermost first. Raises: StorageError."""
    made = []
    folder = os.path.dirname(absolute)
    while not os.path.isdir(folder):
        made.append(folder)
        folder = os.path.dirname(folder)
    try:
        nofollow.make_folder(os.path.dirname(absolute))
    except OSError as error:
        remove_empty(workspace, (os.path.relpath(each, workspace.root).replace(os.sep, "/") for each in made))
        hint = "nothing was changed; check the permissions"
        raise failed(f"make {os.path.dirname(absolute)}", error, hint) from error
    root = os.path.realpath(workspace.root)
    return [os.path.relpath(each, root).replace(os.sep, "/") for each in reversed(made)]


def remove_empty(workspace: WorkspacePaths, folders: Iterable[str]) -> None:
    """Remove those folders that hold nothing, the innermost first."""
    for folder in sorted(set(folders), key=lambda each: (-each.count("/"), each)):
        with contextlib.suppress(OSError):
            nofollow.remove_folder(workspace.absolute(folder))
