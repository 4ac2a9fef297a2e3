"""Whole-file reads and atomic, durable writes."""

from __future__ import annotations

import contextlib
import json
import os
import stat
from _thread import get_ident  # `threading` costs a hook a millisecond

from cuedeck.model.errors import StorageError
from cuedeck.model.errors import failed as failed  # noqa: PLC0414 - exported
from cuedeck.store.files import nofollow
from cuedeck.store.files.nofollow import PRIVATE

TYPE_CHECKING = False
if TYPE_CHECKING:  # `typing` costs a hook more than the rest of this module
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

LARGEST_TOML = 8_000_000
"""Bytes of the largest TOML file that is read; `parse.toml_reader` limits its
characters.
"""
LARGEST_POINTER = 10_000
"""Bytes of the largest file that names a card or a session."""
_TEMPORARY_STEM = 50
"""Characters of a file name that the name of its temporary file repeats; a longer name
could exceed the 255 bytes that file systems allow.
"""
_UNBLOCKED = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
"""Flags with which a named pipe reads as empty; a plain open would block until a writer
appears.
"""


def read_bytes(place: str, most: int = nofollow.LARGEST_FILE) -> bytes | None:
    """Return the content of a file, or None if it is missing; a pipe or a device reads
    as empty.

    Raises: StorageError if it exists but cannot be read, or is larger than `most`
    bytes.
    """
    try:
        with open(place, "rb", buffering=0, opener=unblocked) as file:
            return nofollow.read_open(file, most)
    except (FileNotFoundError, NotADirectoryError, ValueError):
        # ValueError: a NUL in the path.
        return None
    except OSError as error:
        raise failed(
            f"read {place}", error, "check its permissions and its size"
        ) from error


def read_generated(place: str, most: int = nofollow.LARGEST_FILE) -> bytes | None:
    """Return the content of a file that CueDeck generates, or None if it is missing.

    A symbolic link in any component of the path is refused, because it could present
    another file as CueDeck's own. Raises: StorageError, also for a file of more than
    `most` bytes.
    """
    try:
        return nofollow.read_file(place, most)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise failed(
            f"read {place}", error, "check its permissions and its size"
        ) from error


def look_at_generated(place: str, most: int = nofollow.LARGEST_FILE) -> bytes:
    """Return the content of a file that CueDeck generates; empty when it is missing,
    refused or unreadable.
    """
    try:
        return read_generated(place, most) or b""
    except StorageError:
        return b""


def parse_json(text: str | bytes) -> Any:
    """Return the value of a JSON text that CueDeck generates; None when the text is
    corrupt or nested too deeply.
    """
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def read_json(place: str) -> Any:
    """Return the value of a JSON file that CueDeck generates; None when the file is
    missing, refused or corrupt.
    """
    return parse_json(look_at_generated(place))


def user_file(root: str, path: str) -> str:
    """Return the real path of a file that a user edits, following links inside the
    workspace with this root folder.

    Raises: StorageError for a link that leaves the workspace, leads into `.git`, or is
    dangling.
    """
    try:
        return nofollow.follow_inside(root, os.path.join(root, *path.split("/")))
    except OSError as error:
        hint = "put a file in its place, or point the link at a file of the workspace; nothing was changed"
        raise StorageError(
            f"cannot write {path}: {error.strerror}", hint=hint
        ) from error


def look_at(place: str, most: int = nofollow.LARGEST_FILE) -> bytes:
    """Return the content of a file; empty if it is missing or cannot be read."""
    try:
        return read_bytes(place, most) or b""
    except StorageError:
        return b""


def unblocked(place: str, flags: int) -> int:
    """Open a file without blocking on a named pipe; an `opener` for `open`."""
    return os.open(place, flags | _UNBLOCKED)


def read_text(place: str, most: int = nofollow.LARGEST_FILE) -> str | None:
    """Return the text of a small file that CueDeck generates, or None if it is missing.
    Raises: StorageError.
    """
    data = read_generated(place, most)
    if data is None:
        return None
    return data.decode("utf-8", "replace")


