"""What lies in folders."""

from __future__ import annotations

import os

from cuedeck.model.errors import StorageError


def names_in(folder: str) -> list[str]:
    """Return the names directly in a folder, in order; none when it is not there. Raises: StorageError."""
    try:
        return sorted(os.listdir(folder))
    except FileNotFoundError:
        return []
    except OSError as error:
        raise StorageError(f"cannot list {folder}: {error.strerror}", hint="check its permissions") from error


def tree_of(folder: str) -> tuple[str, ...]:
    """Return the files below a folder by their paths in it, in order; none when it is not there."""
    found = []
    for place, _, names in os.walk(folder):
        below = os.path.relpath(place, folder).replace(os.sep, "/")
        found += [name if below == "." else f"{below}/{name}" for name in names]
    return tuple(sorted(found))
