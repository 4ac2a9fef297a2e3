"""Plan of a compaction: the new MEMORY.md, the new long memory and the lines to
archive.

All old records are merged to facts, each once. The newest facts stay in MEMORY.md as
far as its limits allow, but at most half of them; the older ones go to the long memory,
which drops its oldest blocks. The archive receives the line of every record removed
from MEMORY.md, and what no other line of it contains.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import accumulate
from typing import NamedTuple

from cuedeck.knowledge.compaction.deduplication import merge_near
from cuedeck.knowledge.compaction.select_records import Row, Selection, is_digest
from cuedeck.ledger.records.fact import Fact, Marked, by_time, mark_of, plain_text
from cuedeck.ledger.records.long_memory_file import Block, parse_long_memory, rebuild
from cuedeck.ledger.records.memory_files import Size
from cuedeck.ledger.records.merged_text import (
    format_digest,
    format_digests,
    parse_digest,
)
from cuedeck.ledger.records.record_file import parse_records
from cuedeck.model.memory_record import DEFAULT_SENSITIVITY, Record, strictest

NOTHING = "nothing to compact"
PROTECTED = (
    "the records that stay (protected, recent or secret) alone exceed the target"
)
LARGEST = 6_000
"""Characters of a compaction record."""

Mask = Callable[[Sequence[str]], Sequence[str]]
"""Returns texts with their secrets masked."""


class Files(NamedTuple):
    """The files before the compaction."""

    memory: str
    long_memory: str | None
    archive: str | None
    """None for a missing file."""


class Limits(NamedTuple):
    """Maximum sizes of the files after the compaction."""

    records: int
    chars: int
    """Code points of the whole MEMORY.md."""
    long_chars: int


class Plan(NamedTuple):
    """The new contents of the files."""

    reason: str
    """Reason why nothing is to be done; empty otherwise."""
    memory: str = ""
    long_memory: str = ""
    made: tuple[str, ...] = ()
    """Lines of the new compaction records."""
    archive: tuple[str, ...] = ()
    """Lines for the archive."""
    records: int = 0
    """Records in MEMORY.md after the compaction."""
    compacted: int = 0
    """Records removed from MEMORY.md."""
    facts: int = 0
    """Distinct facts before the compaction, in both files."""
    facts_in_memory: int = 0
    facts_in_long_memory: int = 0


def size_of(files: Files, chosen: Selection) -> Size:
    """Return the size of MEMORY.md."""
    return Size(len(chosen.kept) + len(chosen.gone), len(files.memory))


def base_of(files: Files, chosen: Selection) -> Size:
    """Return the size of MEMORY.md without the records that may be removed."""
    freed = sum(len(chosen.lines[row.at]) + 1 for row in chosen.gone)
    return Size(len(chosen.kept), len(files.memory) - freed)


def is_over_target(size: Size, limits: Limits) -> bool:
    """Return whether a MEMORY.md exceeds its limits."""
    return size.records > limits.records or size.chars > limits.chars


def obstacle(files: Files, chosen: Selection, limits: Limits) -> str:
    """Return the reason why there is nothing to plan; empty otherwise."""
    has_new = any(not row.is_digest for row in chosen.gone)
    is_over = is_over_target(size_of(files, chosen), limits)
    if chosen.gone and (has_new or is_over):
        return ""
    is_held = is_over_target(base_of(files, chosen), limits)
    return PROTECTED if is_held else NOTHING


def make_plan(
    files: Files,
    chosen: Selection,
    limits: Limits,
    own_words: Sequence[Fact] | None = None,
    mask: Mask = tuple,
) -> Plan:
    """Return the plan of a compaction.

    `own_words` are facts that summarise the fresh records, made by a command. Merged
    texts are masked; the archive receives the original lines.
    """
    if reason := obstacle(files, chosen, limits):
        return Plan(reason)
    facts = _merged_facts(files, chosen, own_words)
    in_memory = _masked([fact for fact in facts if fact.sensitivity], mask)
    base = base_of(files, chosen)
    room = Size(limits.records - base.records, limits.chars - base.chars)
    start = _first_in_memory(in_memory, room)
    in_long = [fact for fact in facts if not fact.sensitivity]
    in_long += [replace(fact, sensitivity="") for fact in in_memory[:start]]
    long = rebuild(files.long_memory or "", in_long, limits.long_chars)
    before = {chosen.lines[row.at] for row in chosen.gone}
    ending = "\r" if any(line.endswith("\r") for line in before) else ""
    after = [f"{line}{ending}" for line in _lines(in_memory[start:])]
    size = size_of(files, chosen)
    records = len(chosen.kept) + len(after)
    if records >= size.records and not is_over_target(size, limits):
        return Plan(NOTHING)
    # An unchanged compaction record is neither removed nor added.
    removed = [row for row in chosen.gone if chosen.lines[row.at] not in after]
    lines = dict.fromkeys(_archive_lines(files, chosen, removed, long.dropped))
    blocks = parse_long_memory(long.text)
    return Plan(
        reason="",
        memory="\n".join(_with_lines(chosen, after)),
        long_memory=long.text,
        made=tuple(line for line in after if line not in before),
        archive=tuple(lines),
        records=records,
        compacted=len(removed),
        facts=len(facts),
        facts_in_memory=len(in_memory) - start,
        facts_in_long_memory=sum(len(block.facts) for block in blocks),
    )


def _masked(facts: Sequence[Fact], mask: Mask) -> list[Fact]:
    texts = mask([fact.text for fact in facts])
    masked = map(lambda fact, text: replace(fact, text=text), facts, texts)
    return sorted(masked, key=by_time)


def _merged_facts(
    files: Files, chosen: Selection, own_words: Sequence[Fact] | None
) -> list[Fact]:
    facts: list[Fact] = []
    for row in chosen.gone:
        record = row.record
        if row.is_digest:
            mark = mark_of(record.id)
            facts += parse_digest(record.text, mark, row.day, record.sensitivity)
    if own_words is None:
        own_words = [joint_fact(row.record.text, [row]) for row in chosen.fresh]
    facts += own_words
    for block in parse_long_memory(files.long_memory or ""):
        facts += block.facts
    return merge_near(_valid(facts, chosen.replaced))


def joint_fact(text: str, rows: Sequence[Row]) -> Fact:
    """Return the fact that states a text, the summary of some records."""
    records = [row.record for row in rows]
    return Fact(
        text=plain_text(text),
        sources=tuple(mark_of(record.id) for record in records),
        day=max(row.day for row in rows),
        sensitivity=strictest(record.sensitivity for record in records),
        category=records[-1].category,
        is_joint=len(records) > 1,
    )


def _valid(facts: Iterable[Fact], replaced: Iterable[str]) -> Iterator[Fact]:
    gone = Marked(replaced)
    for fact in facts:
        left = tuple(mark for mark in fact.sources if mark not in gone)
        if len(left) == len(fact.sources):
            yield fact
        elif left and not fact.is_joint:
            yield replace(fact, sources=left)


def _first_in_memory(facts: Sequence[Fact], room: Size) -> int:
    """Return the index of the first fact that stays in MEMORY.md; the facts are sorted
    by time. The older half of their characters leaves, and what does not fit.
    """

    def fits(at: int) -> bool:
        lines = list(_lines(facts[at:]))
        chars = sum(len(line) + len("\r\n") for line in lines)
        return len(lines) <= room.records and chars <= room.chars

    sizes = list(accumulate(len(fact.text) for fact in facts))
    older = bisect_right(sizes, sizes[-1] // 2) if sizes else 0
    return older + bisect_left(range(older, len(facts)), True, key=fits)


def _lines(facts: Sequence[Fact]) -> Iterator[str]:
    for label in sorted({fact.sensitivity for fact in facts}):
        group = [fact for fact in facts if fact.sensitivity == label]
        yield from format_digests(group, LARGEST)


def _with_lines(chosen: Selection, made: Sequence[str]) -> Iterator[str]:
    gone = {row.at for row in chosen.gone}
    first = min(row.at for row in (*chosen.kept, *chosen.gone))
    for at, line in enumerate(chosen.lines):
        if at == first:
            yield from made
        if at not in gone:
            yield line


def _archive_lines(
    files: Files, chosen: Selection, removed: Sequence[Row], dropped: Sequence[Block]
) -> Iterator[str]:
    """Yield the lines that the archive does not contain yet: removed records, and of
    compaction records and dropped blocks those with words of their own.
    """
    archive = files.archive or ""
    known = set(archive.split("\n"))
    texts: set[str] = set()
    for record in parse_records(archive).records:
        texts.update(_texts_of(record))
    for row in removed:
        if not row.is_digest:
            texts.update(_texts_of(row.record))
    for row in removed:
        line = chosen.lines[row.at].removesuffix("\r")
        is_derived = row.is_digest and texts.issuperset(_texts_of(row.record))
        if line not in known and not is_derived:
            yield line
    for block in dropped:
        own = {fact.text for fact in block.facts}
        if not own or not own <= texts:
            body = block.text.strip().partition("\n")[2].strip()
            yield format_digest(body, DEFAULT_SENSITIVITY, block.day)


def _texts_of(record: Record) -> set[str]:
    if not is_digest(record):
        return {plain_text(record.text)}
    return {fact.text for fact in parse_digest(record.text, "", "", "")}
