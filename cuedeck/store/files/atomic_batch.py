"""All-or-nothing write of several files."""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Sequence
from typing import NamedTuple

from cuedeck.model.errors import StorageError
from cuedeck.store.files import nofollow
from cuedeck.store.files.disk import failed, mode_of_new, write_new

_WRITE_BITS = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH


class Write(NamedTuple):
    """A new content or the removal of one file."""

    place: str
    data: bytes | None
    """None to remove the file."""
    private: bool = False
    """Whether a new file is readable by its owner only."""
    expected: tuple[bytes | None] | None = None
    """The only content that may be replaced, (None,) for a missing file; None if any
    may be.
    """


class _Changed(OSError):
    """Another program changed a file before its replacement."""


class _Ready(NamedTuple):
    write: Write
    new: str
    """Temporary file with the new content."""
    old: str
    """Hard link to or copy of the old file, if there is one."""


def write_all(writes: Sequence[Write], scratch: str) -> None:
    """Write all files or none: first write every temporary file, then rename each into
    place.

    A failure or an interruption rolls back the files already renamed. If the rollback
    of a file fails too, its old content is kept in the folder of the temporary files:
    `scratch` if it is on the same disk, else the file's own. Raises: StorageError,
    whose hint names the files that were not rolled back and their old content.
    """
    ready: list[_Ready] = []
    begun: list[_Ready] = []
    kept: list[_Ready] = []
    place = scratch
    try:
        nofollow.make_folder(scratch)
        for number, write in enumerate(writes):
            place = write.place
            parent = os.path.dirname(place)
            is_same_device = os.stat(scratch).st_dev == os.stat(parent).st_dev
            folder = scratch if is_same_device else parent
            name = f".{os.path.basename(place)}.{number}.{os.getpid()}"
            stem = os.path.join(folder, name)
            ready.append(_Ready(write, f"{stem}.tmp", f"{stem}.old"))
            _prepare(ready[-1])
        for each in ready:
            place = each.write.place
            _check_unchanged(each.write)
            begun.append(each)
            _put(each.new if each.write.data is not None else "", place)
    except BaseException as error:  # also on Ctrl-C: a partial batch must not remain
        if not isinstance(error, OSError):
            _take_back(begun)
            raise
        if begun and begun[-1].write.place == place:
            begun.pop()  # its file was not renamed
        kept = _take_back(begun)
        raise _failure(place, error, kept) from error
    finally:
        for each in ready:
            for name in (each.new, each.old):
                if each not in kept or name != each.old:
                    with contextlib.suppress(OSError):
                        nofollow.unlink(name)


def _failure(place: str, error: OSError, kept: Sequence[_Ready]) -> StorageError:
    """Return the error for a batch that failed at `place`; `kept` are the files that
    were not rolled back.
    """
    if kept:
        files = []
        for each in kept:
            old = f" (as it was: {each.old})" if os.path.lexists(each.old) else ""
            files.append(f"{each.write.place}{old}")
        hint = f"written, and cannot be restored: {', '.join(files)}; free space or fix the permissions"
        return StorageError(f"cannot write {place}: {error.strerror}", hint=hint)
    if isinstance(error, _Changed):
        return StorageError(
            f"another program changed {place} meanwhile",
            hint="nothing was changed; run the command again",
        )
    hint = "nothing was changed; free space or fix the permissions"
    return failed(f"write {place}", error, hint)


def _prepare(ready: _Ready) -> None:
    """Write the temporary files of one write. Raises: OSError for a place that cannot
    be written, and for a read-only file whose content is the user's; root ignores its
    permissions.
    """
    write = ready.write
    place = write.place
    exists = os.path.lexists(place)
    if exists and (os.path.islink(place) or not os.path.isfile(place)):
        raise OSError(0, "it is not a regular file")
    if not os.access(os.path.dirname(place), os.W_OK):
        raise OSError(0, f"nothing can be written in {os.path.dirname(place)}")
    if exists and write.expected is not None:
        bits = os.stat(place).st_mode & _WRITE_BITS
        if not bits or not os.access(place, os.W_OK):
            raise OSError(0, "it is read-only")
    mode = mode_of_new(place, private=write.private)
    if exists:
        with contextlib.suppress(FileNotFoundError):
            nofollow.unlink(ready.old)
        try:
            nofollow.hard_link(place, ready.old)
        except OSError:  # a file system without hard links
            write_new(ready.old, nofollow.read_file(place), mode)
    if write.data is not None:
        write_new(ready.new, write.data, mode)


def _check_unchanged(write: Write) -> None:
    """Raise `_Changed` if a file no longer has its expected content."""
    if write.expected is None:
        return
    try:
        found = nofollow.read_file(write.place)
    except FileNotFoundError:
        found = None
    if found != write.expected[0]:
        raise _Changed(0, "it changed meanwhile")


def _put(new: str, place: str) -> None:
    if new:
        nofollow.replace(new, place)
    else:
        nofollow.unlink(place)


def _take_back(ready: Sequence[_Ready]) -> list[_Ready]:
    """Restore the old files; return those that could not be restored."""
    kept = []
    for each in reversed(ready):
        old = each.old if os.path.lexists(each.old) else ""
        try:
            _put(old, each.write.place)
        except OSError as error:
            if old or not isinstance(error, FileNotFoundError):
                kept.append(each)
    return kept
