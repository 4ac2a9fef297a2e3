"""Plan of a compaction: the new MEMORY.md, the new long memory and the lines to
archive.

All old records are merged: a merged fact takes a third of the space of a record, so
more of them fit. The most valuable facts stay in MEMORY.md, the next go to the long
memory, the rest exist only in the archive, which receives the line of every record
removed from MEMORY.md. If everything fits, the older half of the facts goes to the long
memory as far as it has space.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import NamedTuple

from cuedeck.knowledge.compaction.allocation import Allocation, place
from cuedeck.knowledge.compaction.archive import Archived, look_up
from cuedeck.knowledge.compaction.collect_facts import (
    Files,
    Gathered,
    Mask,
    facts_of_digest,
    gather,
    masked,
)
from cuedeck.knowledge.compaction.packing_facts import LARGEST, Room, digests
from cuedeck.knowledge.compaction.select_records import Row, Selection, rows_of
from cuedeck.ledger.records.compaction_record import (
    SYSTEM,
    Digest,
    digest_id,
    format_digest,
)
from cuedeck.ledger.records.fact import Fact
from cuedeck.ledger.records.long_memory_blocks import facts_of, read_blocks, text_of
from cuedeck.ledger.records.short_ids import Marks
from cuedeck.model.memory_record import DEFAULT_SENSITIVITY

NOTHING = "nothing to compact"
PROTECTED = (
    "the records that stay (protected, recent or secret) alone exceed the target"
)


class Limits(NamedTuple):
    """Maximum sizes of the files after the compaction."""

    records: int
    chars: int
    """Code points of the whole MEMORY.md."""
    long_chars: int


class Counted(NamedTuple):
    """Statistics of a plan."""

    records: int = 0
    """Records in MEMORY.md after the compaction."""
    compacted: int = 0
    """Records removed from MEMORY.md, including compaction records."""
    facts: int = 0
    """Distinct facts in MEMORY.md and the long memory together."""
    near_duplicates: int = 0
    """Facts that were merged with another one."""
    facts_in_memory: int = 0
    facts_in_long_memory: int = 0
    facts_archived_only: int = 0
    facts_before: int = 0
    """Facts of MEMORY.md, without the records that stay."""


class ArchiveLine(NamedTuple):
    """A line for the archive."""

    line: str
    id: str
    """Id of its record."""


class Plan(NamedTuple):
    """The new contents of the files."""

    reason: str
    """Reason why nothing is to be done; empty otherwise."""
    memory: str = ""
    long_memory: str = ""
    lines: tuple[str, ...] = ()
    """The compaction records in MEMORY.md."""
    archive: tuple[ArchiveLine, ...] = ()
    removed: tuple[Row, ...] = ()
    """Records removed from MEMORY.md."""
    made: tuple[Row, ...] = ()
    """New compaction records."""
    counted: Counted = Counted()


def base_of(files: Files, chosen: Selection) -> Room:
    """Return the size of MEMORY.md without the records that may be removed."""
    gone = [chosen.lines[row.at] for row in chosen.gone]
    freed = sum(len(line) + 1 for line in gone)
    has_carriage_return = bool(gone) and gone[0].endswith("\r")
    return Room(
        len(chosen.kept), len(files.memory) - freed, "\r" if has_carriage_return else ""
    )


def _size_of(files: Files, chosen: Selection) -> Room:
    """Return the size of MEMORY.md before the compaction."""
    return Room(len(chosen.kept) + len(chosen.gone), len(files.memory))


def reachable(files: Files, chosen: Selection, limits: Limits) -> Limits:
    """Return the limits, raised to the size of the records that stay: if these alone
    exceed the target, all others are merged into the long memory and the archive.
    """
    base = base_of(files, chosen)
    return limits._replace(
        records=max(limits.records, base.records), chars=max(limits.chars, base.chars)
    )


def obstacle(files: Files, chosen: Selection, limits: Limits) -> str:
    """Return the reason why there is nothing to plan; empty otherwise."""
    is_called_for = (
        chosen.fresh or chosen.silent or _exceeds(_size_of(files, chosen), limits)
    )
    if chosen.gone and is_called_for:
        return ""
    if _exceeds(base_of(files, chosen), limits):
        return PROTECTED
    return NOTHING


def make_plan(
    files: Files,
    chosen: Selection,
    limits: Limits,
    own_words: Sequence[Fact] | None = None,
    mask: Mask = tuple,
) -> Plan:
    """Return the plan of a compaction.

    `own_words` are facts that summarise the fresh records, made by an agent or a
    command. Merged texts are masked; the archive receives the original lines.
    """
    if reason := obstacle(files, chosen, limits):
        return Plan(reason)
    limits = reachable(files, chosen, limits)
    base = base_of(files, chosen)
    size = _size_of(files, chosen)
    facts = gather(files, chosen, own_words)
    distinct = masked(facts.distinct(), mask)
    room = Room(limits.records - base.records, limits.chars - base.chars, base.ending)
    placed = place(distinct, read_blocks(files.long_memory), room, limits.long_chars)
    if base.records + len(placed.lines) >= size.records and not _exceeds(size, limits):
        return Plan(NOTHING)
    return compose(files, chosen, facts, placed, distinct)


def _exceeds(size: Room, limits: Limits) -> bool:
    if size.records > limits.records:
        return True
    return size.chars > limits.chars


def compose(
    files: Files,
    chosen: Selection,
    facts: Gathered,
    placed: Allocation,
    distinct: Sequence[Fact],
) -> Plan:
    """Return the plan for an allocation of facts."""
    # An unchanged compaction record is neither removed nor added.
    after = frozenset(placed.lines)
    removed = tuple(row for row in chosen.gone if chosen.lines[row.at] not in after)
    before = {chosen.lines[row.at] for row in chosen.gone}
    new_lines = [line for line in placed.lines if line not in before]
    counted = Counted(
        records=len(chosen.kept) + len(placed.lines),
        compacted=len(removed),
        facts=len(distinct),
        near_duplicates=len(facts.every) - len(distinct),
        facts_in_memory=len(placed.packed),
        facts_in_long_memory=len(facts_of(placed.blocks)),
        facts_archived_only=len(placed.dropped),
        facts_before=sum(1 for fact in distinct if fact.sensitivity),
    )
    return Plan(
        "",
        memory="\n".join(_merged(chosen, placed.lines)),
        long_memory=text_of(placed.blocks),
        lines=placed.lines,
        archive=_archive_lines(files, chosen, facts, placed, removed),
        removed=removed,
        made=tuple(rows_of(new_lines)),
        counted=counted,
    )


def _archive_lines(
    files: Files,
    chosen: Selection,
    facts: Gathered,
    placed: Allocation,
    removed: Sequence[Row],
) -> tuple[ArchiveLine, ...]:
    """Return the lines that the archive does not contain yet; those of MEMORY.md first
    and in its order.
    """
    archived = _look_up(files, removed, [*facts.digested, *facts.long])
    merged = {row.at: merged_facts for row, merged_facts in facts.of_digests}
    lines: dict[str, ArchiveLine] = {}
    for row in removed:
        # Skip a compaction record whose facts are already archived in the words of
        # their sources.
        if row.at in merged and all(map(archived.has_fact, merged[row.at])):
            continue
        line = chosen.lines[row.at].removesuffix("\r")
        lines[line] = ArchiveLine(line, row.id)
    for digest in _only_in_long_memory(placed, archived):
        line = format_digest(digest)
        lines[line] = ArchiveLine(line, digest_id(digest))
    return tuple(each for each in lines.values() if each.line not in archived.lines)


def _look_up(files: Files, removed: Sequence[Row], facts: Iterable[Fact]) -> Archived:
    """Search the archive for removed records and for the sources of facts."""
    ids = frozenset(row.id for row in removed)
    marks = chain.from_iterable(fact.sources for fact in facts)
    return look_up(files.archive, ids, marks)


def _only_in_long_memory(placed: Allocation, archived: Archived) -> Iterator[Digest]:
    """Yield, as compaction records, the dropped content that only the long memory
    contained.
    """
    of_long_memory = [fact for fact in placed.dropped if not fact.sensitivity]
    lost = [fact for fact in of_long_memory if not archived.has_records(fact.sources)]
    labelled = [replace(fact, sensitivity=DEFAULT_SENSITIVITY) for fact in lost]
    yield from digests(labelled, LARGEST)
    for block in placed.foreign:
        body = block.text.strip().partition("\n")[2].strip()
        yield Digest(
            text=body,
            sensitivity=DEFAULT_SENSITIVITY,
            session=SYSTEM,
            last=block.last,
            facts=1,
        )


def _merged(chosen: Selection, made: Sequence[str]) -> list[str]:
    """Return the remaining lines, with the compaction records inserted where the first
    record was.
    """
    gone = {row.at for row in chosen.gone}
    rows = [*chosen.kept, *chosen.gone]
    first = min(row.at for row in rows)
    kept = []
    for at, line in enumerate(chosen.lines):
        if at not in gone:
            kept.append(line)
    return [*kept[:first], *made, *kept[first:]]


def problems(
    files: Files, chosen: Selection, plan: Plan, limits: Limits | None
) -> Iterator[str]:
    """Yield the reasons why a plan must not be carried out; nothing if it is safe.

    Without `limits`, sizes are not checked against a limit.
    """
    yield from _lines(chosen, plan)
    yield from _archive(files, chosen, plan)
    records, chars = plan.counted.records, len(plan.memory)
    if limits is not None:
        limits = reachable(files, chosen, limits)
        if records > limits.records or chars > limits.chars:
            yield "MEMORY.md would be over its target"
        if len(plan.long_memory) > max(limits.long_chars, len(files.long_memory)):
            yield "the long memory would be over its limit"
    size = _size_of(files, chosen)
    if records >= size.records and chars >= size.chars:
        yield "MEMORY.md would not become smaller"


def _lines(chosen: Selection, plan: Plan) -> Iterator[str]:
    """Check that recent, protected and secret records and all handwritten lines stay
    unchanged.
    """
    gone = {row.at for row in chosen.gone}
    merged = frozenset(plan.lines)
    before = [
        line
        for at, line in enumerate(chosen.lines)
        if at not in gone and line not in merged
    ]
    after = [line for line in plan.memory.split("\n") if line not in merged]
    if before != after:
        yield "a line that must stay would change"


def _archive(files: Files, chosen: Selection, plan: Plan) -> Iterator[str]:
    """Check that the archive will contain everything that is removed from MEMORY.md."""
    marks = Marks(())
    digested = {
        row.at: facts_of_digest(row, marks) for row in plan.removed if row.is_digest
    }
    archived = _look_up(files, plan.removed, chain.from_iterable(digested.values()))
    lines = archived.lines.union(each.line for each in plan.archive)
    for row in plan.removed:
        line = chosen.lines[row.at].removesuffix("\r")
        if line in lines:
            continue
        if not row.is_digest or not all(map(archived.has_fact, digested[row.at])):
            yield f"record {row.id} would be lost"
