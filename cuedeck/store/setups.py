"""What set-up did to the files of hosts, so that the old bytes can come back.

It holds places and hashes, no text of any file. Whoever deletes it loses nothing but those bytes: own entries
are recognised without it.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from typing import Any, NamedTuple

from cuedeck.model.errors import StorageError
from cuedeck.parse.hosts.edit import Cut
from cuedeck.parse.hosts.part import Keys
from cuedeck.store.disk import read_bytes, write_if_changed
from cuedeck.store.workspace import Workspace

_PATH = ("backup", "setup.json")
"""Beside the copies that `clean` keeps."""


class Known(NamedTuple):
    """What set-up did to one file."""

    after: str
    """Hash of the bytes it left; empty when the old ones cannot be told."""
    cuts: tuple[Cut, ...]
    """What brings the old text back from those bytes, one after the other."""
    made: tuple[Keys, ...]
    """Containers it made in the file."""
    created: bool
    folders: tuple[str, ...]
    """Folders it made for the file."""

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


def write_setups(workspace: Workspace, files: Mapping[str, Known]) -> None:
    """Keep what is known, by path; nothing known leaves no file. Raises: StorageError."""
    place = _place(workspace)
    if not files:
        try:
            os.unlink(place)
        except FileNotFoundError:
            return
        except OSError as error:
            raise StorageError(f"cannot remove {place}: {error.strerror}", hint="check the permissions") from error
        return
    rows = {path: files[path]._asdict() for path in sorted(files)}
    try:
        os.makedirs(os.path.dirname(place), exist_ok=True)
    except OSError as error:
        raise StorageError(f"cannot make {os.path.dirname(place)}: {error.strerror}", hint="check it") from error
    write_if_changed(place, json.dumps({"schema": 1, "files": rows}).encode(), workspace.cache)


def _known(row: dict[str, Any]) -> Known:
    return Known(
        str(row["after"]),
        tuple(Cut(int(start), int(end)) for start, end in row["cuts"]),
        tuple(tuple(str(key) for key in keys) for keys in row["made"]),
        bool(row["created"]),
        tuple(str(folder) for folder in row["folders"]),
    )


def _place(workspace: Workspace) -> str:
    return os.path.join(workspace.cache, *_PATH)
