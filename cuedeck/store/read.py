"""Reading one file of the workspace: fingerprint, hash, and what the parsers make of it."""

from __future__ import annotations

import hashlib
import os
import posixpath
import time
from collections.abc import Sequence
from typing import NamedTuple

from cuedeck.model.address import name_key
from cuedeck.model.node import Diagnostic, File
from cuedeck.store.scan import Print

LARGEST_TEXT = 64_000_000
"""Bytes above which a file is hashed but never held in memory."""


class Reading(NamedTuple):
    """What reading a file gave. `data` is empty when the content is what the index already has."""

    path: str
    print: Print
    kind: str
    troubled: bool
    data: str
    names: tuple[str, ...]


def read_files(root: str, wanted: Sequence[tuple[str, str]]) -> list[Reading]:
    """Read (path, known hash) pairs; a file that vanished meanwhile is left out."""
    readings = (read_file(root, path, known) for path, known in wanted)
    return [reading for reading in readings if reading is not None]


def read_file(root: str, path: str, known: str = "") -> Reading | None:
    """Read, hash and parse one file; parsing is spared when its hash is `known`. None when it is gone."""
    place = os.path.join(root, *path.split("/"))
    checked = time.time_ns()
    trouble = None
    data = b""
    try:
        with open(place, "rb", buffering=0) as file:
            now = os.fstat(file.fileno())
            if now.st_size > LARGEST_TEXT:
                digest = hashlib.file_digest(file, "sha256").hexdigest()
                trouble = Diagnostic(
                    path,
                    0,
                    "info",
                    "large-file",
                    f"{now.st_size:,} bytes are too many to show",
                    "it is listed by its line alone",
                )
            else:
                data = file.readall()
                digest = hashlib.sha256(data).hexdigest()
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        return None
    except OSError as error:
        try:
            now = os.stat(place)
        except OSError:
            return None
        digest = hashlib.sha256(f"unreadable {error.errno}".encode()).hexdigest()
        trouble = Diagnostic(
            path, 0, "warning", "unreadable", f"cannot be read: {error.strerror}", "check its permissions"
        )
    mark = Print(now.st_size, now.st_mtime_ns, now.st_ctime_ns, now.st_ino, checked, digest)
    if digest == known:
        return Reading(path, mark, "", False, "", ())
    file_ = _shut(path, now.st_size, trouble) if trouble else _parse(path, data)
    from cuedeck.store.record import encode

    return Reading(path, mark, file_.kind, bool(file_.diagnostics), encode(file_), names_of(file_))


def names_of(file: File) -> tuple[str, ...]:
    """Return the sorted keys by which a wiki link may name a file."""
    base = posixpath.basename(file.path)
    names = [base]
    if file.kind in ("card", "doc"):
        names += [posixpath.splitext(base)[0], file.title, *file.aliases]
    if file.card is not None:
        names += [file.card.id, file.card.title]
    return tuple(sorted({name_key(name) for name in names if name.strip()}))


def _parse(path: str, data: bytes) -> File:
    from cuedeck.parse.table import parse_file

    return parse_file(path, data)


def _shut(path: str, size: int, trouble: Diagnostic) -> File:
    return File(path, "binary", size, 0, "", (), (), 1, (), (), (), (), None, (trouble,))
