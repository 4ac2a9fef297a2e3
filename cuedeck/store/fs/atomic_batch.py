"""Several files written as one: all of them, or none."""

from __future__ import annotations

import contextlib
import itertools
import os
import stat
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from cuedeck.model.errors import StorageError
from cuedeck.store.fs import nofollow
from cuedeck.store.fs.disk import failed as refused
from cuedeck.store.fs.disk import write_new
from cuedeck.store.fs.nofollow import PRIVATE


class Write(NamedTuple):
    """What becomes of one file."""

    place: str
    data: bytes | None
    """None where the file goes."""
    private: bool = False
    """Whether nobody else may read it when it is new."""


class _Ready(NamedTuple):
    place: str
    new: str
    """A finished file that takes the place; empty where the file goes."""
    old: str
    """A second name or a copy of what stands there; empty where nothing does."""


def write_all(writes: Sequence[Write], scratch: str) -> None:
    """Write files, each whole and in one step, after everything that needs room on the disk is done.

    What fails, or is interrupted, takes back what was done before it; where that fails, too, what stood there is kept
    beside the temporary files. `scratch` is a folder for them where it lies on the same disk.
    Raises: StorageError, whose hint names what cannot be taken back and where the old of it is.
    """
    ready: list[_Ready] = []
    kept: list[_Ready] = []
    failed: OSError | None = None
    begun = 0
    try:
        nofollow.make_folder(scratch)
        for write in writes:
            ready.append(_prepare(write, scratch, len(ready)))
        for each in ready:
            begun += 1
            _put(each.new, each.place)
    except OSError as error:
        failed = error
        kept = _take_back(reversed(ready[: max(begun - 1, 0)]))
    except BaseException:  # whatever ends it, Ctrl-C above all: half of the files may not stay written
        kept = _take_back(reversed(ready[:begun]))  # the last of them may be done, or not
        raise
    finally:
        for name in {name for each in ready for name in (each.new, each.old) if name} - {each.old for each in kept}:
            with contextlib.suppress(OSError):
                nofollow.unlink(name)
    if failed:
        stuck = [f"{each.place}{f' (as it was: {each.old})' if each.old else ''}" for each in kept]
        what = f"written, and cannot be taken back: {', '.join(stuck)}" if stuck else "nothing was changed"
        place = writes[len(ready)].place if len(ready) < len(writes) else ready[begun - 1].place
        hint = f"{what}; free space or fix the permissions"
        if stuck:
            raise StorageError(f"cannot write {place}: {failed.strerror}", hint=hint) from failed
        raise refused(f"write {place}", failed, hint) from failed


def _prepare(write: Write, scratch: str, number: int) -> _Ready:
    beside = os.path.dirname(write.place)
    is_there = os.path.lexists(write.place)
    if is_there and (os.path.islink(write.place) or not os.path.isfile(write.place)):
        raise OSError(0, "it is not a regular file")
    if not os.access(beside, os.W_OK):
        raise OSError(0, f"nothing can be written in {beside}")
    folder = scratch if os.stat(scratch).st_dev == os.stat(beside).st_dev else beside
    stem = os.path.join(folder, f".{os.path.basename(write.place)}.{number}")
    new, old = f"{stem}.new.{os.getpid()}.tmp", f"{stem}.old.{os.getpid()}.tmp"
    try:
        if is_there:
            _second_name(write.place, old)
        if write.data is not None:
            write_new(new, write.data, _mode(write, is_there))
    except BaseException:  # whatever ends it, no temporary file stays
        for name in (new, old):
            with contextlib.suppress(OSError):
                nofollow.unlink(name)
        raise
    return _Ready(write.place, new if write.data is not None else "", old if is_there else "")


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
        write_new(other, nofollow.read_file(place), stat.S_IMODE(nofollow.status(place).st_mode))


def _put(new: str, place: str) -> None:
    if new:
        nofollow.replace(new, place)
    else:
        nofollow.unlink(place)


def _take_back(ready: Iterable[_Ready]) -> list[_Ready]:
    """Bring back what stood in each place; return those where that failed, with the file in which the old one is."""
    kept = []
    for each in ready:
        try:
            _put(each.old, each.place)
        except OSError as error:
            if each.old or not isinstance(error, FileNotFoundError):
                kept.append(each._replace(old=_set_aside(each)))
    return kept


def _set_aside(ready: _Ready) -> str:
    """Give the only copy of a file a name under which nobody sweeps it up; return where it is."""
    if not ready.old:
        return ""
    stem = os.path.join(os.path.dirname(ready.old), f"{os.path.basename(ready.place)}.old")
    names = (f"{stem}{f'.{number}' if number else ''}" for number in itertools.count())
    aside = next(name for name in names if not os.path.lexists(name))
    try:
        nofollow.replace(ready.old, aside)
    except OSError:
        return ready.old
    return aside
