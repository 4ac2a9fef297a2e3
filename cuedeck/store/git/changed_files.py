"""Paths of a checkout that differ from its commit.

To compare a file with its index, git runs the filter programs that the settings of the
repository name. Therefore git only lists its index, and this module compares the files.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from cuedeck.store.files.disk import unblocked

if TYPE_CHECKING:
    from cuedeck.store.git.git_queries import Entry, Git

_LINK = "120000"
_FOLDER_MODES = ("160000", "040000")
"""Submodules, and folders that a sparse checkout leaves out."""
_EXECUTABLE = "100755"
_MASK = 0xFFFFFFFF
"""An index stores the lower 32 bits of size, inode and times."""
_MOST_BYTES = 100_000_000
"""A larger file counts as changed if its times differ; its content is not compared."""
_POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:%s\nsize %d\n"


def changed_paths(
    root: str, git: Git, index_place: str, *, has_commit: bool
) -> list[str]:
    """Return the paths of a workspace that differ from HEAD or are new to git, in no
    order. Raises: GitFault.

    A file with other times and the same size is compared by content: unchanged, with
    Unix line ends, and as a Git LFS pointer. Under any other filter it counts as
    changed.
    """
    written = _seconds_written(index_place)  # before git reads the index
    found = git.files()
    comparison = _Comparison(root, git, written)
    changed = [
        entry.path
        for entry in found.entries
        if entry.is_looked_at and comparison.differs(entry)
    ]
    staged = git.staged() if has_commit else [entry.path for entry in found.entries]
    return list(dict.fromkeys((*changed, *staged, *found.others)))


class _Comparison:
    """Files of a workspace compared with their entries in git's index."""

    def __init__(self, root: str, git: Git, written: int) -> None:
        self._root = root
        self._git = git
        self._written = written
        """Second in which the index was written; a file with this time may have changed
        afterwards.
        """
        self._has_no_link: dict[str, bool] = {"": True}

    @cached_property
    def _has_modes(self) -> bool:
        """Whether the file system stores executable bits, as detected by git."""
        return self._git.has_modes()

    def differs(self, entry: Entry) -> bool:
        """Return whether a file is missing or differs from its entry."""
        if entry.mode in _FOLDER_MODES:
            return False
        if not entry.is_settled:
            return True
        if not self._is_inside(os.path.dirname(entry.path)):
            return True
        place = os.path.join(self._root, entry.path)
        try:
            found = os.lstat(place)
        except OSError:
            return True
        if self._kind_differs(entry, found):
            return True
        if self._is_as_indexed(entry, found):
            return False
        if entry.stat is not None and entry.stat.size not in (0, found.st_size & _MASK):
            return True
        return not _holds(place, found, entry)

    def _is_inside(self, folder: str) -> bool:
        """Return whether a folder and its parents are not links, which could lead out
        of the workspace.
        """
        if folder not in self._has_no_link:
            is_link = os.path.islink(os.path.join(self._root, folder))
            self._has_no_link[folder] = not is_link and self._is_inside(
                os.path.dirname(folder)
            )
        return self._has_no_link[folder]

    def _kind_differs(self, entry: Entry, found: os.stat_result) -> bool:
        if stat.S_ISLNK(found.st_mode):
            return entry.mode != _LINK
        if not stat.S_ISREG(found.st_mode):
            return True
        if entry.mode == _LINK:
            # On a file system without links, git writes the target of the link into a
            # file.
            return False
        is_executable = bool(found.st_mode & stat.S_IXUSR)
        if is_executable is (entry.mode == _EXECUTABLE):
            return False
        return self._has_modes

    def _is_as_indexed(self, entry: Entry, found: os.stat_result) -> bool:
        """Return whether size, inode and times of a file equal those that git stored
        for it.
        """
        stored = entry.stat
        if stored is None or stored.mtime[0] >= self._written:
            return False
        if (stored.size, stored.inode) != (found.st_size & _MASK, found.st_ino & _MASK):
            return False
        return stored.mtime == _parts(found.st_mtime_ns) and stored.ctime == _parts(
            found.st_ctime_ns
        )


def _parts(nanoseconds: int) -> tuple[int, int]:
    seconds, rest = divmod(nanoseconds, 10**9)
    return seconds & _MASK, rest


def _seconds_written(index_place: str) -> int:
    """Return the second in which an index was written; 0, with which no time is
    trusted, if there is no index.
    """
    try:
        return int(os.stat(index_place).st_mtime)
    except OSError:
        return 0


def _holds(place: str, found: os.stat_result, entry: Entry) -> bool:
    """Return whether the content of a file equals that of an entry, in one of the forms
    of `_forms`.
    """
    if found.st_size > _MOST_BYTES:
        return False
    try:
        data = _read(place, found)
    except OSError:
        return False
    return any(_blob(form, len(entry.hash)) == entry.hash for form in _forms(data))


def _read(place: str, found: os.stat_result) -> bytes:
    if stat.S_ISLNK(found.st_mode):
        return os.fsencode(os.readlink(place))
    with open(place, "rb", buffering=0, opener=_unlinked) as file:
        return file.readall() or b""


def _unlinked(place: str, flags: int) -> int:
    return unblocked(place, flags | getattr(os, "O_NOFOLLOW", 0))


def _forms(data: bytes) -> Iterator[bytes]:
    yield data
    yield data.replace(b"\r\n", b"\n")
    yield _POINTER % (hashlib.sha256(data).hexdigest().encode(), len(data))


def _blob(data: bytes, digits: int) -> str:
    """Return the hash of a file as git computes it."""
    new = hashlib.sha256 if digits == 64 else hashlib.sha1
    return new(b"blob %d\0" % len(data) + data).hexdigest()
