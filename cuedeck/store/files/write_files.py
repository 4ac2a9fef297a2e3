"""Durable writes of many generated files at the price of a few waits for the disk.

A separate write of each file waits twice for the disk: for its content and for its
name. Here the files of a group wait together. The content of the whole group is durable
before the first name changes, so a crash or a power failure leaves each file with its
old or its new content, never with a part of it.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import sys
from _thread import get_ident
from collections.abc import Sequence
from typing import NamedTuple

from cuedeck.model.errors import StorageError
from cuedeck.store.files import nofollow
from cuedeck.store.files.disk import (
    NewContent,
    failed,
    mode_of_new,
    read_generated,
    write_atomic,
    write_new,
)

_GROUP = 1_000
"""Most files of a group. A killed process leaves at most this many temporary files."""
_FEW = 16
"""Most files that are made durable one by one: one call for a whole file system waits
for the data of other programs, too.
"""


class _Ready(NamedTuple):
    temporary: str
    file: NewContent


def write_files(files: Sequence[NewContent], scratch: str) -> None:
    """Replace each file whose bytes differ, atomically; all are durable on return. A
    new file is readable by its owner only.

    `scratch` is the folder of the temporary files. Raises: StorageError; some of the
    files may be written.
    """
    folders = {os.path.dirname(file.place): None for file in files}
    for folder in folders:
        try:
            nofollow.make_folder(folder)
        except OSError as error:
            hint = "free space or fix the permissions"
            raise failed(f"write {folder}", error, hint) from error
    changed = [file for file in files if not _is_written(file)]
    try:
        for start in range(0, len(changed), _GROUP):
            _write_group(changed[start : start + _GROUP], scratch)
    finally:
        for folder in {os.path.dirname(file.place): None for file in changed}:
            nofollow.sync_folder(folder)


def _is_written(file: NewContent) -> bool:
    try:
        return read_generated(file.place) == file.data
    except StorageError:  # an unreadable file can still be replaced
        return False


def _write_group(group: Sequence[NewContent], scratch: str) -> None:
    """Write a group; when it cannot be written at once, write its files one by one,
    which names the file that fails.
    """
    ready: list[_Ready] = []
    try:
        nofollow.make_folder(scratch)
        for number, file in enumerate(group):
            name = f".{number}.{get_ident()}.{os.getpid()}.tmp"
            each = _Ready(os.path.join(scratch, name), file)
            mode = mode_of_new(file.place, private=True)
            ready.append(each)
            write_new(each.temporary, file.data, mode, synced=False)
        _sync([each.temporary for each in ready], scratch)
        for each in ready:
            nofollow.replace(each.temporary, each.file.place)
    except OSError:  # also because `scratch` is on another file system
        for file in group:
            if not _is_written(file):
                write_atomic(file.place, file.data, scratch, private=True)
    finally:
        for each in ready:
            with contextlib.suppress(OSError):
                nofollow.unlink(each.temporary)


def _sync(places: Sequence[str], folder: str) -> None:
    """Make the contents of files in a folder durable. Raises: OSError."""
    if len(places) > _FEW and _sync_file_system(folder):
        return
    for place in places:
        handle = nofollow.open_file(place, os.O_RDWR)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _sync_file_system(folder: str) -> bool:
    """Make the file system of a folder durable by one call; return whether that
    succeeded. Only Linux has the call: there, it waits and reports errors of the disk.
    """
    if sys.platform != "linux":
        return False
    try:
        call = ctypes.CDLL(None).syncfs
        handle = nofollow.open_file(folder, os.O_RDONLY)
    except (AttributeError, OSError):
        return False
    try:
        return bool(call(handle) == 0)
    finally:
        os.close(handle)
