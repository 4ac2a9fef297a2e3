"""Memory block for a session: USER.md, the long memory and records, within a character limit.

Selection by value: 80% of the space for records goes to high-value categories, newest first, the rest to the newest of
all others; each side may use what the other leaves. Selected records appear in chronological order. A record that
occurs in MEMORY.md and in a daily log, or twice with the same text, is shown once. If all records fit, the space left
lengthens truncated records, each by an equal share, then the long memory.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import compress, islice
from typing import NamedTuple

from cuedeck.model.memory_record import Record
from cuedeck.records.file_digest import HIDDEN, HIGH, RECORD, SECRET, Digested, hash_of
from cuedeck.records.record_text import LONGEST, RecordText, at_most, cut, lengthened

_ARE_RECORDS = bytes(flags & RECORD for flags in range(256))
_LONG_SHARE = 4
"""The long memory may take 1/4 of all space while space is short."""
_HIGH_SHARE = 0.8
_NOTE = "[... truncated for length: {:,} of {:,} entries left out; `cuedeck memory list` shows them]"
_EARLIER = "[... {:,} earlier summaries left out]"
_BETWEEN = "\n\n---\n\n"


class Sources(NamedTuple):
    """The inputs of the memory block."""

    user: str
    long: str
    primary: Digested
    days: Sequence[tuple[str, Digested]]
    """(day, log), earliest first."""
    replaced: Collection[str]
    """Ids of superseded records."""


class Injected(NamedTuple):
    """The memory block and its statistics."""

    text: str
    """Empty if there is nothing to show."""
    shown: int
    """Number of records, and of handwritten lines between them."""
    left_out: int
    """Number of entries, and of summaries in the long memory, that did not fit."""
    records: tuple[str, ...] = ()
    """Ids of the records shown."""
    cut: int = 0
    """Number of entries, summaries and files that are shown in part."""


class _Long(NamedTuple):
    """The part of the long memory that fits."""

    text: str
    left_out: int
    """Number of summaries."""
    is_cut: bool


def items_of(sources: Sources, *, allow_secret: bool = False) -> Items:
    """Return the visible records and the handwritten lines between them."""
    files = [sources.primary, *(file for _, file in sources.days)]
    return Items(files, sources.replaced, allow_secret=allow_secret)


def inject(sources: Sources, items: Items, cap: int, user_cap: int) -> Injected:
    """Return the memory block, at most `cap` characters long."""
    most = min(user_cap, cap // 2)
    user = cut(sources.user.strip(), most)
    long = _newest_blocks(sources.long, cap // _LONG_SHARE)
    labels = ["Long-term memory (MEMORY.md):", *(f"Daily memory ({day}):" for day, _ in sources.days)]
    room = cap - sum(len(part) + len(_BETWEEN) for part in _heads(user, long))
    chosen = _choose(items, labels, room)
    note = ""
    if len(chosen) < len(items):
        longest = len(_NOTE.format(len(items), len(items))) + 2
        chosen = _choose(items, labels, room - longest) or _first_cut(items, labels, room - longest)
        note = _NOTE.format(len(items) - len(chosen), len(items))
    else:
        chosen, spare = lengthened(chosen, room - _cost(chosen, labels))
        long = _newest_blocks(sources.long, len(long.text) + spare) if long.text else long
    parts = list(_heads(user, long))
    for number, label in enumerate(labels):
        texts = [item.text for item in chosen if item.section == number]
        parts += [f"{label}\n\n" + "\n".join(texts)] if texts else []
    text = "\n\n".join(each for each in (_BETWEEN.join(parts), note) if each)
    records = tuple(item.source.id for item in chosen if isinstance(item.source, Record))
    are_cut = [len(sources.user.strip()) > most, long.is_cut, *(item.is_cut for item in chosen)]
    left_out = len(items) - len(chosen) + long.left_out
    return Injected(cut(text, cap), len(chosen), left_out, records, sum(are_cut))


def _heads(user: str, long: _Long) -> Iterator[str]:
    """Yield the blocks of USER.md and of the long memory."""
    if user:
        yield f"About the human (USER.md):\n\n{user}"
    if long.text:
        yield f"Long-term summary (LONGMEMORY):\n\n{long.text}"


class Items:
    """Visible entries, ordered by file and line.

    Of records with the same id or text, the last one in the first file that contains any is used; if that one is
    hidden, none is.
    """

    def __init__(self, files: Sequence[Digested], replaced: Collection[str], *, allow_secret: bool) -> None:
        self._files = files
        hidden = HIDDEN if allow_secret else HIDDEN | SECRET
        hashes = set(map(hash_of, replaced))
        ids: set[int] = set()
        keys: set[int] = set()
        self.sections: list[int] = []
        self.costs: list[int] = []
        self._flags = bytearray()
        self._entries: list[int] = []
        for number, file in enumerate(files):
            entries: Sequence[int] = _last_ones(file, hidden)
            if ids or hashes:
                entries = [
                    entry
                    for entry in entries
                    if file.ids[entry] not in ids and file.keys[entry] not in keys and file.ids[entry] not in hashes
                ]
            if number < len(files) - 1:
                ids.update(file.ids)
                keys.update(file.keys)
                ids.discard(0)
                keys.discard(0)
            self._entries += entries
            self.sections += [number] * len(entries)
            self.costs += map(file.costs.__getitem__, entries)
            self._flags += bytes(map(file.flags.__getitem__, entries))

    def __len__(self) -> int:
        return len(self._entries)

    def entry(self, at: int) -> RecordText:
        """Return an item as text."""
        section = self.sections[at]
        source = self._files[section].source(self._entries[at])
        return RecordText(section, at, at_most(source, LONGEST), self.is_high(at), source)

    def is_high(self, at: int) -> bool:
        """Return whether an item is of high value."""
        return self._flags[at] & HIGH > 0


def _last_ones(file: Digested, hidden: int) -> Sequence[int]:
    """Return the entries of a file without its header, hidden ones, and records that a later one repeats."""
    visible = bytes(not flags & hidden for flags in range(256))
    order = range(file.first, len(file))
    flags = file.flags.tobytes()[file.first :]
    shown = list(compress(order, flags.translate(visible)))
    records = list(compress(order, flags.translate(_ARE_RECORDS)))
    ids, keys = ([column[at] for at in records] for column in (file.ids, file.keys))
    if len(set(ids)) == len(set(keys)) == len(records):
        return shown
    dropped = _earlier(records, ids) | _earlier(records, keys)
    return [entry for entry in shown if entry not in dropped]


def _earlier(records: Sequence[int], values: Sequence[int]) -> set[int]:
    """Return the records whose value occurs again in a later record."""
    # A dictionary keeps the last record for each value.
    return set(records) - set(dict(zip(values, records, strict=True)).values())


def _cost(items: Iterable[RecordText], labels: Sequence[str]) -> int:
    """Return the number of characters of items including the labels above them."""
    items = list(items)
    heads = _heads_of(labels)
    return sum(len(item.text) + 1 for item in items) + sum(heads[each] for each in {item.section for item in items})


def _heads_of(labels: Sequence[str]) -> list[int]:
    return [len(label) + 2 + len(_BETWEEN) for label in labels]


def _choose(items: Items, labels: Sequence[str], room: int) -> list[RecordText]:
    """Return the items that fit, in order."""
    heads = _heads_of(labels)
    # Every item takes at least one character, so with more items than characters the sum need not be computed.
    if len(items) <= room:
        cost = sum(items.costs) + len(items) + sum(heads[each] for each in set(items.sections))
        if cost <= room:
            return [items.entry(at) for at in range(len(items))]
    opened: set[int] = set()
    chosen: set[int] = set()
    costs = items.costs
    least = min(costs, default=0) + 1

    def take(wanted: Iterable[int], free: int) -> int:
        for at in wanted:
            if costs[at] >= free:
                if free < least:
                    break
                continue
            section = items.sections[at]
            cost = costs[at] + 1 + (0 if section in opened else heads[section])
            if at not in chosen and cost <= free:
                chosen.add(at)
                opened.add(section)
                free -= cost
        return free

    newest_first = range(len(items) - 1, -1, -1)

    def high() -> Iterator[int]:
        return filter(items.is_high, newest_first)

    part = int(room * _HIGH_SHARE)
    left = room - part + take(high(), part)
    # An item that fits the whole space but not its 80% share is worth more than a merely newer one.
    left = take(islice(high(), 1), left)
    take(newest_first, left)
    return [items.entry(at) for at in sorted(chosen)]


def _first_cut(items: Items, labels: Sequence[str], room: int) -> list[RecordText]:
    """Return the newest item, truncated to the space, for the case that no item fits."""
    newest = items.entry(len(items) - 1)
    room -= len(labels[newest.section]) + 2 + len(_BETWEEN)
    return [newest._replace(text=cut(newest.text, room))] if room > 1 else []


def _newest_blocks(text: str, room: int) -> _Long:
    """Return the last blocks of the long memory that fit, without its title; new blocks are added at its end."""
    text = text.strip()
    if text.startswith("# "):
        text = text.partition("\n")[2].strip()
    if len(text) <= room:
        return _Long(text, 0, False)
    blocks = text.split("\n## ")
    free = room - len(_EARLIER.format(len(blocks)))
    kept: list[str] = []
    for block in reversed(blocks):
        piece = f"\n\n## {block.strip()}".replace("## ## ", "## ")
        if len(piece) > free:
            break
        kept.insert(0, piece)
        free -= len(piece)
    if not kept:
        shown = cut(text, room)
        return _Long(shown, len(blocks) - len(shown.split("\n## ")), True)
    left_out = len(blocks) - len(kept)
    return _Long(_EARLIER.format(left_out) + "".join(kept), left_out, False)
