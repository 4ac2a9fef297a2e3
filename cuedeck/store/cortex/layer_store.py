"""Layer files on disk, and the cache of their states.

A folder has `.abstract.md` and `.overview.md`; a file has `.layers/NAME.l0.md` and
`.layers/NAME.l1.md` in its folder. Layers are derived, so they are written atomically
but without waiting for the disk: after a power failure some may be missing or empty. An
empty one is reported as foreign, because a user may have emptied it.
"""

from __future__ import annotations

import contextlib
import json
import os
from _thread import get_ident
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from hashlib import sha256
from stat import S_ISDIR, S_ISREG
from typing import Any, NamedTuple

from cuedeck.model.cortex_address import CortexAddress
from cuedeck.model.errors import StorageError
from cuedeck.model.paths import CACHE
from cuedeck.store.cortex.cortex_tree import CortexTree
from cuedeck.store.files import nofollow
from cuedeck.store.files.disk import create, failed, names_in, read_json, write_atomic
from cuedeck.store.files.file_lock import locked
from cuedeck.store.files.nofollow import PRIVATE
from cuedeck.store.workspace_paths import WorkspacePaths

LOCK = "layers"
"""Family of the lock of the builders of layers."""
FILE_LAYERS = ".layers"
"""Folder of the layers of the files in the same folder."""
FOLDER_NAMES = {"L0": ".abstract.md", "L1": ".overview.md"}
_FILE_ENDINGS = {"L0": ".l0.md", "L1": ".l1.md"}
BACKUPS = f"{CACHE}/backup/layers"
LARGEST_LAYER = 1_000_000
"""Bytes of the largest layer file that is read."""


class Stamp(NamedTuple):
    """Name and fingerprint of a regular file."""

    name: str
    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int


Row = tuple[str, int, int, int, int]
"""The fields of a stamp. A plain tuple is made and printed much faster."""


class Listing(NamedTuple):
    """The content of one folder of the tree that matters to layers."""

    files: list[Row]
    """All regular files, also those with reserved names, sorted."""
    folders: list[str]
    """Sorted."""
    layers: list[Row]
    """The files in `.layers`, sorted."""


def layer_name(name: str, level: str) -> str:
    """Return the reserved name of a layer: that of a file, or with an empty `name` that
    of the folder itself.
    """
    if not name:
        return FOLDER_NAMES[level]
    return f"{FILE_LAYERS}/{name}{_FILE_ENDINGS[level]}"


def backup_stem(name: str, level: str) -> str:
    """Return the end of the name of each backup of a layer."""
    return layer_name(name, level).rpartition("/")[2].lstrip(".")


def split_layer_name(name: str) -> tuple[str, str] | None:
    """Return the file and the level of a name in `.layers`; None for another name."""
    for level, ending in _FILE_ENDINGS.items():
        if name.endswith(ending) and len(name) > len(ending):
            return name[: -len(ending)], level
    return None


