"""Folders without `.cuedeck/`: their root, and the paths of their caches."""

from __future__ import annotations

import os

from cuedeck.model.errors import WorkspaceMissing
from cuedeck.store.files.nofollow import is_below
from cuedeck.store.files.user_cache import make_usable, user_cache
from cuedeck.store.git.head import find_repository
from cuedeck.store.workspace_paths import WorkspacePaths, find_workspace


def find_workspace_or_folder(start: str) -> WorkspacePaths:
    """Return the nearest workspace at or above `start`, else the project folder without
    one.

    That is the top of the git checkout that contains `start`, else `start` itself.
    Nothing is created in it.

    Raises: WorkspaceMissing for the home folder, and for a folder above it, that is not
    the top of a git checkout.
    """
    try:
        return find_workspace(start)
    except WorkspaceMissing:
        return plain_folder(start)


def plain_folder(start: str) -> WorkspacePaths:
    """Return the project folder that contains `start`, without regard to a workspace.
    Raises: WorkspaceMissing.
    """
    root = _project_root(os.path.realpath(start))
    folder = user_cache()
    return WorkspacePaths(root, folder, keeps_index=make_usable(folder, root))


def _project_root(folder: str) -> str:
    repository = find_repository(folder)
    if repository is not None:
        top = repository.top(folder)
        # A checkout of the home folder holds settings; a project below it is not a part
        # of that.
        if top == folder or not _contains_home(top):
            return top
    if _contains_home(folder):
        raise WorkspaceMissing(
            f"no folder .cuedeck/ in {folder} or above it, and a folder that contains the"
            " whole home folder is not a project",
            hint="change to the folder of your project, or name it with -C DIR",
        )
    return folder


def _contains_home(folder: str) -> bool:
    home = os.path.realpath(os.path.expanduser("~"))
    return folder == home or is_below(home, folder)
