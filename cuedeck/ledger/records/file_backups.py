"""Private files of a memory, and its backups in `memory/undo/`: the versions that were
replaced last, each named after its file and its hash.

`memory forget` deletes a record from these files, too.
"""

from __future__ import annotations

import contextlib
import os
import posixpath
import re

from cuedeck.ledger.records.memory_files import UNDO, MemoryFiles
from cuedeck.store.files import nofollow
from cuedeck.store.files.append import appending
from cuedeck.store.files.disk import failed, names_in, write_atomic

_KEPT = 5
"""Number of backups of one file."""


def keep_backup(files: MemoryFiles, name: str, data: bytes, identity: str) -> str:
    """Write the backup of a version of a file; return its name. The caller must hold
    the lock of the memory.

    `identity` is the hash of `data`. Raises: StorageError.
    """
    stem = posixpath.basename(name).removesuffix(".md")
    backup = f"{UNDO}/{stem}-{identity}.md"
    place = files.place(backup)
    try:
        nofollow.make_folder(os.path.dirname(place))
    except OSError as error:
        raise failed(f"write {place}", error, "nothing was changed") from error
    write_atomic(place, data, files.workspace.cache, private=True)
    _remove_oldest(files, stem, backup)
    return backup


def _remove_oldest(files: MemoryFiles, stem: str, newest: str) -> None:
    """Remove all but the newest backups of a file."""
    pattern = re.compile(rf"{re.escape(stem)}-[0-9a-f]{{16}}\.md")
    found = [
        f"{UNDO}/{name}"
        for name in names_in(files.place(UNDO))
        if pattern.fullmatch(name)
    ]
    dated = sorted(
        (os.lstat(files.place(name)).st_mtime_ns, name)
        for name in found
        if name != newest
    )
    for _, name in dated[: max(0, len(dated) - _KEPT + 1)]:
        remove(files, name)


def write_private(files: MemoryFiles, name: str, data: bytes) -> None:
    """Replace a file; a new one is readable by its owner only. Raises: StorageError."""
    place = files.place(name)
    if not os.path.lexists(place):
        with appending(place, synced=False) as end:
            end.add(b"")
    write_atomic(place, data, files.workspace.cache)


def remove(files: MemoryFiles, name: str) -> None:
    """Remove a file or an empty folder if it exists. Raises: StorageError."""
    place = files.place(name)
    try:
        with contextlib.suppress(FileNotFoundError):
            if os.path.isdir(place) and not os.path.islink(place):
                nofollow.remove_folder(place)
            else:
                nofollow.unlink(place)
    except OSError as error:
        raise failed(
            f"write {files.path(name)}",
            error,
            "nothing was changed; free space or fix its permissions",
        ) from error
