"""Reading and writing files: whole, atomic, durable."""

from __future__ import annotations

import contextlib
import json
import os
import stat
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from cuedeck.model.errors import StorageError
from cuedeck.store.fs import nofollow
from cuedeck.store.fs.nofollow import PRIVATE, LinkRefused

if TYPE_CHECKING:
    from cuedeck.store.workspace_paths import WorkspacePaths

_UNBLOCKED = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
"""A named pipe in the place of a file reads as empty; opened plainly, it would be waited for without end."""


def read_bytes(place: str) -> bytes | None:
    """Return the content of a file, or None when it is not there.

    Raises: StorageError when it is there and cannot be read.
    """
    try:
        with open(place, "rb", buffering=0, opener=unblocked) as file:
            return file.readall() or b""
    except (FileNotFoundError, NotADirectoryError, ValueError):  # the last one for a NUL in the path
        return None
    except OSError as error:
        raise StorageError(f"cannot read {place}: {error.strerror}", hint="check its permissions") from error


def read_generated(place: str) -> bytes | None:
    """Return the content of a file that CueDeck generates, or None when it is missing.

    A link in its place, or on the way to it, is refused: it would show a file of the user as a file of CueDeck.
    Raises: StorageError.
    """
    try:
        return nofollow.read_file(place)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise failed(f"read {place}", error, "check its permissions") from error


def look_at_generated(place: str) -> bytes:
    """Return the content of a file that CueDeck generates; empty when it is missing, refused or unreadable."""
    try:
        return read_generated(place) or b""
    except StorageError:
        return b""


def parse_json(text: str | bytes) -> Any:
    """Return the value of a JSON text that CueDeck generates; None when the text is corrupt or nested too deeply."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def read_json(place: str) -> Any:
    """Return the value of a JSON file that CueDeck generates; None when the file is missing, refused or corrupt."""
    return parse_json(look_at_generated(place))


def user_file(workspace: WorkspacePaths, path: str) -> str:
    """Return the real path of a file that a user edits, where a link may stand that stays in the workspace.

    Raises: StorageError for a link that leaves the workspace, leads into `.git`, or leads nowhere.
    """
    try:
        return nofollow.follow_inside(workspace.root, workspace.absolute(path))
    except OSError as error:
        hint = "put a file in its place, or point the link at a file of the workspace; nothing was changed"
        raise StorageError(f"cannot write {path}: {error.strerror}", hint=hint) from error


def failed(what: str, error: OSError, hint: str) -> StorageError:
    """Return the error for an operation that the system or a link prevented."""
    if isinstance(error, LinkRefused):
        hint = "remove the link; nothing was changed"
    return StorageError(f"cannot {what}: {error.strerror}", hint=hint)


def look_at(place: str) -> bytes:
    """Return the content of a file that is not ours to mend; empty when it is not there or cannot be read."""
    try:
        return read_bytes(place) or b""
    except StorageError:
        return b""


def unblocked(place: str, flags: int) -> int:
    """Open a file without waiting for whoever is at its other end; an `opener` of `open`."""
    return os.open(place, flags | _UNBLOCKED)


def read_text(place: str) -> str | None:
    """Return the text of a small file that CueDeck generates, or None when it is missing. Raises: StorageError."""
    data = read_generated(place)
    return None if data is None else data.decode("utf-8", "replace")


def write_if_changed(place: str, data: bytes, scratch: str, *, private: bool = False) -> bool:
    """Replace a generated file only when its bytes differ, so that a watcher of it cannot chase itself.

    A symbolic link in its place is replaced by a file: what is generated is never written through a link.
    Raises: StorageError.
    """
    with contextlib.suppress(StorageError):  # what cannot be read may still be replaced
        if read_generated(place) == data:
            return False
    write_atomic(place, data, scratch, private=private)
    return True


def write_atomic(place: str, data: bytes, scratch: str = "", *, private: bool = False) -> None:
    """Replace a file: temporary file, fsync, rename. Readers see the old bytes or the new ones.

    `scratch` is a folder for the temporary file, so that nobody meets it beside the file; where nothing can
    be written in it, or nothing moved out of it, the file's own folder serves. The permissions stay; with `private`
    only its owner reads a new file. A symbolic link in its place is replaced; `user_file` follows one.
    Raises: StorageError, with the old file untouched; also for a link above it, and for a device or a pipe, which
    must never be replaced.
    """
    found = None
    with contextlib.suppress(OSError):
        found = nofollow.status(place).st_mode
    if found is not None and not stat.S_ISREG(found) and not stat.S_ISLNK(found):
        raise StorageError(f"cannot write {place}: it is not a regular file", hint="nothing was changed")
    mode = stat.S_IMODE(found) & 0o777 if found is not None and stat.S_ISREG(found) else None
    if mode is None and private:
        mode = PRIVATE
    try:
        _place(place, data, scratch, nofollow.replace, mode)
    except OSError as error:
        raise failed(f"write {place}", error, "the old file is untouched; free space or fix its permissions") from error


def create(place: str, data: bytes, scratch: str = "", mode: int | None = None) -> bool:
    """Write a new file durably and as a whole; tell whether it is new. An existing file stays as it is.

    `mode` are its permissions; None leaves them to the system.
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
        raise failed(f"write {place}", error, "free space or fix the permissions") from error
    return True


