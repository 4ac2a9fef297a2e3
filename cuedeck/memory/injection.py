"""What of a memory a session is given: who the human is, the long memory, records, within a number of characters.

What does not fit is chosen by value: four fifths of the room for records go to categories of high value, the newest
first, the rest to the newest of all others; what one side leaves the other takes. What is chosen stands in the order
of time. A record that stands in MEMORY.md and in a daily log, or twice with one text, is shown once.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from cuedeck.memory.compaction.newest import newest_facts
from cuedeck.model.record import CHECKPOINT_TEXT, COMPACTION, HIGH_VALUE, Record
from cuedeck.parse.record import RecordFile

LONGEST = 1_000
"""Characters of one record; `cuedeck memory show` prints more."""
_LONG_SHARE = 4
"""The long memory may take one part in so many of all there is."""
_HIGH_SHARE = 0.8
_NOTE = "[... truncated for length: {:,} of {:,} entries left out; `cuedeck memory list` shows them]"
_EARLIER = "[... earlier summaries left out]"
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
    records: tuple[str, ...] = ()
    """Ids of the records."""


class _Item(NamedTuple):
    """Something that is shown as a whole or not at all."""

    section: int
    order: int
    """Place among all items."""
    text: str
    is_high: bool
    record: str = ""
    """Its id; empty for a line that a person wrote."""


def inject(sources: Sources, cap: int, user_cap: int, *, allow_secret: bool = False) -> Injected:
    """Return the block of memory, at most `cap` characters long."""
    parts = list(_heads(sources, cap, user_cap))
    labels = ["Long-term memory (MEMORY.md):", *(f"Daily memory ({day}):" for day, _ in sources.days)]
    files = [sources.primary, *(file for _, file in sources.days)]
    items = _items(files, sources.replaced, allow_secret)
    room = cap - sum(len(part) + len(_BETWEEN) for part in parts)
    chosen = _choose(items, labels, room)
    note = ""
    if len(chosen) < len(items):
        longest = len(_NOTE.format(len(items), len(items))) + 2
        chosen = _choose(items, labels, room - longest) or _first_cut(items, labels, room - longest)
        note = _NOTE.format(len(items) - len(chosen), len(items))
    for number, label in enumerate(labels):
        texts = [item.text for item in chosen if item.section == number]
        parts += [f"{label}\n\n" + "\n".join(texts)] if texts else []
    text = "\n\n".join(each for each in (_BETWEEN.join(parts), note) if each)
    records = tuple(item.record for item in chosen if item.record)
    return Injected(_cut(text, cap), len(chosen), len(items) - len(chosen), records)


def _heads(sources: Sources, cap: int, user_cap: int) -> Iterator[str]:
    """Yield who the human is and the long memory, each within its share."""
    user = _cut(sources.user.strip(), min(user_cap, cap // 2))
    if user:
        yield f"About the human (USER.md):\n\n{user}"
    long = _newest_blocks(sources.long.strip(), cap // _LONG_SHARE)
    if long:
        yield f"Long-term summary (LONGMEMORY):\n\n{long}"


def _items(files: Sequence[RecordFile], replaced: Collection[str], allow_secret: bool) -> list[_Item]:
    """Return what may be shown, in the order of the files and their lines; of equal texts the last one."""
    seen: set[str] = set()
    found: list[tuple[int, str, bool, str]] = []
    for number, file in enumerate(files):
        mine: list[tuple[int, str, bool, str]] = []
        for line in reversed(file.lines[_header_end(file) :]):
            record = line.record
            if record is None:
                if line.text.strip() and not line.fault:
                    mine.append((number, _cut(line.text.rstrip(), LONGEST), True, ""))
                continue
            key = " ".join(record.text.casefold().split())
            hidden = record.id in replaced or record.text == CHECKPOINT_TEXT or (record.is_secret and not allow_secret)
            if key and not hidden and record.id not in seen and key not in seen:
                mine.append((number, record_line(record), record.category in HIGH_VALUE, record.id))
            seen.update((record.id, key))
        found += reversed(mine)
    return [_Item(each[0], order, *each[1:]) for order, each in enumerate(found)]


def record_line(record: Record) -> str:
    """Return a record as text: its day, its category, what it says; further lines are indented."""
    day = f"{record.timestamp[:10]} " if len(record.timestamp) >= 10 else ""
    text = record.text.strip()
    if record.category == COMPACTION:
        text = newest_facts(text, LONGEST) or text
    lines = _cut(text, LONGEST).split("\n")
    return f"- {day}[{' '.join(record.category.split())}] " + "\n  ".join(line.rstrip() for line in lines)


def _header_end(file: RecordFile) -> int:
    """Return where the lines begin that say something: behind a rule that stands before the first record."""
    for at, line in enumerate(file.lines):
        if line.record is not None:
            break
        if line.text.strip() == _RULE:
            return at + 1
    return 1 if file.lines and file.lines[0].text.startswith("# ") else 0


def _choose(items: Sequence[_Item], labels: Sequence[str], room: int) -> list[_Item]:
    """Return the items that fit, in order."""
    heads = [len(label) + 2 + len(_BETWEEN) for label in labels]
    opened = {item.section for item in items}
    if sum(len(item.text) + 1 for item in items) + sum(heads[each] for each in opened) <= room:
        return list(items)
    opened = set()
    chosen: set[int] = set()

    def take(wanted: Iterable[_Item], free: int) -> int:
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


def _first_cut(items: Sequence[_Item], labels: Sequence[str], room: int) -> list[_Item]:
    """Return the newest item as far as there is room, where not even one fits."""
    newest = items[-1]
    room -= len(labels[newest.section]) + 2 + len(_BETWEEN)
    return [newest._replace(text=_cut(newest.text, room))] if room > 1 else []


def _newest_blocks(text: str, room: int) -> str:
    """Return the last blocks of the long memory that fit, without its title; it grows at its end."""
    if text.startswith("# "):
        text = text.partition("\n")[2].strip()
    if len(text) <= room:
        return text
    room -= len(_EARLIER)
    kept: list[str] = []
    for block in reversed(text.split("\n## ")):
        piece = f"\n\n## {block.strip()}".replace("## ## ", "## ")
        if len(piece) > room:
            break
        kept.insert(0, piece)
        room -= len(piece)
    return _EARLIER + "".join(kept) if kept else _cut(text, room)


def _cut(text: str, room: int) -> str:
    if len(text) <= room:
        return text
    return text[: room - 1].rstrip() + "…" if room > 1 else ""
