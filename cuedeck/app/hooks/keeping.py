"""The last brief of the main session, as it is kept: records of memory are in it, so its owner alone reads it."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

from cuedeck.model.places import CACHE
from cuedeck.store.batch import Write, write_all
from cuedeck.store.disk import look_at
from cuedeck.store.home import remove_file

if TYPE_CHECKING:
    from cuedeck.app.project import Project

PLACE = f"{CACHE}/brief.md"


def keep_brief(project: Project, text: str) -> None:
    """Keep a brief in the place of the last one. Raises: StorageError."""
    place, data = project.workspace.absolute(PLACE), text.encode("utf-8", "replace")
    if not _is_private(place):  # a link, or a file that everybody may read, would stay one
        remove_file(project.workspace, PLACE)
    elif look_at(place) == data:
        return
    write_all([Write(place, data, private=True)], project.workspace.cache)


def is_brief_kept(project: Project) -> bool:
    """Tell whether there is a brief that is kept."""
    return os.path.lexists(project.workspace.absolute(PLACE))


def forget_brief(project: Project) -> None:
    """Remove the brief that is kept; the next session gets a new one all the same. Raises: StorageError."""
    remove_file(project.workspace, PLACE)


def _is_private(place: str) -> bool:
    try:
        mode = os.lstat(place).st_mode
    except OSError:
        return False
    return stat.S_ISREG(mode) and not mode & 0o077
