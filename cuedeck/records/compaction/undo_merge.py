"""Undo of a compaction: three-way merge of the files before it, after it and now."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from cuedeck.model.display import replace_surrogates
from cuedeck.model.memory_record import COMPACTION, Record
from cuedeck.parse.record_file import parse_line, parse_records
from cuedeck.records.compaction.long_memory_blocks import Block, Blocks, read_blocks, take_in, text_of, without_facts

if TYPE_CHECKING:
    from cuedeck.records.compaction.select_records import Row

_MADE = re.compile(r"^<!-- (\S+) (\S+) -->\n", re.MULTILINE)


def undone_memory(
    now: str, before: str, removed: Collection[str], made: Collection[str], forgotten: Collection[str]
) -> str:
    """Return MEMORY.md with the removed records in their old places, and without the compaction records.

    Later additions, edits and deletions stay; records forgotten since do not come back.
    """
    current = [line for line in now.split("\n") if _id(line) not in made]
    there = {_id(line) for line in current}
    back = {each for each in removed if each not in forgotten and each not in there}
    base: list[str] = []
    slots: dict[int, list[str]] = {}
    for line in before.split("\n"):
        identity = _id(line)
        if identity in back:
            slots.setdefault(len(base), []).append(line)
        elif identity not in removed:
            base.append(line)
    return "\n".join(_merged(base, current, slots))


def _merged(base: Sequence[str], current: Sequence[str], slots: dict[int, list[str]]) -> list[str]:
    """Return the current lines with the removed lines inserted before the line of `base` that followed them."""
    found: list[str] = []
    # Records are matched by id, so that an edited record still matches.
    had, have = ([_id(line) or line for line in lines] for lines in (base, current))
    for _, start, end, first, last in SequenceMatcher(None, had, have, autojunk=False).get_opcodes():
        for at in range(start, max(end, start + 1)):
            found += slots.pop(at, ())
            found += current[first : first + 1 if at < end - 1 else last]
            first = min(first + 1, last) if at < end - 1 else last
    return found + [line for at in sorted(slots) for line in slots[at]]


def format_made(rows: Iterable[Row]) -> str:
    """Return the texts of compaction records, each after a comment with its id and sensitivity."""
    return "".join(f"<!-- {row.id} {row.sensitivity} -->\n{row.text}\n" for row in rows)


def edited(now: str, made: str) -> list[str]:
    """Return the ids of records in MEMORY.md that differ from their state in `format_made`."""
    _, *parts = _MADE.split(made)
    said = dict(zip(parts[::3], zip(parts[1::3], parts[2::3], strict=True), strict=True))
    return [
        record.id
        for record in parse_records(now).records
        if record.id in said and _said(record) != (COMPACTION, *said[record.id])
    ]


def _said(record: Record) -> tuple[str, str, str]:
    return record.category, record.sensitivity, replace_surrogates(f"{record.text}\n")


def undone_long_memory(now: str, before: str, after: str) -> str:
    """Return the long memory without the facts a compaction added and with those it removed; later edits stay."""
    if now == after:
        return before
    old, new = read_blocks(before), read_blocks(after)
    had = {fact for block in old for fact in block.facts}
    got = {fact for block in new for fact in block.facts}
    current = read_blocks(now)
    there = {fact for block in current for fact in block.facts}
    blocks = without_facts(current, got - had)
    back = [fact for block in old for fact in block.facts if fact not in got | there]
    blocks = take_in(blocks, back) if back else blocks
    texts = {block.text for block in (*new, *current)}
    for block in old:
        if block.is_foreign and block.text not in texts:
            blocks = _with_foreign(blocks, block)
    return text_of(blocks)


def _with_foreign(blocks: Blocks, block: Block) -> Blocks:
    at = next((at for at, each in enumerate(blocks) if each.first > block.first), len(blocks))
    return (*blocks[:at], block, *blocks[at:])


def _id(line: str) -> str:
    record = parse_line(line).record if line.lstrip(" \t\ufeff").startswith("- {") else None
    return record.id if record else ""


def without_lines(archive: str, lines: Collection[str], ids: Collection[str]) -> str:
    """Return an archive without some lines and without the records with some ids."""
    return "\n".join(line for line in archive.split("\n") if line not in lines and (not ids or _id(line) not in ids))


def once(archive: str, lines: Collection[str]) -> str:
    """Return an archive in which only the first occurrence of each of some lines is kept."""
    seen: set[str] = set()
    kept = []
    for line in archive.split("\n"):
        if line not in seen:
            kept.append(line)
        if line in lines:
            seen.add(line)
    return "\n".join(kept)
