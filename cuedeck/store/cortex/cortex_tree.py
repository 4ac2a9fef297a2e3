"""Files and folders of the cortex tree, read and written by address.

Guarantee: no operation follows a symbolic link, so every byte that is read or written
lies below `.cuedeck/cortex/` of the workspace; see `store.files.nofollow`. Folders list
only what an address can name: links, devices and names that the grammar of addresses
refuses are returned by `strays` and never read. Readers take no lock. All writers hold
one lock, that of the family `cortex`.

Layers and metadata have names that begin with a dot. No address names such a file; the
functions for reserved files take its folder and its name.
"""

from __future__ import annotations

import errno
import os
import stat
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Literal, NamedTuple

from cuedeck.model.cortex_address import (
    TIMELINE,
    CortexAddress,
    CortexAddressError,
    parse_cortex_address,
)
from cuedeck.model.errors import Invalid, NotFound, StorageError, TooLong
from cuedeck.model.paths import CORTEX, is_private_memory
from cuedeck.store.files import nofollow
from cuedeck.store.files.disk import (
    create,
    failed,
    read_generated,
    write_if_changed,
)
from cuedeck.store.files.file_lock import locked
from cuedeck.store.files.fingerprint import Print
from cuedeck.store.workspace_paths import WorkspacePaths

LOCK = "cortex"
"""Family of the lock of all writers."""
MAX_FILE_BYTES = 64_000_000
"""Bytes of the largest file that is read or written."""

EntryKind = Literal["file", "folder", ""]


class CortexEntry(NamedTuple):
    """A file or folder in a folder of the tree."""

    address: CortexAddress
    is_folder: bool
    size: int
    """Bytes; 0 for a folder."""
    mtime_ns: int
    ctime_ns: int

    @property
    def name(self) -> str:
        """Last part of its address."""
        return self.address.name