def write_through(place: str, data: bytes, root: str = "") -> None:
    """Write to what a person names: a device or a pipe is written to, everything else is replaced as a whole.

    A link is followed; a path below the folder `root` must stay there, because its links come with the repository.
    Raises: StorageError.
    """
    try:
        real = nofollow.follow_inside(root, place) if _is_named_below(place, root) else os.path.realpath(place)
    except OSError as error:
        raise failed(f"write {place}", error, "") from error
    if os.path.exists(place) and not os.path.isfile(place):
        try:
            with open(place, "wb") as file:
                file.write(data)
        except OSError as error:
            raise StorageError(f"cannot write {place}: {error.strerror}", hint="give the name of a file") from error
        return
    write_atomic(real, data)


def _is_named_below(place: str, root: str) -> bool:
    """Return whether a path, as it is written, leads through a folder."""
    wanted = os.path.realpath(root) if root else ""
    folder = os.path.dirname(os.path.abspath(place))
    while wanted and os.path.realpath(folder) != wanted:
        above = os.path.dirname(folder)
        if above == folder:
            return False
        folder = above
    return bool(wanted)


def _place(place: str, data: bytes, scratch: str, move: Callable[[str, str], None], mode: int | None) -> None:
    """Write a temporary file and move it to its place; no temporary file stays behind."""
    beside = os.path.dirname(place)
    if scratch and scratch != beside and _is_usable(scratch):
        try:
            _place_from(scratch, place, data, move, mode)
        except FileExistsError:
            raise
        except OSError:  # read-only, full, or of another file system
            _place_from(beside, place, data, move, mode)
    else:
        nofollow.make_folder(beside)
        _place_from(beside, place, data, move, mode)


def _place_from(folder: str, place: str, data: bytes, move: Callable[[str, str], None], mode: int | None) -> None:
    temporary = os.path.join(folder, f".{os.path.basename(place)}.{os.getpid()}.tmp")
    try:
        # A process that opened the file while it was readable for all could read on: it is private from the start.
        write_new(temporary, data, mode)
        move(temporary, place)
    finally:
        with contextlib.suppress(OSError):
            nofollow.unlink(temporary)


def write_new(place: str, data: bytes, mode: int | None) -> None:
    """Write a temporary file durably; None leaves its permissions to the system. Raises: OSError."""
    handle = nofollow.open_file(place, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666 if mode is None else PRIVATE)
    with open(handle, "wb") as file:
        if mode is not None and hasattr(os, "fchmod"):
            os.fchmod(handle, mode)
        file.write(data)
        file.flush()
        os.fsync(handle)


def _is_usable(scratch: str) -> bool:
    try:
        nofollow.make_folder(scratch)
    except OSError:
        return False
    return True


def _claim(temporary: str, place: str) -> None:
    """Give a finished file its name unless another file has it. Raises: FileExistsError."""
    try:
        nofollow.hard_link(temporary, place)
    except FileExistsError:
        raise
    except OSError:  # a file system without hard links: the name is taken first and filled then
        os.close(nofollow.open_file(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL))
        try:
            nofollow.replace(temporary, place)
        except OSError:
            nofollow.unlink(place)
            raise


def names_in(folder: str) -> list[str]:
    """Return the names directly in a folder, in order; none when it is not there. Raises: StorageError."""
    try:
        return sorted(os.listdir(folder))
    except FileNotFoundError:
        return []
    except OSError as error:
        raise StorageError(f"cannot list {folder}: {error.strerror}", hint="check its permissions") from error


def tree_of(folder: str) -> tuple[str, ...]:
    """Return the files below a folder by their paths in it, in order; none when it is not there."""
    found = []
    for place, _, names in os.walk(folder):
        below = os.path.relpath(place, folder).replace(os.sep, "/")
        found += [name if below == "." else f"{below}/{name}" for name in names]
    return tuple(sorted(found))


def read_tail(place: str, most: int) -> bytes:
    """Return at most the last `most` bytes of a plain file; empty when it cannot be read."""
    try:
        with open(place, "rb", buffering=0, opener=unblocked) as file:
            found = os.fstat(file.fileno())
            if not stat.S_ISREG(found.st_mode):
                return b""
            file.seek(max(0, found.st_size - most))
            return file.read(most) or b""
    except (OSError, ValueError):
        return b""
