"""State of `cuedeck setup`: its changes in the files of hosts, so that removal restores
the old bytes.

The state contains paths and hashes, and only the text that own entries replaced.
Deleting it loses only that text, because own entries are recognised without it.

Removal edits files according to this state, so its folder has a name that a repository
cannot predict (`private_folder`).
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from cuedeck.model.errors import StorageError
from cuedeck.model.replaced_entry import Keys, Prior
from cuedeck.parse.text_edit import Swap
from cuedeck.store.files import nofollow
from cuedeck.store.files.atomic_batch import Write
from cuedeck.store.files.disk import failed, look_at_generated, read_json
from cuedeck.store.files.private_folder import private_name
from cuedeck.store.workspace_paths import WorkspacePaths

_BACKUP = "backup"
"""Folder of the cache that `clean` keeps."""
_NAME = "setup.json"


class KnownSetup(NamedTuple):
    """State of one file that set-up changed."""

    after: str = ""
    """Hash of the bytes that set-up wrote; empty if the old ones cannot be restored."""
    undo: tuple[Swap, ...] = ()
    """Swaps that restore the old text from those bytes, applied in order."""
    made: tuple[Keys, ...] = ()
    """Containers that set-up created in the file."""
    created: bool = False
    folders: tuple[str, ...] = ()
    """Folders that set-up created for the file."""
    prior: tuple[Prior, ...] = ()
    """Entries for CueDeck that existed before set-up."""
    hosts: tuple[str, ...] = ()
    """Connected hosts that use the block of the file and have no entry in any other
    file.
    """

    def is_untouched(self, data: bytes | None) -> bool:
        """Return whether a file is as set-up wrote it."""
        return data is not None and digest(data) == self.after


def digest(data: bytes) -> str:
    """Return the hash of a file's bytes."""
    return hashlib.sha256(data).hexdigest()


def read_setups(paths: WorkspacePaths) -> dict[str, KnownSetup]:
    """Return the state of each file, by path; a state that cannot be read is left
    out.
    """
    place = _place(paths)
    if not place:
        return {}
    try:
        value = read_json(place) or {}
        return {str(path): _known(row) for path, row in value.get("files", {}).items()}
    except (ValueError, TypeError, KeyError, AttributeError):
        return {}


def setups_write(
    paths: WorkspacePaths, files: Mapping[str, KnownSetup]
) -> tuple[Write, ...]:
    """Return the write that stores the state of each file, by path; an empty state
    removes the stored one.

    The write belongs in the same batch as the files. Without a user key nothing is
    stored. Raises: StorageError when its folder cannot be made.
    """
    place = _place(paths)
    if not place:
        return ()
    if not files:
        if not os.path.lexists(place):
            return ()
        return (Write(place, None),)
    try:
        nofollow.make_folder(os.path.dirname(place))
    except OSError as error:
        raise failed(f"make {os.path.dirname(place)}", error, "check it") from error
    rows = {path: _row(files[path]) for path in sorted(files)}
    data = json.dumps({"schema": 1, "files": rows}, default=str).encode()
    if look_at_generated(place) == data:
        return ()
    return (Write(place, data, private=True),)


def _row(known: KnownSetup) -> dict[str, Any]:
    row = known._asdict()
    return {**row, "prior": [each._asdict() for each in known.prior]}


def _known(row: dict[str, Any]) -> KnownSetup:
    swaps = []
    for start, end, *text in row.get("undo", row.get("cuts", ())):
        swaps.append(Swap(int(start), int(end), *map(str, text)))
    prior = row.get("prior", ())
    return KnownSetup(
        after=str(row["after"]),
        undo=tuple(swaps),
        made=tuple(map(_texts, row["made"])),
        created=bool(row["created"]),
        folders=_texts(row["folders"]),
        prior=tuple(Prior(_texts(each["keys"]), each["value"]) for each in prior),
        hosts=_texts(row.get("hosts", ())),
    )


def _texts(values: Iterable[object]) -> tuple[str, ...]:
    return tuple(map(str, values))


def _place(paths: WorkspacePaths) -> str:
    """Return the path of the state; empty without a user key."""
    try:
        private = private_name(paths.root)
    except StorageError:
        return ""
    return os.path.join(paths.cache, _BACKUP, private, _NAME)