def write_if_changed(
    place: str, data: bytes, scratch: str, *, private: bool = False
) -> bool:
    """Replace a generated file if its bytes differ; return whether it was written.

    Unchanged bytes are not written, so that a watcher does not trigger itself. A
    symbolic link in its place is replaced by a file, never written through. Raises:
    StorageError.
    """
    with contextlib.suppress(StorageError):  # an unreadable file can still be replaced
        if read_generated(place) == data:
            return False
    write_atomic(place, data, scratch, private=private)
    return True


def write_atomic(
    place: str, data: bytes, scratch: str = "", *, private: bool = False
) -> None:
    """Replace a file atomically: temporary file, fsync, rename. Readers see the old
    bytes or the new ones.

    `scratch` is the folder of the temporary file, which keeps it out of the user's
    folders; if it cannot be used, the folder of the file is used. Permissions are kept;
    with `private`, a new file is readable by its owner only. A symbolic link in place
    of the file is replaced (use `user_file` to follow one). Raises: StorageError, with
    the old file untouched; also for a link in a parent folder, and for a device or a
    pipe, which must never be replaced.
    """
    mode = mode_of_new(place, private=private)
    try:
        _place(place, data, scratch, nofollow.replace, mode)
    except OSError as error:
        raise failed(
            f"write {place}",
            error,
            "the old file is untouched; free space or fix its permissions",
        ) from error


def mode_of_new(place: str, *, private: bool) -> int | None:
    """Return the permissions of the file that replaces `place`: those of a present
    file; else, with `private`, those for its owner only; None means the defaults.

    Raises: StorageError for a device, a pipe or a folder, which must never be replaced.
    """
    try:
        found = nofollow.status(place).st_mode
    except OSError:
        return PRIVATE if private else None
    if stat.S_ISREG(found):
        return stat.S_IMODE(found) & 0o777
    if stat.S_ISLNK(found):
        return PRIVATE if private else None
    raise StorageError(
        f"cannot write {place}: it is not a regular file", hint="nothing was changed"
    )


def create(place: str, data: bytes, scratch: str = "", mode: int | None = None) -> bool:
    """Create a file atomically and durably; return whether it was created. An existing
    file is left unchanged.

    `mode` are its permissions; None uses the defaults of the system.
    Raises: StorageError.
    """
    try:
        if os.path.lexists(place):
            return False
        nofollow.make_folder(os.path.dirname(place))
        _place(place, data, scratch, _claim, mode)
    except FileExistsError:
        return False
    except OSError as error:
        raise failed(
            f"write {place}", error, "free space or fix the permissions"
        ) from error
    return True


def create_numbered(place: str, data: bytes, mode: int | None = None) -> str:
    """Create a file, with a number at its end where there is a file with other content;
    return its path. Raises: StorageError.
    """
    found, number = place, 0
    while not create(found, data, mode=mode) and look_at_generated(found) != data:
        number += 1
        found = f"{place}.{number}"
    return found


def write_through(place: str, data: bytes, root: str = "") -> None:
    """Write to an output path given by the user: a device or a pipe is written to, a
    file is replaced atomically.

    Links are followed, but a path below the folder `root` must stay there, because its
    links may come from the repository and not from the user. Raises: StorageError.
    """
    try:
        real = (
            nofollow.follow_inside(root, place)
            if _is_named_below(place, root)
            else os.path.realpath(place)
        )
    except OSError as error:
        raise failed(f"write {place}", error, "") from error
    if os.path.exists(place) and not os.path.isfile(place):
        try:
            with open(place, "wb") as file:
                file.write(data)
        except OSError as error:
            raise StorageError(
                f"cannot write {place}: {error.strerror}",
                hint="give the name of a file",
            ) from error
        return
    write_atomic(real, data)


def _is_named_below(place: str, root: str) -> bool:
    """Return whether a path, as written, has a folder among its parents."""
    wanted = ""
    if root:
        wanted = os.path.realpath(root)
    folder = os.path.dirname(os.path.abspath(place))
    while wanted and os.path.realpath(folder) != wanted:
        above = os.path.dirname(folder)
        if above == folder:
            return False
        folder = above
    return bool(wanted)


