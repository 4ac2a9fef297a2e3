"""Opening, making, renaming and removing files without following a symbolic link.

Attacker model: the attacker chooses every byte and every symbolic link of a repository
(git carries links, absolute ones too), and the user runs CueDeck in it. The attacker
runs no process on the machine of the user.

Guarantee: no generated file is written, truncated, renamed or removed through a
symbolic link in any component of its path. The root of a workspace is a real path
(`find_workspace` resolves the links above it once), so a link in a path below it is a
link of the repository. Each function raises `LinkRefused` for such a path and changes
nothing. `replace` replaces a link by a file and does not touch the target of the link.

Method: each parent folder is opened relative to its own parent with `O_NOFOLLOW`
(macOS: one call with `O_NOFOLLOW_ANY`), and the operation names the last component
relative to the open folder. Check and operation are one step, so a link created in
between has no effect.

On a system without `dir_fd` (Windows), each component is checked with `lstat` before
the operation. A process that creates a link between the check and the operation wins
this race; the attacker above has no such process. SQLite accepts paths only, so
`check_database` is called before it opens a file, with the same race. Hard links are
not detected: git does not store them.

A file that a user edits may be a link to another file of the workspace: `follow_inside`
returns the real path of that file, which the functions above then take.

Each operation that changes something raises the audit event `cuedeck.write` with its
name and its path. Only `os`, `stat`, `sys` and `errno` are imported: hooks use this
module before anything else is loaded.
"""

from __future__ import annotations

import errno
import os
import stat
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from io import FileIO
    from types import TracebackType

_HOME = ".cuedeck"
"""Not imported from `model.paths`: hooks import this module before anything else."""
PRIVATE = 0o600
"""Permissions of a file that only its owner reads."""
LARGEST_FILE = 100_000_000
"""Bytes of the largest file that is read as a whole; packs, indexes of git and files of
the index are not.
"""
LARGEST_SMALL_FILE = 2_000_000
"""The same for ignore files, HEAD and refs, which are read many times."""
_RELATIVE = {
    os.open,
    os.mkdir,
    os.rename,
    os.unlink,
    os.stat,
} <= os.supports_dir_fd and hasattr(os, "O_NOFOLLOW")
"""Whether this system opens files relative to an open folder."""
_NOFOLLOW = getattr(os, "O_NOFOLLOW", 0)
_ANY: int = getattr(os, "O_NOFOLLOW_ANY", 0)
_CLOSED = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_UNBLOCKED = getattr(os, "O_NONBLOCK", 0)
"""A named pipe in the place of a file reads as empty instead of waiting for a writer.
"""
_FOLDER = _CLOSED | getattr(os, "O_DIRECTORY", 0) | _NOFOLLOW
_PASSED: int = _FOLDER | getattr(os, "O_PATH", os.O_RDONLY)
"""Opens a folder on the way; with `O_PATH` it need not be readable."""
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_STRAY = (
    errno.ELOOP,
    errno.ENOTDIR,
    getattr(errno, "EMLINK", errno.ELOOP),
    getattr(errno, "EFTYPE", errno.ELOOP),
)
"""Error codes with which systems refuse a link in a path."""
OF_DATABASE = ("", "-wal", "-shm", "-journal")
"""Suffixes of the files that SQLite keeps for a database."""


class LinkRefused(OSError):
    """Raised for a path that contains a symbolic link, or for a link to a forbidden
    target.
    """

    def __init__(self, message: str) -> None:
        super().__init__(errno.ELOOP, message)


def open_file(place: str, flags: int, mode: int = PRIVATE) -> int:
    """Open a file and return its descriptor. Raises: LinkRefused, OSError."""
    with _Parent(place, "open" if flags & _WRITING else "") as parent:
        return parent.open(flags | _CLOSED | _NOFOLLOW | _UNBLOCKED, mode)


def opener(place: str, flags: int) -> int:
    """Open a file, as an `opener` for `open`; a new file is private."""
    return open_file(place, flags)


def read_file(place: str, most: int = LARGEST_FILE) -> bytes:
    """Return the content of a file. Raises: LinkRefused, OSError."""
    with open(open_file(place, os.O_RDONLY), "rb", buffering=0) as file:
        return read_open(file, most)


def read_open(file: FileIO, most: int = LARGEST_FILE) -> bytes:
    """Return the content of an open file; a pipe or a device reads as empty.

    A sparse file of terabytes takes a few bytes in an archive, so a large file is
    refused. Raises: OSError.
    """
    found = os.fstat(file.fileno())
    if not stat.S_ISREG(found.st_mode):
        return b""
    if found.st_size > most:
        raise OSError(
            errno.EFBIG, f"its {found.st_size:,} bytes are more than {most:,}"
        )
    return file.readall() or b""


