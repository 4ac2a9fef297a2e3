"""Template files of a new workspace."""

from __future__ import annotations

import os
from typing import Any

from cuedeck.model.errors import failed
from cuedeck.model.paths import HOME
from cuedeck.parse.gitignore import append_lines, missing_lines
from cuedeck.store.files import nofollow
from cuedeck.store.files.disk import (
    create,
    create_numbered,
    read_bytes,
    tree_of,
    user_file,
    write_atomic,
)
from cuedeck.store.files.nofollow import PRIVATE
from cuedeck.store.git.head import find_repository
from cuedeck.store.workspace_paths import WorkspacePaths

FOLDERS = ("cards", "docs")
_IGNORE_FILE = ".gitignore"
_PRIVATE_FILES = ("USER.md",)
"""Template files that belong to the user: private, and never overwritten."""


def template_folder() -> str:
    """Return the template folder: inside an installed package, or at the root of a
    checkout.
    """
    package = os.path.dirname(os.path.dirname(os.path.dirname(__file__)))
    installed = os.path.join(package, "template")
    if os.path.isdir(installed):
        return installed
    return os.path.join(os.path.dirname(package), ".cuedeck-template")


def lay_out(root: str, *, force: bool) -> dict[str, list[Any]]:
    """Create the missing files and folders of `.cuedeck/` below `root`; return the
    paths that were created, kept, replaced (with a backup) and extended (by lines).

    An existing `.gitignore` gets the lines that it lacks. With `force`, changed
    template files are overwritten after a backup next to them; USER.md, cards and docs
    never are. Raises: StorageError.
    """
    try:
        return _lay_out(root, force)
    except OSError as error:
        raise failed(f"write in {root}", error, "check its permissions") from error


def _lay_out(root: str, force: bool) -> dict[str, list[Any]]:
    done: dict[str, list[Any]] = {
        name: [] for name in ("created", "kept", "replaced", "extended")
    }
    nofollow.make_folder(os.path.join(root, HOME), is_new_workspace=True)
    for folder in FOLDERS:
        place = os.path.join(root, HOME, folder)
        if not os.path.isdir(place):
            nofollow.make_folder(place)
            done["created"].append(f"{HOME}/{folder}/")
    template = template_folder()
    paths = WorkspacePaths(root)
    for name in tree_of(template):
        path = f"{HOME}/{name}"
        place = paths.absolute(path)
        data = read_bytes(os.path.join(template, name)) or b""
        is_private = name in _PRIVATE_FILES
        if create(place, data, mode=PRIVATE if is_private else None):
            done["created"].append(path)
            continue
        old = read_bytes(place) or b""
        if force and old != data and not is_private:
            backup = create_numbered(f"{place}.bak", old)
            write_atomic(user_file(root, path), data)
            shown = os.path.relpath(backup, root).replace(os.sep, "/")
            done["replaced"].append({"path": path, "backup": shown})
        elif name == _IGNORE_FILE and (lines := _add_ignore_lines(root, path, old)):
            done["extended"].append({"path": path, "lines": lines})
        else:
            done["kept"].append(path)
    return done


def _add_ignore_lines(root: str, path: str, data: bytes) -> list[str]:
    """Add the missing lines to an ignore file and return them; none for a symbolic
    link, which git does not read.
    """
    lines = missing_lines(data)
    if not lines or os.path.islink(os.path.join(root, path)):
        return []
    write_atomic(user_file(root, path), append_lines(data, lines))
    return list(lines)


def git_exclude(root: str) -> str:
    """Return the path of `info/exclude` of the repository that contains `root`; empty
    outside git.
    """
    repository = find_repository(root)
    if repository is None:
        return ""
    return os.path.join(repository.common, "info", "exclude")


def hide_from_git(exclude: str) -> bool:
    """Add `.cuedeck/` to `info/exclude`; return whether it was missing. Raises:
    StorageError.
    """
    line = f"{HOME}/".encode()
    data = read_bytes(exclude) or b""
    if line in [each.strip() for each in data.split(b"\n")]:
        return False
    if data and not data.endswith(b"\n"):
        data += b"\n"
    # The git directory may be a link.
    folder = os.path.realpath(os.path.dirname(os.path.dirname(exclude)))
    write_atomic(os.path.join(folder, "info", "exclude"), data + line + b"\n")
    return True
