"""Memory block for a session: USER.md, the long memory and records, within a character
limit.

If not everything fits, long records are truncated, and 80% of the space for records
goes to those of high value, newest first, the rest to the newest of all others; each
side may use what the other leaves. Selected records appear in chronological order. A
record that occurs in MEMORY.md and in a daily log, or twice with the same text, is
shown once.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from cuedeck.ledger.records.merged_text import newest_facts
from cuedeck.ledger.records.record_file import Line, RecordFile
from cuedeck.model.memory_record import CHECKPOINT_TEXT, COMPACTION, Record, category_of
from cuedeck.text.plain_text import fold_case

_RULE = "---"
LONGEST = 1_000
"""Maximum characters of one entry while space is short; `cuedeck memory show` prints
more.
"""


_OLDER = "[... {:,} older facts left out]\n"
_FACT = "- "


class RecordText(NamedTuple):
    """An entry of the memory block, rendered as text."""

    section: int
    order: int
    """Index among all entries."""
    text: str
    source: Record | str
    """The record, or the handwritten line."""

    @property
    def is_high(self) -> bool:
        """Whether the entry is of high value."""
        return isinstance(self.source, str) or self.source.is_protected

    @property
    def is_cut(self) -> bool:
        """True if the text is truncated."""
        return self.text != self.whole().text

    def whole(self) -> RecordText:
        """Return the entry with its whole text."""
        text = at_most(self.source, len(_text_of(self.source)))
        return self._replace(text=text)


def at_most(source: Record | str, chars: int) -> str:
    """Return an entry as text, truncated to `chars` characters; a record has its day
    and category as prefix.

    The prefix and the indentation of further lines do not count.
    """
    text = _text_of(source)
    if isinstance(source, str):
        return cut(text, chars)
    day = ""
    if len(source.timestamp) >= 10:
        day = f"{source.timestamp[:10]} "
    category = " ".join(source.category.split())
    if source.category == COMPACTION and len(text) > chars:
        text = _with_newest_facts(text, chars)
    lines = [line.rstrip() for line in cut(text, chars).split("\n")]
    return f"- {day}[{category}] " + "\n  ".join(lines)


def _with_newest_facts(text: str, chars: int) -> str:
    facts = _count_facts(text)
    newest = newest_facts(text, chars - len(_OLDER.format(facts)))
    if not newest:
        return text
    return _OLDER.format(facts - _count_facts(newest)) + newest


def cut(text: str, room: int) -> str:
    """Return a text truncated to `room` characters, ending in an ellipsis if
    shortened.
    """
    if len(text) <= room:
        return text
    if room > 1:
        return text[: room - 1].rstrip() + "…"
    return ""


def _text_of(source: Record | str) -> str:
    if isinstance(source, str):
        return source.rstrip()
    return source.text.strip()


def _count_facts(text: str) -> int:
    return sum(line.startswith(_FACT) for line in text.split("\n"))


def visible_items(
    files: Sequence[RecordFile],
    replaced: Collection[str],
    *,
    allow_secret: bool,
    without_turns: bool = False,
) -> list[RecordText]:
    """Return the visible entries, ordered by file and line.

    Of records with the same id or text, the last one in the first file that contains
    any is used; if that one is hidden, none is.
    """
    items: list[RecordText] = []
    ids = set(replaced)
    keys: set[str] = set()
    for section, file in enumerate(files):
        entries = list(_entries(file))
        last_id: dict[str, int] = {}
        last_key: dict[str, int] = {}
        for at, source in enumerate(entries):
            if isinstance(source, Record):
                last_id[source.id] = last_key[fold_case(source.text)] = at
        for at, source in enumerate(entries):
            if isinstance(source, Record):
                key = fold_case(source.text)
                is_last = last_id[source.id] == last_key[key] == at
                if not is_last or source.id in ids or key in keys:
                    continue
                if _is_hidden(source, allow_secret, without_turns):
                    continue
            text = at_most(source, LONGEST)
            items.append(RecordText(section, len(items), text, source))
        ids.update(last_id)
        keys.update(last_key)
    return items


def _entries(file: RecordFile) -> Iterator[Record | str]:
    """Yield the records of a file, and its lines that are neither blank nor malformed
    records, after the header.
    """
    for line in file.lines[_header_length(file.lines) :]:
        if line.record is not None:
            yield line.record
        elif line.text.strip() and not line.fault:
            yield line.text


def _header_length(lines: Sequence[Line]) -> int:
    """Return the number of lines of a header. It ends with a rule before the first
    record; without one it is at most the first line.
    """
    for at, line in enumerate(lines):
        if line.record is not None:
            break
        if line.text.strip() == _RULE:
            return at + 1
    return int(bool(lines) and lines[0].text.startswith("# "))


def _is_hidden(record: Record, allow_secret: bool, without_turns: bool) -> bool:
    if record.is_secret and not allow_secret:
        return True
    if without_turns and category_of(record.category).is_turn_report:
        return True
    return not fold_case(record.text) or record.text == CHECKPOINT_TEXT


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
    days: Sequence[str]
    """Days of the daily logs, which follow MEMORY.md among the items."""
    items: Sequence[RecordText]


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


def inject(sources: Sources, cap: int, user_cap: int) -> Injected:
    """Return the memory block, at most `cap` characters long."""
    items = sources.items
    user_room = min(user_cap, cap // 2)
    full_user = sources.user.strip()
    user = cut(full_user, user_room)
    labels = ["Long-term memory (MEMORY.md):"]
    labels += [f"Daily memory ({day}):" for day in sources.days]
    labels_size = 0
    for section in {item.section for item in items}:
        labels_size += len(labels[section]) + 2 + len(_BETWEEN)
    long = _newest_blocks(sources.long, cap)
    chosen = [item.whole() for item in items]
    note = ""
    if _size(chosen) > _room(cap, user, long) - labels_size:
        long = _newest_blocks(sources.long, cap // _LONG_SHARE)
        room = _room(cap, user, long) - labels_size
        chosen = list(items)
        if _size(items) > room:
            room -= len(_NOTE.format(len(items), len(items))) + 2
            chosen = _choose(items, room)
            note = _NOTE.format(len(items) - len(chosen), len(items))
    parts = [*_heads(user, long), *_sections(chosen, labels)]
    text = _BETWEEN.join(parts)
    if text and note:
        text += "\n\n"
    text += note
    truncated = [len(full_user) > user_room, long.is_cut]
    records = []
    for item in chosen:
        truncated.append(item.is_cut)
        if isinstance(item.source, Record):
            records.append(item.source.id)
    return Injected(
        text=cut(text, cap),
        shown=len(chosen),
        left_out=len(items) - len(chosen) + long.left_out,
        records=tuple(records),
        cut=sum(truncated),
    )


def _room(cap: int, user: str, long: _Long) -> int:
    return cap - sum(len(part) + len(_BETWEEN) for part in _heads(user, long))


def _size(items: Iterable[RecordText]) -> int:
    return sum(len(item.text) + 1 for item in items)


def _sections(items: Sequence[RecordText], labels: Sequence[str]) -> Iterator[str]:
    for number, label in enumerate(labels):
        texts = [item.text for item in items if item.section == number]
        if texts:
            yield f"{label}\n\n" + "\n".join(texts)


def _heads(user: str, long: _Long) -> Iterator[str]:
    if user:
        yield f"About the human (USER.md):\n\n{user}"
    if long.text:
        yield f"Long-term summary (LONGMEMORY):\n\n{long.text}"


def _choose(items: Sequence[RecordText], room: int) -> list[RecordText]:
    """Return the items that fit, in order; the newest one in part if none does."""
    newest = items[::-1]
    high = [item for item in newest if item.is_high]
    high_room = int(room * _HIGH_SHARE)
    chosen: dict[int, RecordText] = {}
    # The newest item of high value may be larger than their share.
    shares = ((high, high_room), (high[:1], room - high_room), (newest, 0))
    free = 0
    for candidates, share in shares:
        free += share
        for item in candidates:
            size = len(item.text) + 1
            if item.order not in chosen and size <= free:
                chosen[item.order] = item
                free -= size
    if not chosen and room > 1:
        return [newest[0]._replace(text=cut(newest[0].text, room - 1))]
    return [chosen[order] for order in sorted(chosen)]


def _newest_blocks(text: str, room: int) -> _Long:
    """Return the last blocks of the long memory that fit, without its title; new blocks
    are added at its end.
    """
    text = text.strip()
    if text.startswith("# "):
        text = text.partition("\n")[2].strip()
    if len(text) <= room:
        return _Long(text=text, left_out=0, is_cut=False)
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
        shown_blocks = shown.split("\n## ")
        return _Long(text=shown, left_out=len(blocks) - len(shown_blocks), is_cut=True)
    left_out = len(blocks) - len(kept)
    notice = _EARLIER.format(left_out)
    return _Long(text=notice + "".join(kept), left_out=left_out, is_cut=False)
