"""Journal of the folders of the cortex tree whose layers may be out of date.

Writers of the tree append the address of the folder that they change; a build rebuilds
these folders and their ancestors and then drops the lines that it has read. The journal
is a set: a folder that is marked many times is rebuilt once. After a crash a folder may
be marked although its layers are fresh, which costs one comparison.
"""

from __future__ import annotations

from collections.abc import Iterable

from cuedeck.model.cortex_address import (
    CortexAddress,
    CortexAddressError,
    parse_cortex_address,
)
from cuedeck.model.light_typing import NamedTuple
from cuedeck.model.paths import CORTEX
from cuedeck.store.cortex.cortex_tree import LOCK
from cuedeck.store.files import nofollow
from cuedeck.store.files.append import appending
from cuedeck.store.files.disk import look_at_generated, write_atomic
from cuedeck.store.files.file_lock import locked
from cuedeck.store.workspace_paths import WorkspacePaths

NAME = ".dirty"
"""Name of the journal in `.cuedeck/cortex/`."""


class Marked(NamedTuple):
    """Folders of the journal, and the bytes of it that list them."""

    folders: tuple[CortexAddress, ...]
    """Sorted by address, each once."""
    size: int


class DirtyJournal:
    """The journal of a workspace."""

    def __init__(self, paths: WorkspacePaths) -> None:
        self._paths = paths
        self._place = paths.absolute(f"{CORTEX}/{NAME}")

    def mark(self, folders: Iterable[CortexAddress]) -> None:
        """Append folders; the caller holds the lock of the cortex tree.

        A lost line is harmless, so the append does not wait for the disk. Raises:
        StorageError.
        """
        lines = "".join(f"{each.text}\n" for each in folders)
        if lines:
            with appending(self._place, synced=False) as end:
                end.add(lines.encode())

    def read(self) -> Marked:
        """Return the marked folders; a damaged line is ignored."""
        data = look_at_generated(self._place)
        found: dict[str, CortexAddress] = {}
        for line in data.decode("utf-8", "replace").splitlines():
            try:
                address = parse_cortex_address(line)
            except CortexAddressError:
                continue
            found[address.text] = address
        return Marked(tuple(found[text] for text in sorted(found)), len(data))

    def drop(self, marked: Marked) -> None:
        """Remove the lines that `read` returned; lines appended since then stay.

        Raises: Locked, StorageError.
        """
        if not marked.size:
            return
        with locked(self._paths, LOCK):
            rest = look_at_generated(self._place)[marked.size :]
            if rest:
                write_atomic(self._place, rest, self._paths.shared.cache, private=True)
                return
            try:
                nofollow.unlink(self._place)
            except FileNotFoundError:
                return
