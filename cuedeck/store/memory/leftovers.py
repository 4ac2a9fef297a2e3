"""Temporary files that dead processes left: they hold what a file was about to hold."""

from __future__ import annotations

import contextlib
import os
import re

from cuedeck.store.memory.files import FOLDER, MemoryFiles

_TEMPORARY = re.compile(r"\..+\.(\d+)\.tmp", re.DOTALL)


def sweep(files: MemoryFiles) -> None:
    """Remove the temporary files of processes that are dead; for who holds the lock."""
    for folder in (files.workspace.cache, files.place("."), files.place(FOLDER)):
        with contextlib.suppress(OSError):
            for name in os.listdir(folder):
                found = _TEMPORARY.fullmatch(name)
                if found and not _is_alive(int(found[1])):
                    with contextlib.suppress(OSError):
                        os.unlink(os.path.join(folder, name))


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        return True
    return True


def tree_of(folder: str) -> tuple[str, ...]:
    """Return the files below a folder by their paths in it, in order; none when it is not there."""
    found = []
    for place, _, names in os.walk(folder):
        below = os.path.relpath(place, folder).replace(os.sep, "/")
        found += [name if below == "." else f"{below}/{name}" for name in names]
    return tuple(sorted(found))
