"""Temporary files of atomic writes that dead processes left below `.cuedeck/`."""

from __future__ import annotations

import contextlib
import os
import re
import stat
import time
from collections.abc import Iterator
from typing import NamedTuple

from cuedeck.model.paths import HOME
from cuedeck.store.files import nofollow
from cuedeck.store.files.disk import failed
from cuedeck.store.workspace_paths import WorkspacePaths

_TEMPORARY = re.compile(r"\..+\.(\d+)\.tmp", re.DOTALL)
"""Names of CueDeck's temporary files; the number is the id of the writing process."""
_LONGEST_SECONDS = 86_400
"""Age after which a temporary file is stale even if its process id is in use: the id
has been reused.
"""


class Leftover(NamedTuple):
    """A temporary file whose writer is dead."""

    path: str
    """Workspace-relative POSIX path."""
    size: int
    """Bytes."""
    place: str
    """Absolute path, which need not be valid UTF-8."""


def leftovers(paths: WorkspacePaths) -> tuple[Leftover, ...]:
    """Return the stale temporary files in all folders below `.cuedeck/`, sorted by
    path.
    """
    found = []
    for folder, _, _ in os.walk(paths.absolute(HOME)):
        for place in _left_in(folder):
            with contextlib.suppress(OSError):  # deleted since it was listed
                path = os.path.relpath(place, paths.root).replace(os.sep, "/")
                found.append(
                    Leftover(
                        path.encode("utf-8", "replace").decode(),
                        os.lstat(place).st_size,
                        place,
                    )
                )
    return tuple(sorted(found))


def remove(left: Leftover) -> None:
    """Remove a stale temporary file if it still exists. Raises: StorageError."""
    try:
        nofollow.unlink(left.place)
    except FileNotFoundError:
        return
    except OSError as error:
        raise failed(f"remove {left.path}", error, "check the permissions") from error


def sweep(*folders: str) -> None:
    """Remove the stale temporary files directly in these folders. The caller must hold
    the lock of their files.
    """
    for folder in folders:
        for place in _left_in(folder):
            with contextlib.suppress(OSError):
                nofollow.unlink(place)


def _left_in(folder: str) -> Iterator[str]:
    try:
        names = nofollow.list_folder(folder)
    except OSError:
        return
    for name in names:
        found = _TEMPORARY.fullmatch(name)
        place = os.path.join(folder, name)
        if found and _is_left(place, int(found[1])):
            yield place


def _is_left(place: str, process: int) -> bool:
    try:
        file = os.lstat(place)
    except OSError:
        return False
    if stat.S_ISDIR(file.st_mode):
        return False
    if not _is_alive(process):
        return True
    return time.time() - file.st_mtime > _LONGEST_SECONDS


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        return True
    return True
