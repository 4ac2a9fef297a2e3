"""Memory block for a session: USER.md, the long memory and records, within a character
limit.

If not everything fits, long records are truncated, and 80% of the space for records
goes to those of high value, newest first, the rest to the newest of all others.
Selected records appear in chronological order. A record that occurs in MEMORY.md and in
a daily log, or twice with the same text, is shown once.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from cuedeck.ledger.records.merged_text import newest_facts
from cuedeck.ledger.records.record_file import RecordFile
from cuedeck.model.memory_record import CHECKPOINT_TEXT, COMPACTION, Record, category_of
from cuedeck.text.plain_text import fold_case

_RULE = "---"
LONGEST = 1_000
"""Maximum characters of one entry while space is short; `cuedeck memory show` prints
more.
"""
_OLDER = "[... older facts left out]\n"
_UNLIMITED = 1 << 40
_LONG_SHARE = 4
"""The long memory may take 1/4 of all space while space is short."""
_HIGH_SHARE = 0.8
_NOTE = "[... truncated for length: {:,} of {:,} entries left out; `cuedeck memory list` shows them]"
_EARLIER = "[... {:,} earlier summaries left out]"
_BETWEEN = "\n\n---\n\n"


class Entry(NamedTuple):
    """An entry of the memory block."""

    section: int
    source: Record | str
    """The record, or the handwritten line."""

    @property
    def is_high(self) -> bool:
        """Whether the entry is of high value."""
        return isinstance(self.source, str) or self.source.is_protected


class Sources(NamedTuple):
    """The inputs of the memory block."""

    user: str
    long: str
    days: Sequence[str]
    """Days of the daily logs, which follow MEMORY.md among the items."""
    items: Sequence[Entry]


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


def at_most(source: Record | str, chars: int) -> str:
    """Return an entry as text, truncated to `chars` characters; a record has its day
    and category as prefix.

    The prefix and the indentation of further lines do not count.
    """
    if isinstance(source, str):
        return cut(source.rstrip(), chars)
    text = source.text.strip()
    if source.category == COMPACTION and len(text) > chars:
        newest = newest_facts(text, chars - len(_OLDER))
        text = _OLDER + newest if newest else text
    day = f"{source.timestamp[:10]} " if len(source.timestamp) >= 10 else ""
    category = " ".join(source.category.split())
    lines = [line.rstrip() for line in cut(text, chars).split("\n")]
    return f"- {day}[{category}] " + "\n  ".join(lines)


def cut(text: str, room: int) -> str:
    """Return a text truncated to `room` characters, ending in an ellipsis if
    shortened.
    """
    if len(text) <= room:
        return text
    return text[: room - 1].rstrip() + "…" if room > 1 else ""


def visible_items(
    files: Sequence[RecordFile],
    replaced: Collection[str],
    *,
    allow_secret: bool,
    without_turns: bool = False,
) -> list[Entry]:
    """Return the visible entries, ordered by file and line.

    Of records with the same id or text, the last one in the first file that contains
    any is used; if that one is hidden, none is.
    """
    items: list[Entry] = []
    known = set(replaced)
    for section, file in enumerate(files):
        entries = list(_entries(file))
        last: dict[str, Record] = {}
        for source in entries:
            if isinstance(source, Record):
                last[source.id] = last[_key(source)] = source
        for source in entries:
            if isinstance(source, Record):
                names = {source.id, _key(source)}
                is_last = all(last[name] is source for name in names)
                if not is_last or not known.isdisjoint(names):
                    continue
                if _is_hidden(source, allow_secret, without_turns):
                    continue
            items.append(Entry(section, source))
        known.update(last)
    return items


def _key(record: Record) -> str:
    """Return the key of the text of a record, which no id equals."""
    return f" {fold_case(record.text)}"


def _entries(file: RecordFile) -> Iterator[Record | str]:
    """Yield the records of a file, and its lines that are neither blank nor malformed
    records, after the header: up to a rule before the first record, or else a title.
    """
    lines = file.lines
    start = int(bool(lines) and lines[0].text.startswith("# "))
    for at, line in enumerate(lines):
        if line.record is not None:
            break
        if line.text.strip() == _RULE:
            start = at + 1
            break
    for line in lines[start:]:
        if line.record is not None:
            yield line.record
        elif line.text.strip() and not line.fault:
            yield line.text


def _is_hidden(record: Record, allow_secret: bool, without_turns: bool) -> bool:
    if record.is_secret and not allow_secret:
        return True
    if without_turns and category_of(record.category).is_turn_report:
        return True
    return not fold_case(record.text) or record.text == CHECKPOINT_TEXT


def inject(sources: Sources, cap: int, user_cap: int) -> Injected:
    """Return the memory block, at most `cap` characters long."""
    items = sources.items
    user_room = min(user_cap, cap // 2)
    full_user = sources.user.strip()
    labels = ["Long-term memory (MEMORY.md):"]
    labels += [f"Daily memory ({day}):" for day in sources.days]
    note = ""
    for long_room, longest in ((cap, _UNLIMITED), (cap // _LONG_SHARE, LONGEST)):
        long, earlier, is_long_cut = _newest_blocks(sources.long, long_room)
        parts = []
        user = cut(full_user, user_room)
        if user:
            parts.append(f"About the human (USER.md):\n\n{user}")
        if long:
            parts.append(f"Long-term summary (LONGMEMORY):\n\n{long}")
        room = cap - sum(len(part) + len(_BETWEEN) for part in parts)
        for section in {item.section for item in items}:
            room -= len(labels[section]) + 2 + len(_BETWEEN)
        texts = [at_most(item.source, longest) for item in items]
        chosen = list(range(len(items)))
        if sum(map(len, texts)) + len(texts) <= room:
            break
    else:
        room -= len(_NOTE.format(len(items), len(items))) + 2
        chosen = _choose(items, texts, room)
        note = _NOTE.format(len(items) - len(chosen), len(items))
    sections: dict[int, str] = {}
    records = []
    cuts = int(is_long_cut) + (len(full_user) > user_room)
    for at in chosen:
        section, source = items[at]
        before = sections.get(section, f"{labels[section]}\n")
        sections[section] = f"{before}\n{texts[at]}"
        cuts += texts[at] != at_most(source, _UNLIMITED)
        if isinstance(source, Record):
            records.append(source.id)
    text = _BETWEEN.join([*parts, *sections.values()])
    if note:
        text = f"{text}\n\n{note}" if text else note
    left_out = len(items) - len(chosen) + earlier
    return Injected(cut(text, cap), len(chosen), left_out, tuple(records), cuts)


def _choose(items: Sequence[Entry], texts: list[str], room: int) -> list[int]:
    """Return the positions of the entries that fit, in order; if none does, cut the
    text of the newest one.
    """
    newest = range(len(items))[::-1]
    high = [at for at in newest if items[at].is_high]
    share = int(room * _HIGH_SHARE)
    chosen: set[int] = set()
    free = 0
    # The newest entry of high value may be larger than their share.
    for candidates, more in ((high, share), (high[:1], room - share), (newest, 0)):
        free += more
        for at in candidates:
            size = len(texts[at]) + 1
            if at not in chosen and size <= free:
                chosen.add(at)
                free -= size
    if not chosen and room > 2:
        texts[-1] = cut(texts[-1], room - 1)
        chosen.add(len(items) - 1)
    return sorted(chosen)


def _newest_blocks(text: str, room: int) -> tuple[str, int, bool]:
    """Return the last blocks of the long memory that fit, without its title, the number
    of those left out, and whether a block is cut; new blocks are added at its end.
    """
    text = text.strip()
    if text.startswith("# "):
        text = text.partition("\n")[2].strip()
    if len(text) <= room:
        return text, 0, False
    blocks = [block.strip() for block in text.removeprefix("## ").split("\n## ")]
    free = room - len(_EARLIER.format(len(blocks)))
    kept = ""
    left = len(blocks)
    for block in reversed(blocks):
        piece = f"\n\n## {block}"
        if len(kept) + len(piece) > free:
            break
        kept = piece + kept
        left -= 1
    if kept:
        return _EARLIER.format(left) + kept, left, False
    return cut(f"## {blocks[-1]}", room), len(blocks) - 1, True