class CortexTree:
    """The cortex tree of a workspace; a missing folder reads as empty."""

    def __init__(self, paths: WorkspacePaths) -> None:
        self._paths = paths
        self._top = paths.absolute(CORTEX)
        self._shared_top = paths.shared.absolute(CORTEX)

    def place(self, address: CortexAddress | None) -> str:
        """Return the absolute path of an address; None means the whole tree, or its
        part in this worktree.
        """
        if address is None:
            return self._top
        top = self._top
        if _is_shared(address.parts[0]):
            top = self._shared_top
        return os.sep.join((top, *address.parts))

    def kind_of(self, address: CortexAddress) -> EntryKind:
        """Return whether an address is a file, a folder or neither; a link is neither.

        Raises: StorageError.
        """
        try:
            mode = nofollow.status(self.place(address)).st_mode
        except (FileNotFoundError, NotADirectoryError, nofollow.LinkRefused):
            return ""
        except OSError as error:
            raise _failed("read", address.text, error) from error
        return _kind(mode)

    def entries(self, folder: CortexAddress | None) -> list[CortexEntry]:
        """Return the files and folders in a folder, in the order of their UTF-8 bytes.

        None means the folder of the dimensions. Raises: StorageError for a file, or for
        a link on the way.
        """
        return sorted(self._list(folder)[0], key=lambda entry: entry.name.encode())

    def strays(self, folder: CortexAddress | None) -> dict[str, str]:
        """Return the names in a folder that no address names, sorted, without names
        that begin with a dot; each with the reason: `link`, `not_a_file`, or the rule
        of the address grammar that it breaks. Invalid UTF-8 is replaced.

        Raises: StorageError.
        """
        return dict(sorted(self._list(folder)[1].items()))

    def _list(
        self, folder: CortexAddress | None
    ) -> tuple[list[CortexEntry], dict[str, str]]:
        entries: list[CortexEntry] = []
        strays: dict[str, str] = {}
        for name, status in self._scan(folder):
            if name[0] == ".":
                continue
            kind = _kind(status.st_mode)
            reason = "link" if stat.S_ISLNK(status.st_mode) else "not_a_file"
            if kind:
                try:
                    address = _child(folder, name)
                    reason = "" if address.name == name else "bad_segment"  # not in NFC
                except CortexAddressError as error:
                    reason = error.reason
            if reason:
                strays[name.encode("utf-8", "replace").decode()] = reason
            else:
                is_folder = kind == "folder"
                size = 0 if is_folder else status.st_size
                times = status.st_mtime_ns, status.st_ctime_ns
                entries.append(CortexEntry(address, is_folder, size, *times))
        return entries, strays

    def walk(
        self, top: CortexAddress | None
    ) -> Iterator[tuple[CortexAddress | None, list[CortexEntry]]]:
        """Yield each folder from `top` down with its entries, a folder before those
        below it, in the order of `entries`. Raises: StorageError.
        """
        waiting = [top]
        while waiting:
            folder = waiting.pop()
            entries = self.entries(folder)
            yield folder, entries
            below = [entry.address for entry in entries if entry.is_folder]
            waiting.extend(reversed(below))

    def files(self, top: CortexAddress) -> Iterator[CortexAddress]:
        """Yield the addresses of all files below a folder. Raises: StorageError."""
        for _, entries in self.walk(top):
            yield from (entry.address for entry in entries if not entry.is_folder)

    def read(self, address: CortexAddress) -> bytes:
        """Return the content of a file.

        Raises: NotFound; Invalid for a folder; StorageError, also for a link on the way
        and for a file of more than `MAX_FILE_BYTES`.
        """
        place = self.place(address)
        try:
            data = nofollow.read_file(place, MAX_FILE_BYTES)
            if data:
                return data
        except OSError:
            pass  # the status of the file explains the error
        try:
            mode = nofollow.status(place).st_mode
            if stat.S_ISREG(mode):
                return nofollow.read_file(place, MAX_FILE_BYTES)
        except (FileNotFoundError, NotADirectoryError):
            raise _missing(address) from None
        except OSError as error:
            raise _failed("read", address.text, error) from error
        if stat.S_ISDIR(mode):
            raise Invalid(
                f"{address.text} is a folder", hint="give the address of a file in it"
            )
        raise StorageError(
            f"cannot read {address.text}: it is a link or a device, not a file",
            hint=f"remove {address.path}",
        )

    def read_reserved(self, folder: CortexAddress, name: str) -> bytes | None:
        """Return the content of a reserved file of a folder, such as `.session.json` or
        `.layers/a.md.l0.md`; None if it is missing.

        Raises: StorageError.
        """
        return read_generated(self.reserved_place(folder, name), MAX_FILE_BYTES)

    def reserved_place(self, folder: CortexAddress, name: str) -> str:
        """Return the absolute path of a reserved file. Raises: Invalid for a name that
        does not begin with a dot, or that leaves the folder.
        """
        names = name.split("/")
        is_inside = all(each and each not in (".", "..") for each in names)
        is_portable = "\0" not in name and "\\" not in name
        if name[:1] != "." or not is_inside or not is_portable:
            raise Invalid(
                f"`{name}` is not a reserved name",
                hint="a reserved name begins with a dot",
            )
        return os.path.join(self.place(folder), *names)

    @contextmanager
    def writing(self, patience_seconds: float | None = None) -> Iterator[CortexWriter]:
        """Hold the lock of all writers and yield a writer. Raises: Locked,
        StorageError.
        """
        patience = (
            {} if patience_seconds is None else {"patience_seconds": patience_seconds}
        )
        with locked(self._paths, LOCK, **patience):
            yield CortexWriter(self, self._paths.shared.cache)

    def _scan(self, folder: CortexAddress | None) -> list[tuple[str, os.stat_result]]:
        try:
            return self.scan(folder)
        except OSError as error:
            shown = folder.text if folder else CORTEX
            raise _failed("list", shown, error) from error

    def scan(self, folder: CortexAddress | None) -> list[tuple[str, os.stat_result]]:
        """Return all names in a folder with their status; none if it is missing.
        Raises: LinkRefused, OSError.
        """
        if folder is not None or self._shared_top == self._top:
            return _scan_folder(self.place(folder))
        own = [row for row in _scan_folder(self._top) if not _is_shared(row[0])]
        shared = _scan_folder(self._shared_top)
        return own + [row for row in shared if _is_shared(row[0])]


def _is_shared(dimension: str) -> bool:
    return is_private_memory(f"{CORTEX}/{dimension}")


def _scan_folder(place: str) -> list[tuple[str, os.stat_result]]:
    try:
        return nofollow.scan_folder(place)
    except FileNotFoundError:
        return []


def day_addresses(tree: CortexTree, session: CortexAddress) -> list[CortexAddress]:
    """Return the addresses of the days with messages, in order. Raises:
    StorageError.
    """
    months = tree.entries(session.child(TIMELINE))
    return [
        day.address
        for month in months
        if month.is_folder
        for day in tree.entries(month.address)
        if day.is_folder
    ]


