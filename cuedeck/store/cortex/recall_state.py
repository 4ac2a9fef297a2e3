"""State of files and day folders of the cortex tree, for the index of recall.

A folder of messages is compared by its own fingerprint, which differs after a message
was added, replaced or removed, and by the sizes and times of its messages, which differ
after an editor has changed one in place.
"""

from __future__ import annotations

import os
import time
import zlib
from typing import NamedTuple

from cuedeck.model.cortex_address import CortexAddress
from cuedeck.model.errors import StorageError
from cuedeck.store.cortex.cortex_tree import CortexTree, sum_of_folder
from cuedeck.store.files.file_growth import TAIL, Known
from cuedeck.store.files.fingerprint import Print, is_settled, print_of, settle


class DayListing(NamedTuple):
    """The messages of a day."""

    known: Known
    """State to store: `offset` is the number of messages, `sum` is made of their names,
    sizes and times, `rest` is the sum of the folder.
    """
    names: tuple[str, ...]
    """Names of the message files, in order."""
    unchanged: int
    """Number of names at the beginning that the stored state contains."""


def list_day(tree: CortexTree, day: CortexAddress, known: Known | None) -> DayListing:
    """Return the messages of a day, compared with its stored state. Raises:
    FileNotFoundError, StorageError.

    After a message of this moment it waits for one tick of the clock of the file
    system, so that the next edit of the message changes its time.
    """
    last = sum_of_folder(tree.place(day))
    settle(tree.place(day), Print(0, last.mtime_ns, last.ctime_ns, 0))
    checked_ns = time.time_ns()
    now = _print(tree, day)
    found = sum_of_folder(tree.place(day))
    rows = [each for each in tree.entries(day) if not each.is_folder]
    names = tuple(row.name for row in rows)
    sums = [0]
    for row in rows:
        sums.append(zlib.crc32(repr(tuple(row)).encode("utf-8", "replace"), sums[-1]))
    unchanged = 0
    if known is not None and known.offset <= len(rows):
        old = rows[: known.offset]
        is_same = sums[known.offset] == known.sum
        if is_same and all(is_settled(row, known.checked_ns) for row in old):
            unchanged = known.offset
    state = Known(now, checked_ns, len(rows), sums[-1], 0, found.total)
    return DayListing(state, names, unchanged)


def is_day_changed(tree: CortexTree, day: CortexAddress, known: Known) -> bool:
    """Return whether a message of a day differs although the fingerprint of the folder
    is the same.
    """
    try:
        listing = list_day(tree, day, known)
    except (FileNotFoundError, StorageError):
        return False
    return listing.known.print == known.print and listing.known.sum != known.sum


def read_with_state(tree: CortexTree, address: CortexAddress) -> tuple[bytes, Known]:
    """Return the content of a file with its state. Raises: FileNotFoundError,
    NotFound, StorageError.
    """
    checked_ns = time.time_ns()
    now = _print(tree, address)
    data = tree.read(address)
    tail = zlib.crc32(data[-TAIL:])
    return data, Known(now, checked_ns, len(data), zlib.crc32(data), tail, 0)


def _print(tree: CortexTree, address: CortexAddress) -> Print:
    place = tree.place(address)
    found = print_of(place)
    if found is None:
        raise FileNotFoundError(os.strerror(2), place)
    return found
