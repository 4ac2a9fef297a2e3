"""BPE merge ranks of an encoding, as a binary hash table that is used without parsing.

The first use builds the table from the rank file in the package (xz-compressed) and
caches it in a folder of the user. The table is mapped into memory, so that counting a
short text reads few of its pages. A table of another size is built again.

Layout: number of tokens, hash slots, end offset of each token, bytes of all tokens in
rank order. Numbers are unsigned, with 32 bits, in the byte order of the machine. A slot
contains rank + 1, or zero if it is free; collisions of crc32 are resolved by linear
probing.

Source: the rank files are OpenAI's, as published for tiktoken (MIT licence, see
`vocabulary/LICENSE`).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from itertools import accumulate, pairwise
from mmap import ACCESS_READ, mmap
from zlib import crc32

from cuedeck.model.errors import StorageError
from cuedeck.store.files.disk import read_bytes, unblocked, write_atomic
from cuedeck.store.files.user_cache import user_cache

_SUMS = {
    "o200k_base": "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
    "cl100k_base": "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
}
"""The sha256 of each rank file."""
_SIZES = {"o200k_base": 4_294_822, "cl100k_base": 2_093_438}
"""Bytes of each table."""
_shared: dict[str, Ranks] = {}


class Ranks:
    """Merge ranks of one encoding."""

    def __init__(self, table: bytes | mmap) -> None:
        view = memoryview(table)
        self._size = view[:4].cast("I")[0]
        slots = _slots_for(self._size)
        ends = 4 + 4 * slots
        start = ends + 4 * (self._size + 1)
        self._slots = view[4:ends].cast("I")
        self._ends = view[ends:start].cast("I")
        self._table = table
        self._start = start

    def __len__(self) -> int:
        return self._size

    def rank(self, piece: bytes) -> int:
        """Return the rank of a token; the number of tokens if `piece` is not a
        token.
        """
        slots = self._slots
        ends = self._ends
        start = self._start
        last = len(slots) - 1
        at = crc32(piece) & last
        while after := slots[at]:
            if self._table[start + ends[after - 1] : start + ends[after]] == piece:
                return after - 1
            at = (at + 1) & last
        return self._size

    def tokens(self) -> Sequence[bytes]:
        """Return all tokens in rank order."""
        tokens = self._table[self._start :]
        return [tokens[start:end] for start, end in pairwise(self._ends)]


def open_ranks(encoding: str, scratch: str) -> Ranks:
    """Open the table in the user's cache folder or in `scratch`; build and cache it if
    neither has it.

    Raises: StorageError if the rank file of the package is damaged.
    """
    file = file_name(encoding)
    places = [os.path.join(folder, file) for folder in (user_cache(), scratch)]
    for place in places:
        ranks = _open_table(place, encoding)
        if ranks is not None:
            return ranks
    table = _make(encoding)
    for place in places:
        try:
            write_atomic(place, table)
        except StorageError:
            continue
        break
    return Ranks(table)


def share_ranks(encoding: str, scratch: str) -> Ranks:
    """Return the ranks that this process has open, or open them. Raises: StorageError.

    All workspaces of a process share one table.
    """
    if encoding not in _shared:
        _shared[encoding] = open_ranks(encoding, scratch)
    return _shared[encoding]


def _open_table(place: str, encoding: str) -> Ranks | None:
    """Return the ranks of a cached table; None if it is missing or incomplete."""
    try:
        with open(place, "rb", buffering=0, opener=unblocked) as file:
            table = mmap(file.fileno(), 0, access=ACCESS_READ)
    except (OSError, ValueError):  # ValueError: the file is empty
        return None
    is_whole = len(table) == _SIZES[encoding]
    return Ranks(table) if is_whole else None


def file_name(encoding: str) -> str:
    """Return the name of the file of a table."""
    return f"{encoding}.{_SUMS[encoding][:8]}.{sys.byteorder}.ranks"


def _make(encoding: str) -> bytes:
    import lzma
    from hashlib import sha256

    folder = os.path.join(os.path.dirname(__file__), "vocabulary")
    packed = os.path.join(folder, f"{encoding}.tiktoken.xz")
    try:
        data = lzma.decompress(read_bytes(packed) or b"")
    except lzma.LZMAError:
        data = b""
    if sha256(data).hexdigest() != _SUMS[encoding]:
        raise StorageError(f"{packed} is damaged", hint="reinstall CueDeck")
    return _format(data)


def _format(file: bytes) -> bytes:
    """Return the table for a rank file, whose lines are a base64 token and its rank,
    counted from zero.
    """
    from array import array
    from binascii import a2b_base64

    tokens = [a2b_base64(token) for token in file.split()[::2]]
    slots = array("I", bytes(4 * _slots_for(len(tokens))))
    last = len(slots) - 1
    for after, total in enumerate(map(crc32, tokens), 1):
        at = total & last
        while slots[at]:
            at = (at + 1) & last
        slots[at] = after
    ends = array("I", accumulate(map(len, tokens), initial=0))
    return b"".join([array("I", [len(tokens)]), slots, ends, *tokens])


def _slots_for(tokens: int) -> int:
    """Return the number of slots: a power of two, at most half full."""
    return 1 << (2 * tokens).bit_length()
