"""Deletion of caches and stale temporary files (`cuedeck clean`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from cuedeck.store.cache.cache_files import Cached, cached, remove_cached
from cuedeck.store.files.stale_temp_files import Leftover, leftovers, remove
from cuedeck.store.files.user_cache import find_outside_index, remove_outside_index

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace


def clean(workspace: Workspace, *, dry_run: bool = False) -> dict[str, Any]:
    """Delete the index, the caches and the temporary files of dead processes; user
    files are not touched.

    Of a folder without `.cuedeck/`, and of a workspace that was one, the index in the
    user's cache folder is deleted. The next command rebuilds the index and the caches.
    Raises: StorageError.
    """
    caches = cached(workspace.paths) if workspace.paths.is_initialised else ()
    stale = _uncached(leftovers(workspace.paths), caches)
    outside = find_outside_index(workspace.paths.root)
    if not dry_run:
        for cache in caches:
            remove_cached(workspace.paths, cache)
        for file in stale:
            remove(file)
        if outside is not None:
            remove_outside_index(outside)
    found = [
        *((each.path, each.size) for each in caches),
        *((each.path, each.size) for each in stale),
    ]
    if outside is not None:
        found.append((outside.place, outside.size))
    return {
        "removed": [path for path, _ in found],
        "bytes": sum(size for _, size in found),
        "dry_run": dry_run,
    }


def _uncached(files: Sequence[Leftover], caches: Sequence[Cached]) -> list[Leftover]:
    paths = {cache.path for cache in caches}
    folders = tuple(f"{path}/" for path in paths)
    return [
        file
        for file in files
        if file.path not in paths and not file.path.startswith(folders)
    ]
