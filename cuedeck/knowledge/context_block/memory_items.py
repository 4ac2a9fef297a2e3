"""Entries of record files that the memory block may show: no hidden records, and each
record once.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence, Set
from functools import cached_property
from itertools import compress

from cuedeck.ledger.records.digested_file import Digested
from cuedeck.ledger.records.file_digest import (
    HIDDEN,
    HIGH,
    PROMOTED,
    RECORD,
    SECRET,
    TURN,
    hash_of,
)
from cuedeck.ledger.records.record_text import LONGEST, RecordText, at_most

_ARE_RECORDS = bytes(flags & RECORD for flags in range(256))
_ARE_HIGH = bytes(flags & HIGH > 0 for flags in range(256))
_ARE_PROMOTED = bytes(flags & PROMOTED > 0 for flags in range(256))


class Items:
    """Visible entries, ordered by file and line.

    Of records with the same id or text, the last one in the first file that contains
    any is used; if that one is hidden, none is.
    """

    def __init__(
        self,
        files: Sequence[Digested],
        replaced: Collection[str],
        *,
        allow_secret: bool,
        without_turns: bool = False,
    ) -> None:
        self._files = files
        hidden = HIDDEN if allow_secret else HIDDEN | SECRET
        hidden |= TURN if without_turns else 0
        before = _Before(replaced)
        self.costs = array("I")
        self._flags = bytearray()
        self._entries: list[Sequence[int]] = []
        """The entries of each file."""
        self._starts: list[int] = []
        """The first item of each file."""
        for file in files:
            self._starts.append(len(self._flags))
            first = file.first
            shown = _shown(file, hidden, before)
            self._entries.append(_select(range(first, len(file)), shown))
            self.costs.extend(_select(file.costs[first:], shown))
            self._flags += bytes(_select(file.flags[first:], shown))

    def __len__(self) -> int:
        return len(self._flags)

    @property
    def sections(self) -> list[int]:
        """The numbers of the files with items."""
        return [section for section, entries in enumerate(self._entries) if entries]

    @cached_property
    def smallest_cost(self) -> int:
        """Length of the shortest item; 0 without items."""
        return min(self.costs, default=0)

    def section(self, at: int) -> int:
        """Return the number of the file that contains an item."""
        return bisect_right(self._starts, at) - 1

    def entry(self, at: int) -> RecordText:
        """Return an item as text."""
        section = self.section(at)
        position = at - self._starts[section]
        entry = self._entries[section][position]
        source = self._files[section].source(entry)
        text = at_most(source, LONGEST)
        return RecordText(section, at, text, self.is_high(at), source)

    def is_high(self, at: int) -> bool:
        """Return whether an item is of high value."""
        return self._flags[at] & HIGH > 0

    def newest_high(self) -> Iterator[int]:
        """Yield the items of high value, the newest first."""
        return self._newest(_ARE_HIGH)

    def newest_promoted(self) -> Iterator[int]:
        """Yield the items that dreaming promoted, the newest first."""
        return self._newest(_ARE_PROMOTED)

    def _newest(self, are_wanted: bytes) -> Iterator[int]:
        """Yield the items whose flags are wanted, the newest first."""
        wanted = self._flags.translate(are_wanted)
        return compress(range(len(self) - 1, -1, -1), reversed(wanted))


class _Before:
    """Hashes of superseded records and of the records in the files before."""

    def __init__(self, replaced: Collection[str]) -> None:
        self.ids = [set(map(hash_of, replaced))]
        self.keys: list[set[int]] = []


def _shown(file: Digested, hidden: int, before: _Before) -> bytes:
    """Return for each entry after the header whether it is an item, and add the records
    of the file to `before`.
    """
    flags = file.flags.tobytes()[file.first :]
    shown = flags.translate(bytes(not each & hidden for each in range(256)))
    are_records = flags.translate(_ARE_RECORDS)
    ids = _select(file.ids[file.first :], are_records)
    keys = _select(file.keys[file.first :], are_records)
    distinct_ids = set(ids)
    distinct_keys = set(keys)
    dropped: set[int] = set()  # indexes among the records
    if not len(distinct_ids) == len(distinct_keys) == len(ids):
        dropped |= _earlier(ids) | _earlier(keys)
    dropped |= _members(ids, distinct_ids, before.ids)
    dropped |= _members(keys, distinct_keys, before.keys)
    before.ids.append(distinct_ids)
    before.keys.append(distinct_keys)
    if not dropped:
        return shown
    records = _select(range(len(flags)), are_records)
    kept = bytearray(shown)
    for at in dropped:
        kept[records[at]] = 0
    return bytes(kept)


def _select(values: Sequence[int], are_wanted: bytes) -> Sequence[int]:
    """Return the values that are wanted. Most files consist of such values alone, which
    need not be copied.
    """
    if 0 in are_wanted:
        return list(compress(values, are_wanted))
    return values


def _earlier(values: Sequence[int]) -> set[int]:
    """Return the indexes of the values that occur again later."""
    last = {value: at for at, value in enumerate(values)}
    return set(range(len(values))).difference(last.values())


def _members(
    values: Sequence[int], distinct: Set[int], sets: Iterable[Set[int]]
) -> set[int]:
    """Return the indexes of the values that are in one of the sets; `distinct` is the
    set of the values.
    """
    # An intersection takes the time of the smaller set, which the records of a day are.
    common: set[int] = set()
    for each in sets:
        common |= distinct & each
    if not common:
        return set()
    return {at for at, value in enumerate(values) if value in common}
