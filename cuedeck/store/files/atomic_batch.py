"""All-or-nothing write of several files."""

from __future__ import annotations

import contextlib
import itertools
import os
import stat
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from cuedeck.model.errors import StorageError
from cuedeck.store.files import nofollow
from cuedeck.store.files.disk import failed as refused
from cuedeck.store.files.disk import write_new
from cuedeck.store.files.nofollow import PRIVATE

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
    place: str
    new: str
    """Temporary file with the new content; empty to remove the file."""
    old: str
    """Hard link to or copy of the old file; empty if there was none."""


def write_all(writes: Sequence[Write], scratch: str) -> None:
    """Write all files or none: first write every temporary file, then rename each into
    place.

    A failure or an interruption rolls back the files already renamed. If the rollback
    of a file fails too, its old content is kept in the folder of the temporary files:
    `scratch` if it is on the same disk, else the file's own. Raises: StorageError,
    whose hint names the files that were not rolled back and their old content.
    """
    ready: list[_Ready] = []
    kept: list[_Ready] = []
    failed: OSError | None = None
    begun = 0
    try:
        nofollow.make_folder(scratch)
        for write in writes:
            ready.append(_prepare(write, scratch, len(ready)))
        for write, each in zip(writes, ready, strict=True):
            begun += 1
            _check(write, each.place)
            _put(each.new, each.place)
        begun += 1
        for write, each in zip(writes, ready, strict=True):
            # A program that had the file open may have written into the old one.
            if each.old and write.data is not None:
                _check(write, each.old)
    except OSError as error:
        failed = error
        kept = _take_back(reversed(ready[: max(begun - 1, 0)]))
    except BaseException:  # also on Ctrl-C: a partial batch must not remain
        # Including the last one, which may or may not be renamed.
        kept = _take_back(reversed(ready[:begun]))
        raise
    finally:
        temporary = {name for each in ready for name in (each.new, each.old)}
        temporary -= {"", *(each.old for each in kept)}
        for name in temporary:
            with contextlib.suppress(OSError):
                nofollow.unlink(name)
    if failed:
        at = min(len(ready) if len(ready) < len(writes) else begun - 1, len(writes) - 1)
        place = writes[at].place
        raise _failure(place, failed, kept) from failed


def _failure(place: str, error: OSError, kept: Sequence[_Ready]) -> StorageError:
    """Return the error for a batch that failed at `place`; `kept` are the files that
    were not rolled back.
    """
    if not kept and isinstance(error, _Changed):
        return StorageError(
            f"another program changed {error.filename} meanwhile",
            hint="nothing was changed; run the command again",
        )
    if not kept:
        return refused(
            f"write {place}",
            error,
            "nothing was changed; free space or fix the permissions",
        )
    files = [
        f"{each.place} (as it was: {each.old})" if each.old else each.place
        for each in kept
    ]
    hint = f"written, and cannot be restored: {', '.join(files)}; free space or fix the permissions"
    return StorageError(f"cannot write {place}: {error.strerror}", hint=hint)


def _prepare(write: Write, scratch: str, number: int) -> _Ready:
    """Write the temporary files of one write. Raises: OSError."""
    parent = os.path.dirname(write.place)
    exists = os.path.lexists(write.place)
    _check_permissions(write, parent, exists)
    is_same_device = os.stat(scratch).st_dev == os.stat(parent).st_dev
    folder = scratch if is_same_device else parent
    stem = os.path.join(folder, f".{os.path.basename(write.place)}.{number}")
    new = f"{stem}.new.{os.getpid()}.tmp"
    old = f"{stem}.old.{os.getpid()}.tmp"
    try:
        if exists:
            _second_name(write.place, old)
        if write.data is not None:
            write_new(new, write.data, _mode(write, exists))
    except BaseException:  # also on Ctrl-C: remove the temporary files
        for name in (new, old):
            with contextlib.suppress(OSError):
                nofollow.unlink(name)
        raise
    written = new if write.data is not None else ""
    saved = old if exists else ""
    return _Ready(write.place, written, saved)


def _check_permissions(write: Write, parent: str, exists: bool) -> None:
    """Raise OSError for a place that cannot be written, and for a read-only file whose
    content is the user's; root ignores its permissions.
    """
    if exists and (os.path.islink(write.place) or not os.path.isfile(write.place)):
        raise OSError(0, "it is not a regular file")
    if not os.access(parent, os.W_OK):
        raise OSError(0, f"nothing can be written in {parent}")
    if not exists or write.expected is None:
        return
    bits = os.stat(write.place).st_mode & _WRITE_BITS
    if not bits or not os.access(write.place, os.W_OK):
        raise OSError(0, "it is read-only")


def _mode(write: Write, is_there: bool) -> int | None:
    if is_there:
        return nofollow.status(write.place).st_mode & 0o777
    return PRIVATE if write.private else None


def _second_name(place: str, other: str) -> None:
    with contextlib.suppress(FileNotFoundError):
        nofollow.unlink(other)
    try:
        nofollow.hard_link(place, other)
    except OSError:  # a file system without hard links
        write_new(
            other,
            nofollow.read_file(place),
            stat.S_IMODE(nofollow.status(place).st_mode),
        )


def _check(write: Write, place: str) -> None:
    """Raise `_Changed` if a file no longer has its expected content."""
    if write.expected is None:
        return
    try:
        found = nofollow.read_file(place)
    except FileNotFoundError:
        found = None
    if found != write.expected[0]:
        raise _Changed(0, "it changed meanwhile", write.place)


def _put(new: str, place: str) -> None:
    if new:
        nofollow.replace(new, place)
    else:
        nofollow.unlink(place)


def _take_back(ready: Iterable[_Ready]) -> list[_Ready]:
    """Restore the old files; return those that could not be restored, with the path of
    their old content.
    """
    kept = []
    for each in ready:
        try:
            _put(each.old, each.place)
        except OSError as error:
            if each.old or not isinstance(error, FileNotFoundError):
                kept.append(each._replace(old=_set_aside(each)))
    return kept


def _set_aside(ready: _Ready) -> str:
    """Rename the only copy of a file so that the cleanup of temporary files keeps it;
    return its path.
    """
    if not ready.old:
        return ""
    stem = os.path.join(
        os.path.dirname(ready.old), f"{os.path.basename(ready.place)}.old"
    )
    names = (f"{stem}{f'.{number}' if number else ''}" for number in itertools.count())
    aside = next(name for name in names if not os.path.lexists(name))
    try:
        nofollow.replace(ready.old, aside)
    except OSError:
        return ready.old
    return aside