def print_of_folder(place: str) -> Print | None:
    """Return the fingerprint of the files in a folder, which differs after one was
    added, removed or changed, also in place; None if the folder is missing.

    Its times are those of the file that was changed last; its inode is a sum of all
    values.
    """
    try:
        found = nofollow.scan_folder(place)
    except OSError:
        return None
    size = mtime_ns = ctime_ns = inodes = 0
    last = Print(0, 0, 0, 0)
    for name, file in found:
        if name[0] == ".":
            continue
        size += file.st_size
        mtime_ns += file.st_mtime_ns
        ctime_ns += file.st_ctime_ns
        inodes += file.st_ino
        if file.st_ctime_ns >= last.ctime_ns:
            last = Print(0, file.st_mtime_ns, file.st_ctime_ns, 0)
    total = zlib.crc32(repr((size, mtime_ns, ctime_ns, inodes)).encode())
    return last._replace(size=size, inode=total)


class CortexWriter:
    """Writer of the cortex tree, made by `CortexTree.writing`, which holds the lock.
    New files are readable by their owner only; each write is durable on return.
    """

    def __init__(self, tree: CortexTree, scratch: str) -> None:
        self._tree = tree
        self.scratch = scratch
        """Folder of temporary files."""

    def create(self, address: CortexAddress, data: bytes) -> bool:
        """Create a file; return False, with nothing changed, if it exists. Raises:
        TooLong, StorageError.
        """
        _check_size(address.text, data)
        place = self._tree.place(address)
        if not create(place, data, self.scratch, nofollow.PRIVATE):
            return False
        nofollow.sync_folder(os.path.dirname(place))
        return True

    def write(self, address: CortexAddress, data: bytes) -> bool:
        """Replace a file atomically if its bytes differ; return whether it was written.
        Raises: TooLong, StorageError.
        """
        _check_size(address.text, data)
        return self._write(self._tree.place(address), data)

    def write_reserved(self, folder: CortexAddress, name: str, data: bytes) -> bool:
        """Replace a reserved file of a folder if its bytes differ; return whether it
        was written. Raises: TooLong, Invalid, StorageError.
        """
        _check_size(f"{folder.text}/{name}", data)
        return self._write(self._tree.reserved_place(folder, name), data)

    def write_layers(
        self, folder: CortexAddress, files: Mapping[str, bytes | None]
    ) -> None:
        """Replace reserved files of a folder whose bytes differ, and remove those that
        are None; nothing if the folder was deleted meanwhile. Raises: StorageError.
        """
        if self._tree.kind_of(folder) != "folder":
            return
        for name, data in files.items():
            place = self._tree.reserved_place(folder, name)
            if data is not None:
                self._write(place, data)
                continue
            try:
                nofollow.unlink(place)
            except (FileNotFoundError, NotADirectoryError):
                pass
            except OSError as error:
                raise _failed("remove", place, error) from error

    def remove(self, address: CortexAddress) -> bool:
        """Remove a file, or a folder with all that it contains; return whether it
        existed. A link is removed, its target is not. Raises: StorageError.
        """
        place = self._tree.place(address)
        try:
            if self._tree.kind_of(address) == "folder":
                nofollow.remove_tree(place)
            else:
                nofollow.unlink(place)
        except (FileNotFoundError, NotADirectoryError):
            return False
        except OSError as error:
            raise _failed("remove", address.text, error) from error
        nofollow.sync_folder(os.path.dirname(place))
        return True

    def _write(self, place: str, data: bytes) -> bool:
        above = os.path.dirname(place)
        try:
            nofollow.make_folder(above)
        except OSError as error:
            raise _failed("write", place, error) from error
        is_written = write_if_changed(place, data, self.scratch, private=True)
        if is_written:
            nofollow.sync_folder(above)
        return is_written


def _child(folder: CortexAddress | None, name: str) -> CortexAddress:
    """Return the address of a name in a folder, or of a dimension. Raises:
    CortexAddressError.
    """
    if folder is None:
        return parse_cortex_address(name)
    return folder.child(name)


def _kind(mode: int) -> EntryKind:
    if stat.S_ISREG(mode):
        return "file"
    if stat.S_ISDIR(mode):
        return "folder"
    return ""


def _check_size(shown: str, data: bytes) -> None:
    if len(data) > MAX_FILE_BYTES:
        raise TooLong(
            f"{shown}: {len(data):,} bytes are more than {MAX_FILE_BYTES:,}",
            hint="split the text into smaller files",
        )


def _missing(address: CortexAddress) -> NotFound:
    return NotFound(
        f"{address.text} does not exist", hint="check the names in the address"
    )


def _failed(operation: str, shown: str, error: OSError) -> StorageError:
    hint = "check the permissions below .cuedeck/cortex"
    if error.errno == errno.EFBIG:
        hint = f"files of more than {MAX_FILE_BYTES:,} bytes are not read"
    return failed(f"{operation} {shown}", error, hint)
