"""Which parts of the tree to look at when some paths changed."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Iterable, Mapping

from cuedeck.store.verdicts import FOLDER


def areas_of(paths: Iterable[str], root: str, verdicts: Mapping[str, int], *, has_links: bool) -> set[str]:
    """Return what to look at: each path, or the highest folder above it that is not known to be visible."""
    areas: set[str] = set()
    parents: dict[str, str] = {}
    for path in sorted(paths):
        for each in {path, _real(path, root, parents)} if has_links else {path}:
            steps = each.split("/")
            folders = ("/".join(steps[:end]) for end in range(1, len(steps)))
            areas.add(next((folder for folder in folders if verdicts.get(folder) != FOLDER), each))
    return {area for area in areas if not is_within(posixpath.dirname(area), areas)}


def is_within(path: str, areas: set[str]) -> bool:
    """Tell whether a path is one of the areas or lies in one."""
    while path:
        if path in areas:
            return True
        path = posixpath.dirname(path)
    return False


def _real(path: str, root: str, parents: dict[str, str]) -> str:
    """Return a path without links to folders in it: a watcher may come upon a file by such a way alone."""
    parent = posixpath.dirname(path)
    if parent not in parents:
        real = os.path.relpath(os.path.realpath(os.path.join(root, parent)), root)
        outside = real == ".." or real.startswith(".." + os.sep)
        parents[parent] = parent if outside else "" if real == "." else real.replace(os.sep, "/")
    return posixpath.join(parents[parent], posixpath.basename(path))
