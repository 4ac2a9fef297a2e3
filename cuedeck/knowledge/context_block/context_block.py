"""Memory block for a session: USER.md, the long memory and records, within a character
limit.

If not everything fits, long records are truncated, and 80% of the space for records
goes to those of high value, newest first, the rest to the newest of all others; each
side may use what the other leaves. Selected records appear in chronological order. A
record that occurs in MEMORY.md and in a daily log, or twice with the same text, is
shown once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from cuedeck.knowledge.context_block.memory_items import RecordText, cut
from cuedeck.model.memory_record import Record

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
