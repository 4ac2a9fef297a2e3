"""Deletion of caches and stale temporary files (`cuedeck clean`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cuedeck.store.cache.cleanup import cached, remove_cached
from cuedeck.store.fs.stale_temp_files import leftovers, remove

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace


def clean(workspace: Workspace, *, dry_run: bool = False) -> dict[str, Any]:
    """Delete the index, the caches and the temporary files of dead processes; user files are not touched.

    The next command rebuilds the index and the caches. Raises: StorageError.
    """
    cache = cached(workspace.paths)
    inside = tuple(f"{each.path}/" for each in cache)
    paths = {each.path for each in cache}
    left = [each for each in leftovers(workspace.paths) if each.path not in paths and not each.path.startswith(inside)]
    if not dry_run:
        for each in cache:
            remove_cached(workspace.paths, each)
        for file in left:
            remove(file)
    removed = [*(each.path for each in cache), *(file.path for file in left)]
    size = sum(each.size for each in cache) + sum(file.size for file in left)
    return {"removed": removed, "bytes": size, "dry_run": dry_run}