def _place(
    place: str,
    data: bytes,
    scratch: str,
    move: Callable[[str, str], None],
    mode: int | None,
) -> None:
    """Write a temporary file and move it to its place; always remove the temporary
    file.
    """
    parent, name = os.path.split(place)
    name = f".{name[:_TEMPORARY_STEM]}.{get_ident()}.{os.getpid()}.tmp"
    for folder in dict.fromkeys((scratch or parent, parent)):
        temporary = os.path.join(folder, name)
        try:
            nofollow.make_folder(folder)
            # Set the permissions before writing: a process that opened the file while
            # public could keep reading it.
            write_new(temporary, data, mode)
            move(temporary, place)
        except FileExistsError:
            raise
        except OSError:  # read-only, full, or on another file system
            if folder == parent:
                raise
        else:
            return
        finally:
            with contextlib.suppress(OSError):
                nofollow.unlink(temporary)


def write_new(place: str, data: bytes, mode: int | None) -> None:
    """Write a temporary file durably; `mode` None uses the default permissions. Raises:
    OSError.
    """
    initial_mode = 0o666 if mode is None else PRIVATE
    handle = nofollow.open_file(
        place, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, initial_mode
    )
    with open(handle, "wb") as file:
        if mode is not None and hasattr(os, "fchmod"):
            os.fchmod(handle, mode)
        file.write(data)
        file.flush()
        os.fsync(handle)


def _claim(temporary: str, place: str) -> None:
    """Move a finished file to a name that must not exist yet. Raises:
    FileExistsError.
    """
    try:
        nofollow.hard_link(temporary, place)
    except FileExistsError:
        raise
    except OSError:  # no hard links on this file system: create the name exclusively, then replace it
        os.close(nofollow.open_file(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL))
        try:
            nofollow.replace(temporary, place)
        except OSError:
            nofollow.unlink(place)
            raise


def present_paths(root: str, paths: Iterable[str]) -> frozenset[str]:
    """Return those workspace-relative paths that exist, also as dangling links."""
    return frozenset(
        path for path in paths if os.path.lexists(os.path.join(root, *path.split("/")))
    )


def names_in(folder: str) -> list[str]:
    """Return the sorted names in a folder; none if it is missing. Raises:
    StorageError.
    """
    try:
        return sorted(os.listdir(folder))
    except FileNotFoundError:
        return []
    except OSError as error:
        raise StorageError(
            f"cannot list {folder}: {error.strerror}", hint="check its permissions"
        ) from error


def tree_of(folder: str) -> tuple[str, ...]:
    """Return the sorted paths, relative to the folder, of all files below it; none if
    it is missing.
    """
    found = []
    for place, _, names in os.walk(folder):
        below = os.path.relpath(place, folder).replace(os.sep, "/")
        for name in names:
            found.append(name if below == "." else f"{below}/{name}")
    return tuple(sorted(found))


MOST_OF_LINE = 32_000_000
"""Bytes of the longest line that is read as a whole: a row with several images."""


def read_tail(place: str, most: int) -> bytes:
    """Return at most the last `most` bytes of a regular file; empty if it cannot be
    read.
    """
    try:
        with open(place, "rb", buffering=0, opener=unblocked) as file:
            found = os.fstat(file.fileno())
            if not stat.S_ISREG(found.st_mode):
                return b""
            file.seek(max(0, found.st_size - most))
            return file.read(most) or b""
    except (OSError, ValueError):
        return b""


def lines_of(place: str) -> Iterator[bytes]:
    """Yield the lines of a regular file, as far as it can be read; a line of more than
    `MOST_OF_LINE` bytes in parts.
    """
    try:
        with open(place, "rb", opener=unblocked) as file:
            if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                yield from iter(lambda: file.readline(MOST_OF_LINE), b"")
    except (OSError, ValueError):
        return


def changed_at(place: str) -> float:
    """Return the time at which a file was changed; 0 without it."""
    try:
        return os.stat(place).st_mtime
    except (OSError, ValueError):
        return 0


def newest_files(
    folder: str, endings: tuple[str, ...], most: int
) -> list[tuple[float, str, int]]:
    """Return (time of change, path, size) of the newest files with one of the endings
    in a folder, newest first; none if it cannot be read.
    """
    try:
        found = nofollow.scan_folder(folder)
    except OSError:
        return []
    files = [
        (state.st_mtime, os.path.join(folder, name), state.st_size)
        for name, state in found
        if name.endswith(endings) and stat.S_ISREG(state.st_mode)
    ]
    return sorted(files, reverse=True)[:most]
