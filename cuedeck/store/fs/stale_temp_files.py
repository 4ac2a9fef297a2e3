"""Temporary files that dead processes left below `.cuedeck/`: they hold what a file was about to hold."""

from __future__ import annotations

import contextlib
import os
import re
import stat
import time
from collections.abc import Iterator
from typing import NamedTuple

from cuedeck.model.paths import HOME
from cuedeck.store.fs import nofollow
from cuedeck.store.fs.disk import failed
from cuedeck.store.workspace_paths import WorkspacePaths

_TEMPORARY = re.compile(r"(?:\..+|.+\.backup\.json(?:\.lz4)?)\.(\d+)\.tmp", re.DOTALL)
"""Names of temporary files of ours; the number is the process that writes one."""
_LONGEST_SECONDS = 86_400
"""No file is written for as long as that: a process that lives by then got the number anew."""


class Leftover(NamedTuple):
    """A file that nobody will finish."""

    path: str
    """Workspace-relative POSIX path."""
    size: int
    """Bytes."""
    place: str
    """Where it is: its name need not be text."""


def leftovers(workspace: WorkspacePaths) -> tuple[Leftover, ...]:
    """Return what dead processes left in any folder below `.cuedeck/`, by path."""
    found = []
    for folder, _, _ in os.walk(workspace.absolute(HOME)):
        for place in _left_in(folder):
            with contextlib.suppress(OSError):  # gone meanwhile
                path = os.path.relpath(place, workspace.root).replace(os.sep, "/")
                found.append(Leftover(path.encode("utf-8", "replace").decode(), os.lstat(place).st_size, place))
    return tuple(sorted(found))


def remove(left: Leftover) -> None:
    """Remove one; what is gone already is fine. Raises: StorageError."""
    try:
        nofollow.unlink(left.place)
    except FileNotFoundError:
        return
    except OSError as error:
        raise failed(f"remove {left.path}", error, "check the permissions") from error


def sweep(*folders: str) -> None:
    """Remove what dead processes left directly in these folders; for who holds the lock of the files there."""
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
    return not _is_alive(process) or time.time() - file.st_mtime > _LONGEST_SECONDS


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        return True
    return True