def status(place: str) -> os.stat_result:
    """Return the status of a file, a folder, or a link in the last component itself.
    Raises: LinkRefused, OSError.
    """
    with _Parent(place) as parent:
        return os.stat(parent.name, dir_fd=parent.folder, follow_symlinks=False)


def list_folder(place: str) -> list[str]:
    """Return the names in a folder, sorted. Raises: LinkRefused, OSError."""
    return sorted(name for name, _ in scan_folder(place))


def scan_folder(place: str) -> list[tuple[str, os.stat_result]]:
    """Return the names in a folder with the status of each, unsorted; a link has its
    own status. Raises: LinkRefused, OSError.
    """
    if not _RELATIVE or os.scandir not in os.supports_fd:
        check(place)
        return _statuses(place)
    handle = open_file(place, os.O_RDONLY | _FOLDER)
    try:
        return _statuses(handle)
    finally:
        os.close(handle)


def _statuses(folder: str | int) -> list[tuple[str, os.stat_result]]:
    found = []
    with os.scandir(folder) as entries:
        for entry in entries:
            try:
                found.append((entry.name, entry.stat(follow_symlinks=False)))
            except FileNotFoundError:  # deleted since it was listed
                continue
    return found


def sync_folder(place: str) -> None:
    """Make the entries of a folder durable (fsync), if the system supports it."""
    try:
        handle = open_file(place, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(handle)
    except OSError:
        pass
    finally:
        os.close(handle)


def make_folder(
    place: str,
    *,
    parents: bool = True,
    mode: int = 0o777,
    is_new_workspace: bool = False,
) -> None:
    """Create a folder if missing, with `parents` also its parents. Raises: LinkRefused,
    OSError.

    A folder `.cuedeck` is created only with `is_new_workspace`: writing into a deleted
    workspace must fail.
    """
    place = _absolute(place)
    try:
        _leave(_enter(place))
    except FileNotFoundError:
        above, name = os.path.split(place)
        if above == place or (name == _HOME and not is_new_workspace):
            raise
        if parents:
            make_folder(above)
        with _Parent(place, "mkdir") as parent:
            try:  # noqa: SIM105 - contextlib costs hooks its import
                os.mkdir(name if _RELATIVE else place, mode, dir_fd=parent.folder)
            except FileExistsError:  # created by another process
                pass
        _leave(_enter(place))


def replace(source: str, target: str) -> None:
    """Rename a file; replace the target, which may be missing or a link. Raises:
    LinkRefused, OSError.
    """
    with _Parent(source, "rename") as old, _Parent(target, "replace") as new:
        os.replace(old.name, new.name, src_dir_fd=old.folder, dst_dir_fd=new.folder)


def hard_link(source: str, target: str) -> None:
    """Give a file a second name. Raises: LinkRefused, OSError."""
    with _Parent(source) as old, _Parent(target, "link") as new:
        if _RELATIVE:
            os.link(
                old.name,
                new.name,
                src_dir_fd=old.folder,
                dst_dir_fd=new.folder,
                follow_symlinks=False,
            )
        else:
            os.link(old.name, new.name)


def unlink(place: str) -> None:
    """Remove a file, or a link (not its target). Raises: LinkRefused, OSError."""
    with _Parent(place, "unlink") as parent:
        os.unlink(parent.name, dir_fd=parent.folder)


def remove_folder(place: str) -> None:
    """Remove an empty folder. Raises: LinkRefused, OSError."""
    with _Parent(place, "rmdir") as parent:
        os.rmdir(parent.name, dir_fd=parent.folder)


def remove_tree(place: str) -> None:
    """Remove a folder recursively; links in it are removed, never followed. Raises:
    LinkRefused, OSError.
    """
    import shutil

    with _Parent(place, "rmtree") as parent:
        shutil.rmtree(parent.name, dir_fd=parent.folder)


def touch(place: str, seconds: float | None = None) -> None:
    """Set the times of a file to now, or to a time since the epoch. Raises:
    LinkRefused, OSError.
    """
    times = None
    if seconds is not None:
        times = (seconds, seconds)
    with _Parent(place, "utime") as parent:
        if _RELATIVE:
            os.utime(parent.name, times, dir_fd=parent.folder, follow_symlinks=False)
        else:
            os.utime(parent.name, times)


def make_private(place: str) -> None:
    """Let only the owner enter a folder. Raises: LinkRefused, OSError."""
    sys.audit("cuedeck.write", "chmod", place)
    handle = open_file(place, os.O_RDONLY | _FOLDER)
    try:
        os.fchmod(handle, 0o700)
    finally:
        os.close(handle)


def check(place: str) -> None:
    """Raise LinkRefused if a component of a path is a link; components after a missing
    one are not checked.
    """
    link = _first_link(_absolute(place))
    if link:
        raise LinkRefused(f"{link} is a symbolic link")


def check_database(place: str) -> None:
    """Raise LinkRefused if the path of a database, or of one of its SQLite side files,
    contains a link.
    """
    sys.audit("cuedeck.write", "database", place)
    for ending in OF_DATABASE:
        try:
            found = status(place + ending)
        except (FileNotFoundError, NotADirectoryError):
            continue
        if _is_link(found):
            raise LinkRefused(f"{place}{ending} is a symbolic link")


def follow_inside(root: str, place: str) -> str:
    """Return the real path of a file that a user edits, following links to other files
    of the workspace.

    Raises: LinkRefused if the path leaves the folder `root`, leads into `.git`, or is a
    dangling link.
    """
    real = os.path.realpath(_absolute(place))
    base = os.path.realpath(root)
    named = os.path.relpath(os.path.abspath(place), os.path.abspath(root))
    if not is_below(real, base):
        raise LinkRefused(
            f"{named} is a symbolic link that leaves the workspace: {real}"
        )
    steps = os.path.relpath(real, base).casefold().split(os.sep)
    if ".git" in steps:
        raise LinkRefused(f"{named} leads into the folder of git: {real}")
    if os.path.islink(place) and not os.path.exists(real):
        raise LinkRefused(f"{named} is a symbolic link that leads nowhere")
    return real


def is_below(place: str, folder: str) -> bool:
    """Return whether a path is below a folder, at any depth. Both must be real paths
    (links resolved).
    """
    return place.startswith(folder.rstrip(os.sep) + os.sep)


class _Parent:
    """The open parent folder of a path; `name` is the last component, or the whole path
    without `dir_fd`.
    """

    __slots__ = ("folder", "name", "place")

    def __init__(self, place: str, operation: str = "") -> None:
        """`operation` is the name of a changing operation for the audit event; empty
        for reading.
        """
        if operation:
            sys.audit("cuedeck.write", operation, place)
        self.place = _absolute(place)

    def __enter__(self) -> _Parent:
        above, name = os.path.split(self.place)
        self.folder = _enter(above)
        self.name = name if _RELATIVE else self.place
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        _leave(self.folder)

    def open(self, flags: int, mode: int) -> int:
        if not _RELATIVE:
            check(self.place)
        try:
            return os.open(self.name, flags, mode, dir_fd=self.folder)
        except OSError as error:
            raise _explained(error, self.place) from None


def _absolute(place: str) -> str:
    """Return an absolute path. Raises: FileNotFoundError for a path that is invalid
    (NUL, lone surrogate).
    """
    try:
        os.fsencode(place)
        is_possible = "\0" not in place
    except UnicodeEncodeError:  # a lone surrogate
        is_possible = False
    if not is_possible:
        raise FileNotFoundError(errno.ENOENT, "no file can have this name", place)
    return os.path.abspath(place)


def _enter(place: str) -> int | None:
    """Open a folder without following a link; None where the system has no `dir_fd`."""
    if not _RELATIVE:
        check(place)
        os.stat(place)
        return None
    try:
        if _ANY:
            return os.open(place, os.O_RDONLY | _FOLDER & ~_NOFOLLOW | _ANY)
        return _walk(place)
    except OSError as error:
        raise _explained(error, place) from None


def _walk(place: str) -> int:
    folder = os.open(os.sep, _PASSED)
    for name in place.split(os.sep):
        if not name:
            continue
        try:
            below = os.open(name, _PASSED, dir_fd=folder)
        finally:
            os.close(folder)
        folder = below
    return folder


def _leave(folder: int | None) -> None:
    if folder is not None:
        os.close(folder)


def _explained(error: OSError, place: str) -> OSError:
    """Return a LinkRefused that names the link in the path; without one, the error."""
    link = ""
    if error.errno in _STRAY:
        link = _first_link(place)
    if link:
        return LinkRefused(f"{link} is a symbolic link")
    return error


def _first_link(place: str) -> str:
    """Return the first component of an absolute path that is a link; empty if there is
    none.
    """
    drive, rest = os.path.splitdrive(place)
    above = drive + os.sep
    for name in rest.split(os.sep):
        if not name:
            continue
        above = os.path.join(above, name)
        try:
            found = os.lstat(above)
        except OSError:
            return ""
        if _is_link(found):
            return above
    return ""


def _is_link(found: os.stat_result) -> bool:
    """Return whether a status belongs to a symbolic link or, on Windows, a junction."""
    junction = getattr(stat, "IO_REPARSE_TAG_MOUNT_POINT", 0)
    return stat.S_ISLNK(found.st_mode) or (
        junction != 0 and getattr(found, "st_reparse_tag", 0) == junction
    )