class LayerStore:
    """Reads and writes the layer files of a workspace."""

    def __init__(self, paths: WorkspacePaths) -> None:
        self._paths = paths
        self.tree = CortexTree(paths)

    def list_folder(self, folder: CortexAddress | None) -> Listing:
        """Return the content of a folder; empty if it is missing. Raises:
        StorageError.
        """
        place = self.tree.place(folder)
        found = _scanned(place, partial(self.tree.scan, folder))
        folders = sorted(name for name, status in found if S_ISDIR(status.st_mode))
        layers: list[Row] = []
        if FILE_LAYERS in folders:
            inside = os.path.join(place, FILE_LAYERS)
            layers = _rows(_scanned(inside, partial(nofollow.scan_folder, inside)))
        return Listing(_rows(found), folders, layers)

    def read(self, folder: CortexAddress, name: str, level: str) -> bytes:
        """Return the bytes of a layer; empty if it is missing or cannot be read, also
        because it is larger than any layer.
        """
        place = self.tree.reserved_place(folder, layer_name(name, level))
        try:
            return nofollow.read_file(place, LARGEST_LAYER)
        except OSError:
            return b""

    def write(self, folder: CortexAddress, name: str, level: str, data: bytes) -> bool:
        """Replace a layer if its bytes differ; return whether it was written. Raises:
        StorageError.
        """
        place = self.tree.reserved_place(folder, layer_name(name, level))
        if self.read(folder, name, level) == data:
            return False
        above = os.path.dirname(place)
        # Not made of the name of the layer, which may have the maximal length.
        temporary = os.path.join(above, f".{get_ident()}.{os.getpid()}.tmp")
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
        try:
            if name and not os.path.isdir(above):
                nofollow.make_folder(above, parents=False)
            handle = nofollow.open_file(temporary, flags, PRIVATE)
            with open(handle, "wb", buffering=0) as file:
                file.write(data)
            nofollow.replace(temporary, place)
        except OSError as error:
            with contextlib.suppress(OSError):
                nofollow.unlink(temporary)
            raise failed(
                f"write {place}", error, "check the permissions below .cuedeck/cortex"
            ) from error
        return True

    def backups(self) -> Iterator[tuple[str, bytes]]:
        """Yield the workspace-relative path and the content of each backup, by path.
        Raises: StorageError.
        """
        for name in names_in(self._paths.absolute(BACKUPS)):
            path = f"{BACKUPS}/{name}"
            try:
                yield path, nofollow.read_file(self._paths.absolute(path))
            except OSError:  # a folder, a link, or removed meanwhile
                continue

    def remove_backup(self, path: str) -> None:
        """Remove a backup, if it exists. Raises: StorageError."""
        place = self._paths.absolute(path)
        try:
            nofollow.unlink(place)
        except FileNotFoundError:
            return
        except OSError as error:
            raise failed(
                f"remove {path}", error, "check the permissions below .cuedeck/cache"
            ) from error

    def back_up(self, folder: CortexAddress, name: str, level: str) -> str:
        """Copy a layer into the backups of the cache, unless an equal one is there;
        return its workspace-relative path. Raises: StorageError.
        """
        place = self.tree.reserved_place(folder, layer_name(name, level))
        try:
            data = nofollow.read_file(place)
        except OSError as error:
            raise failed(
                f"back up {place}", error, "move the file to another folder"
            ) from error
        digest = sha256(data).hexdigest()[:16]
        path = f"{BACKUPS}/{digest}-{backup_stem(name, level)}"
        create(self._paths.absolute(path), data, mode=PRIVATE)
        return path

    def remove(self, folder: CortexAddress, name: str, level: str) -> None:
        """Remove a layer, if it exists. Raises: StorageError."""
        place = self.tree.reserved_place(folder, layer_name(name, level))
        try:
            nofollow.unlink(place)
        except (FileNotFoundError, NotADirectoryError):
            return
        except OSError as error:
            raise failed(
                f"remove {place}", error, "check the permissions below .cuedeck/cortex"
            ) from error

    def building(self) -> contextlib.AbstractContextManager[None]:
        """Hold the lock of the builders. Raises: Locked, StorageError."""
        return locked(self._paths, LOCK)

    def load_cache(self) -> Mapping[str, Any]:
        """Return the stored cache; empty if there is none or none is possible."""
        try:
            found = read_json(self._cache_place())
        except StorageError:  # the private folder has no key
            return {}
        return found if isinstance(found, dict) else {}

    def save_cache(self, value: Mapping[str, Any]) -> None:
        """Store the cache, unless it cannot be written: the workspace may be
        read-only.
        """
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        with contextlib.suppress(StorageError):
            place = self._cache_place()
            write_atomic(
                place,
                text.encode("utf-8", "surrogatepass"),
                os.path.dirname(place),
                private=True,
            )

    def _cache_place(self) -> str:
        return os.path.join(self._paths.private, "layers.json")


def _scanned(
    place: str, scan: Callable[[], list[tuple[str, os.stat_result]]]
) -> list[tuple[str, os.stat_result]]:
    """Return what `scan` finds in a folder; nothing in a missing one. Raises:
    StorageError.
    """
    try:
        return scan()
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as error:
        raise failed(
            f"list {place}", error, "check the permissions below .cuedeck/cortex"
        ) from error


def _rows(found: list[tuple[str, os.stat_result]]) -> list[Row]:
    """Return the regular files, sorted by name."""
    return sorted(
        (name, each.st_size, each.st_mtime_ns, each.st_ctime_ns, each.st_ino)
        for name, each in found
        if S_ISREG(each.st_mode)
    )
