"""Which files of a checkout differ from its commit.

git itself compares a file with its index through the filters that the settings of the repository name, which are
programs. So git only lists what it knows, and the files are compared with that here.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from cuedeck.store.fs.disk import unblocked

if TYPE_CHECKING:
    from cuedeck.store.git.git_queries import Entry, Git

_LINK = "120000"
_FOLDER_MODES = ("160000", "040000")
"""Submodules, and folders that a sparse checkout leaves out."""
_EXECUTABLE = "100755"
_MASK = 0xFFFFFFFF
"""Of the numbers of a file an index keeps the lower 32 bits."""
_MOST_BYTES = 100_000_000
"""A larger file counts as changed when its times are other ones: only its content could tell."""
_POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:%s\nsize %d\n"


def changed_paths(root: str, git: Git, index_place: str, *, has_commit: bool) -> list[str]:
    """Return the paths of a workspace that differ from HEAD or are new to git, in no order. Raises: GitFault.

    A file whose times changed, and whose size did not, is compared by its content: as it is, with the line ends of
    Unix, and as what Git LFS keeps in its place. Under another filter it counts as changed.
    """
    written = _seconds_written(index_place)  # before git reads it
    found = git.files()
    compared = _Comparison(root, git, written)
    changed = [entry.path for entry in found.entries if entry.is_looked_at and compared.differs(entry)]
    staged = git.staged() if has_commit else [entry.path for entry in found.entries]
    return list(dict.fromkeys((*changed, *staged, *found.others)))


class _Comparison:
    """Files of a workspace compared with their entries in git's index."""

    def __init__(self, root: str, git: Git, written: int) -> None:
        self._root = root
        self._git = git
        self._written = written
        """Second in which the index was written; a file of this second may have changed after it."""
        self._is_plain: dict[str, bool] = {"": True}

    @cached_property
    def _has_modes(self) -> bool:
        """True where the file system keeps which files may be run, as git found it."""
        return self._git.has_modes()

    def differs(self, entry: Entry) -> bool:
        """Return whether a file is gone, or other than its entry."""
        if entry.mode in _FOLDER_MODES:
            return False
        if not entry.is_settled:
            return True
        place = os.path.join(self._root, entry.path)
        try:
            found = os.lstat(place) if self._is_inside(os.path.dirname(entry.path)) else None
        except OSError:
            found = None
        if found is None or self._kind_differs(entry, found):
            return True
        if self._is_as_indexed(entry, found):
            return False
        if entry.stat is not None and entry.stat.size not in (0, found.st_size & _MASK):
            return True
        return not _holds(place, found, entry)

    def _is_inside(self, folder: str) -> bool:
        """Return whether no folder on the way is a link, which may lead out of the workspace."""
        if folder not in self._is_plain:
            is_link = os.path.islink(os.path.join(self._root, folder))
            self._is_plain[folder] = not is_link and self._is_inside(os.path.dirname(folder))
        return self._is_plain[folder]

    def _kind_differs(self, entry: Entry, found: os.stat_result) -> bool:
        if stat.S_ISLNK(found.st_mode):
            return entry.mode != _LINK
        if not stat.S_ISREG(found.st_mode):
            return True
        # Where a file system has no links, git writes a file with the target of the link.
        if entry.mode == _LINK or bool(found.st_mode & stat.S_IXUSR) is (entry.mode == _EXECUTABLE):
            return False
        return self._has_modes

    def _is_as_indexed(self, entry: Entry, found: os.stat_result) -> bool:
        """Return whether size and times of a file say that it is the one that git saw."""
        noted = entry.stat
        if noted is None or noted.mtime[0] >= self._written:
            return False
        return (
            noted.size == found.st_size & _MASK
            and noted.inode == found.st_ino & _MASK
            and noted.mtime == _parts(found.st_mtime_ns)
            and noted.ctime == _parts(found.st_ctime_ns)
        )


def _parts(nanoseconds: int) -> tuple[int, int]:
    seconds, rest = divmod(nanoseconds, 10**9)
    return seconds & _MASK, rest


def _seconds_written(index_place: str) -> int:
    """Return the second in which an index was written; 0, which trusts no time, when there is none."""
    try:
        return int(os.stat(index_place).st_mtime)
    except OSError:
        return 0


def _holds(place: str, found: os.stat_result, entry: Entry) -> bool:
    """Return whether the content of a file is that of an entry, in one of the forms that git may give it."""
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
