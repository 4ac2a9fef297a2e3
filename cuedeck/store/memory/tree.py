"""The files below a folder of a memory."""

from __future__ import annotations

import os


def tree_of(folder: str) -> tuple[str, ...]:
    """Return the files below a folder by their paths in it, in order; none when it is not there."""
    found = []
    for place, _, names in os.walk(folder):
        below = os.path.relpath(place, folder).replace(os.sep, "/")
        found += [name if below == "." else f"{below}/{name}" for name in names]
    return tuple(sorted(found))
