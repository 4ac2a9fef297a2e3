"""Deletion of caches and stale temporary files (`cuedeck clean`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cuedeck.store.cache.cache_files import cached, remove_cached
from cuedeck.store.fs.stale_temp_files import leftovers, remove

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace


def clean(workspace: Workspace, *, dry_run: bool = False) -> dict[str, Any]:
    """Delete the index, the caches and the temporary files of dead processes; user files are not touched.

    The next command rebuilds the index and the caches. Raises: StorageError.
    """
    caches = cached(workspace.paths)
    paths = {cache.path for cache in caches}
    folders = tuple(f"{path}/" for path in paths)
    stale = []
    for file in leftovers(workspace.paths):
        if file.path not in paths and not file.path.startswith(folders):
            stale.append(file)
    if not dry_run:
        for cache in caches:
            remove_cached(workspace.paths, cache)
        for file in stale:
            remove(file)
    removed = [cache.path for cache in caches]
    removed += [file.path for file in stale]
    size = sum(cache.size for cache in caches)
    size += sum(file.size for file in stale)
    return {"removed": removed, "bytes": size, "dry_run": dry_run}
