"""What of a memory a session is given: who the human is, the long memory, records, within a number of characters.

What does not fit is chosen by value: four fifths of the room for records go to categories of high value, the newest
first, the rest to the newest of all others; what one side leaves the other takes. What is chosen stands in the order
of time. A record that stands in MEMORY.md and in a daily log, or twice with one text, is shown once. Where all of them
fit, what room is left lengthens those that were cut, each by the same part of it, then the long memory.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from cuedeck.memory.digest import HIDDEN, HIGH, RECORD, SECRET, Digested, hash_of
from cuedeck.memory.entry import LONGEST, Entry, at_most, cut, lengthened
from cuedeck.model.record import Record

_LONG_SHARE = 4
"""The long memory may take one part in so many of all there is while room is short."""
_HIGH_SHARE = 0.8
_NOTE = "[... truncated for length: {:,} of {:,} entries left out; `cuedeck memory list` shows them]"
_EARLIER = "[... {:,} earlier summaries left out]"
_BETWEEN = "\n\n---\n\n"


class Sources(NamedTuple):
    """What there is."""

    user: str
    long: str
    primary: Digested
    days: Sequence[tuple[str, Digested]]
    """(day, log), the earliest first."""
    replaced: Collection[str]
    """Ids of records in whose place others stand."""


class Injected(NamedTuple):
    """What is given."""

    text: str
    """Empty when there is nothing to say."""
    shown: int
    """Records, and lines that a person wrote between them."""
    left_out: int
    """Those for which there was no room, and summaries of the long memory."""
    records: tuple[str, ...] = ()
    """Ids of the records."""
    cut: int = 0
    """Entries, summaries and files of which a part alone is shown."""


class _Long(NamedTuple):
    """As much of the long memory as there is room for."""

    text: str
    left_out: int
    """Summaries."""
    is_cut: bool


def inject(sources: Sources, cap: int, user_cap: int, *, allow_secret: bool = False) -> Injected:
    """Return the block of memory, at most `cap` characters long."""
    most = min(user_cap, cap // 2)
    user = cut(sources.user.strip(), most)
    long = _newest_blocks(sources.long, cap // _LONG_SHARE)
    labels = ["Long-term memory (MEMORY.md):", *(f"Daily memory ({day}):" for day, _ in sources.days)]
    files = [sources.primary, *(file for _, file in sources.days)]
    items = _Items(files, sources.replaced, allow_secret=allow_secret)
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
    """Yield who the human is and the long memory."""
    if user:
        yield f"About the human (USER.md):\n\n{user}"
    if long.text:
        yield f"Long-term summary (LONGMEMORY):\n\n{long.text}"


class _Items:
    """What may be shown, in the order of the files and their lines; of equal records the last one."""

    def __init__(self, files: Sequence[Digested], replaced: Collection[str], *, allow_secret: bool) -> None:
        self._files = files
        hidden = HIDDEN if allow_secret else HIDDEN | SECRET
        hashes = set(map(hash_of, replaced))
        seen: set[int] = set()
        self.sections: list[int] = []
        self.costs: list[int] = []
        self.are_high: list[bool] = []
        self._entries: list[int] = []
        for number, file in enumerate(files):
            entries = _shown(file, hidden, hashes, seen)
            self._entries += entries
            self.sections += [number] * len(entries)
            self.costs += map(file.costs.__getitem__, entries)
            self.are_high += [file.flags[entry] & HIGH > 0 for entry in entries]

    def __len__(self) -> int:
        return len(self._entries)

    def entry(self, at: int) -> Entry:
        """Return an item as text."""
        section = self.sections[at]
        source = self._files[section].source(self._entries[at])
        return Entry(section, at, at_most(source, LONGEST), self.are_high[at], source)


def _shown(file: Digested, hidden: int, replaced: Collection[int], seen: set[int]) -> list[int]:
    """Return the entries of a file that may be shown, and note what they and those before them say in `seen`."""
    found: list[int] = []
    ids, keys, flags = file.ids, file.keys, file.flags
    for entry in range(len(flags) - 1, file.first - 1, -1):
        flag, identity, key = flags[entry], ids[entry], keys[entry]
        if not flag & RECORD:
            if not flag & HIDDEN:
                found.append(entry)
            continue
        if not flag & hidden and identity not in seen and key not in seen and identity not in replaced:
            found.append(entry)
        seen.add(identity)
        seen.add(key)
    found.reverse()
    return found


def _cost(items: Iterable[Entry], labels: Sequence[str]) -> int:
    """Return how many characters items take with the labels above them."""
    items = list(items)
    heads = _heads_of(labels)
    return sum(len(item.text) + 1 for item in items) + sum(heads[each] for each in {item.section for item in items})


def _heads_of(labels: Sequence[str]) -> list[int]:
    return [len(label) + 2 + len(_BETWEEN) for label in labels]


def _choose(items: _Items, labels: Sequence[str], room: int) -> list[Entry]:
    """Return the items that fit, in order."""
    heads = _heads_of(labels)
    # Each takes a line: so many cannot fit, and need not be added up.
    if len(items) <= room:
        cost = sum(items.costs) + len(items) + sum(heads[each] for each in set(items.sections))
        if cost <= room:
            return [items.entry(at) for at in range(len(items))]
    opened: set[int] = set()
    chosen: set[int] = set()
    least = min(items.costs, default=0) + 1

    def take(wanted: Iterable[int], free: int) -> int:
        for at in wanted:
            if free < least:
                break
            section = items.sections[at]
            cost = items.costs[at] + 1 + (0 if section in opened else heads[section])
            if at not in chosen and cost <= free:
                chosen.add(at)
                opened.add(section)
                free -= cost
        return free

    def high() -> Iterator[int]:
        return (at for at in range(len(items) - 1, -1, -1) if items.are_high[at])

    part = int(room * _HIGH_SHARE)
    left = room - part + take(high(), part)
    # What is short enough for the whole room, but not for that part of it, is worth more than what is new.
    left = take(islice(high(), 1), left)
    take(range(len(items) - 1, -1, -1), left)
    return [items.entry(at) for at in sorted(chosen)]


def _first_cut(items: _Items, labels: Sequence[str], room: int) -> list[Entry]:
    """Return the newest item as far as there is room, where not even one fits."""
    newest = items.entry(len(items) - 1)
    room -= len(labels[newest.section]) + 2 + len(_BETWEEN)
    return [newest._replace(text=cut(newest.text, room))] if room > 1 else []


def _newest_blocks(text: str, room: int) -> _Long:
    """Return the last blocks of the long memory that fit, without its title; it grows at its end."""
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
