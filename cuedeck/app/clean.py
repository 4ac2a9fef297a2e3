"""Delete what can be made again."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING, Any

from cuedeck.model.errors import StorageError

if TYPE_CHECKING:
    from cuedeck.app.project import Project

KEPT = ("backup",)
"""Parts of the cache folder that only look like cache: copies that `doctor --repair` made."""


def clean(project: Project, *, dry_run: bool = False) -> dict[str, Any]:
    """Delete the index and caches; files of the user are not touched. The next command builds them again.

    Raises: StorageError.
    """
    folder = project.workspace.cache
    removed: list[str] = []
    size = 0
    try:
        names = sorted(os.listdir(folder))
    except FileNotFoundError:
        names = []
    try:
        for name in names:
            place = os.path.join(folder, name)
            if name in KEPT or name.endswith(".lock"):  # a lock file that others hold open must stay the same file
                continue
            size += _size(place)
            removed.append(f".cuedeck/cache/{name}")
            if not dry_run:
                shutil.rmtree(place) if os.path.isdir(place) else os.unlink(place)
    except OSError as error:
        raise StorageError(f"cannot clean {folder}: {error.strerror}", hint="check its permissions") from error
    return {"removed": removed, "bytes": size, "dry_run": dry_run}


def _size(place: str) -> int:
    if not os.path.isdir(place):
        return os.path.getsize(place)
    return sum(os.path.getsize(os.path.join(folder, name)) for folder, _, names in os.walk(place) for name in names)
