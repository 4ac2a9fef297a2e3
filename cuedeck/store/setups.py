"""What set-up did to the files of hosts, so that the old bytes can come back.

It holds places and hashes, and of the text of files only what own entries replaced. Whoever deletes it loses nothing
but those bytes: own entries are recognised without it.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from typing import Any, NamedTuple

from cuedeck.model.errors import StorageError
from cuedeck.parse.hosts.edit import Swap
from cuedeck.parse.hosts.part import Keys, Prior
from cuedeck.store.batch import Write
from cuedeck.store.disk import read_bytes
from cuedeck.store.workspace import Workspace

_PATH = ("backup", "setup.json")
"""Beside the copies that `clean` keeps."""


class Known(NamedTuple):
    """What set-up did to one file."""

    after: str
    """Hash of the bytes it left; empty when the old ones cannot be told."""
    undo: tuple[Swap, ...]
    """What brings the old text back from those bytes, one after the other."""
    made: tuple[Keys, ...]
    """Containers it made in the file."""
    created: bool
    folders: tuple[str, ...]
    """Folders it made for the file."""
    prior: tuple[Prior, ...] = ()
    """Entries that were there before its own."""

    def is_untouched(self, data: bytes | None) -> bool:
        """Tell whether a file is as set-up left it."""
        return data is not None and bool(self.after) and digest(data) == self.after


def digest(data: bytes) -> str:
    """Return the hash of a file's bytes."""
    return hashlib.sha256(data).hexdigest()


def read_setups(workspace: Workspace) -> dict[str, Known]:
    """Return what is known, by path; what cannot be read counts as not known."""
    try:
        value = json.loads(read_bytes(_place(workspace)) or b"{}")
        return {str(path): _known(row) for path, row in value.get("files", {}).items()}
    except (ValueError, TypeError, KeyError, AttributeError, StorageError, RecursionError):
        return {}


def setups_write(workspace: Workspace, files: Mapping[str, Known]) -> tuple[Write, ...]:
    """Return what keeps what is known, by path, ready to be written with the files; nothing known leaves no file.

    Raises: StorageError when its folder cannot be made.
    """
    place = _place(workspace)
    if not files:
        return (Write(place, None),) if os.path.lexists(place) else ()
    try:
        os.makedirs(os.path.dirname(place), exist_ok=True)
    except OSError as error:
        raise StorageError(f"cannot make {os.path.dirname(place)}: {error.strerror}", hint="check it") from error
    rows = {path: _row(files[path]) for path in sorted(files)}
    data = json.dumps({"schema": 1, "files": rows}, default=str).encode()
    return () if read_bytes(place) == data else (Write(place, data, private=True),)


def _row(known: Known) -> dict[str, Any]:
    row = known._asdict()
    return {**row, "prior": [each._asdict() for each in known.prior]}


def _known(row: dict[str, Any]) -> Known:
    return Known(
        str(row["after"]),
        tuple(
            Swap(int(start), int(end), *map(str, text)) for start, end, *text in row.get("undo", row.get("cuts", ()))
        ),
        tuple(tuple(str(key) for key in keys) for keys in row["made"]),
        bool(row["created"]),
        tuple(str(folder) for folder in row["folders"]),
        tuple(Prior(tuple(map(str, each["keys"])), each["value"]) for each in row.get("prior", ())),
    )


def _place(workspace: Workspace) -> str:
    return os.path.join(workspace.cache, *_PATH)
