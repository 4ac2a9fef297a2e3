"""What of a memory a session is given: who the human is, the long memory, records, within a number of characters.

What does not fit is chosen by value: four fifths of the room for records go to categories of high value, the newest
first, the rest to the newest of all others; what one side leaves the other takes. What is chosen stands in the order
of time. A record that stands in MEMORY.md and in a daily log, or twice with one text, is shown once. Where all of them
fit, what room is left lengthens those that were cut, each by the same part of it, then the long memory.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from cuedeck.memory.entry import LONGEST, Entry, at_most, cut, lengthened
from cuedeck.model.record import CHECKPOINT_TEXT, HIGH_VALUE, Record
from cuedeck.parse.record import RecordFile

_LONG_SHARE = 4
"""The long memory may take one part in so many of all there is while room is short."""
_HIGH_SHARE = 0.8
_NOTE = "[... truncated for length: {:,} of {:,} entries left out; `cuedeck memory list` shows them]"
_EARLIER = "[... {:,} earlier summaries left out]"
_BETWEEN = "\n\n---\n\n"
_RULE = "---"


class Sources(NamedTuple):
    """What there is."""

    user: str
    long: str
    primary: RecordFile
    days: Sequence[tuple[str, RecordFile]]
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
    items = _items(files, sources.replaced, allow_secret)
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


def _items(files: Sequence[RecordFile], replaced: Collection[str], allow_secret: bool) -> list[Entry]:
    """Return what may be shown, in the order of the files and their lines; of equal texts the last one."""
    seen: set[str] = set()
    found: list[tuple[int, bool, Record | str]] = []
    for number, file in enumerate(files):
        mine: list[tuple[int, bool, Record | str]] = []
        for line in reversed(file.lines[_header_end(file) :]):
            record = line.record
            if record is None:
                if line.text.strip() and not line.fault:
                    mine.append((number, True, line.text))
                continue
            key = " ".join(record.text.casefold().split())
            hidden = record.id in replaced or record.text == CHECKPOINT_TEXT or (record.is_secret and not allow_secret)
            if key and not hidden and record.id not in seen and key not in seen:
                mine.append((number, record.category in HIGH_VALUE, record))
            seen.update((record.id, key))
        found += reversed(mine)
    return [
        Entry(section, order, at_most(source, LONGEST), is_high, source)
        for order, (section, is_high, source) in enumerate(found)
    ]


def _header_end(file: RecordFile) -> int:
    """Return where the lines begin that say something: behind a rule that stands before the first record."""
    for at, line in enumerate(file.lines):
        if line.record is not None:
            break
        if line.text.strip() == _RULE:
            return at + 1
    return 1 if file.lines and file.lines[0].text.startswith("# ") else 0


def _cost(items: Sequence[Entry], labels: Sequence[str]) -> int:
    """Return how many characters items take with the labels above them."""
    heads = _heads_of(labels)
    return sum(len(item.text) + 1 for item in items) + sum(heads[each] for each in {item.section for item in items})


def _heads_of(labels: Sequence[str]) -> list[int]:
    return [len(label) + 2 + len(_BETWEEN) for label in labels]


def _choose(items: Sequence[Entry], labels: Sequence[str], room: int) -> list[Entry]:
    """Return the items that fit, in order."""
    if _cost(items, labels) <= room:
        return list(items)
    heads = _heads_of(labels)
    opened: set[int] = set()
    chosen: set[int] = set()

    def take(wanted: Iterable[Entry], free: int) -> int:
        for item in wanted:
            cost = len(item.text) + 1 + (0 if item.section in opened else heads[item.section])
            if item.order not in chosen and cost <= free:
                chosen.add(item.order)
                opened.add(item.section)
                free -= cost
        return free

    high = [item for item in reversed(items) if item.is_high]
    part = int(room * _HIGH_SHARE)
    left = room - part + take(high, part)
    # What is short enough for the whole room, but not for that part of it, is worth more than what is new.
    left = take(high[:1], left)
    take(reversed(items), left)
    return [item for item in items if item.order in chosen]


def _first_cut(items: Sequence[Entry], labels: Sequence[str], room: int) -> list[Entry]:
    """Return the newest item as far as there is room, where not even one fits."""
    newest = items[-1]
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
