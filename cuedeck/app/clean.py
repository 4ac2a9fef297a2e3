"""Delete what can be made again, and what nobody will finish."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING, Any

from cuedeck.model.errors import StorageError
from cuedeck.store.leftovers import leftovers, remove

if TYPE_CHECKING:
    from cuedeck.app.project import Project

KEPT = ("backup",)
"""Parts of the cache folder that only look like cache: copies that `doctor --repair` made, and what undoes set-up."""


def clean(project: Project, *, dry_run: bool = False) -> dict[str, Any]:
    """Delete the index and caches, and temporary files of dead processes; files of the user are not touched.

    The next command builds them again. Raises: StorageError.
    """
    folder = project.workspace.cache
    if os.path.islink(folder):
        raise StorageError(f"{folder} is a symbolic link", hint="delete what it leads to yourself")
    removed: list[str] = []
    size = 0
    try:
        names = sorted(os.listdir(folder))
    except FileNotFoundError:
        names = []
    except OSError as error:
        raise StorageError(f"cannot list {folder}: {error.strerror}", hint="check its permissions") from error
    try:
        for name in names:
            place = os.path.join(folder, name)
            if name in KEPT or name.endswith(".lock"):  # a lock file that others hold open must stay the same file
                continue
            size += _size(place)
            removed.append(f".cuedeck/cache/{name}")
            if not dry_run:
                shutil.rmtree(place) if _is_folder(place) else os.unlink(place)
    except OSError as error:
        raise StorageError(f"cannot clean {folder}: {error.strerror}", hint="check its permissions") from error
    counted = tuple(removed)
    for left in leftovers(project.workspace):
        if not any(left.path == path or left.path.startswith(f"{path}/") for path in counted):
            size += left.size
            removed.append(left.path)
            if not dry_run:
                remove(left)
    return {"removed": removed, "bytes": size, "dry_run": dry_run}


def _size(place: str) -> int:
    if not _is_folder(place):
        return os.lstat(place).st_size
    return sum(os.lstat(os.path.join(folder, name)).st_size for folder, _, names in os.walk(place) for name in names)


def _is_folder(place: str) -> bool:
    return os.path.isdir(place) and not os.path.islink(place)
