"""What a run of compaction makes of the files: MEMORY.md, the long memory, the lines for the archive.

All old records are merged: a merged fact costs a third of the room of a record, so more of them stay near. Of the
facts, those worth most stay in MEMORY.md; what has no place there goes to the long memory, and what has none there is
left in the archive, where the line of every record goes that leaves MEMORY.md. While everything fits, the older half
goes to the long memory as far as that has room.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from cuedeck.records.compaction.allocation import Allocation, place
from cuedeck.records.compaction.archive import look_up
from cuedeck.records.compaction.archive_lines import ArchiveLines, leaving
from cuedeck.records.compaction.collect_facts import Files, Gathered, Mask, facts_of_digest, gather, masked
from cuedeck.records.compaction.fact import Fact
from cuedeck.records.compaction.long_memory_blocks import read_blocks, text_of
from cuedeck.records.compaction.packing_facts import Room
from cuedeck.records.compaction.select_records import Row, Selection, rows_of
from cuedeck.records.compaction.short_ids import Marks

NOTHING = "nothing to compact"
PROTECTED = "protected records alone exceed the target"


class Limits(NamedTuple):
    """What the files may hold afterwards."""

    records: int
    chars: int
    """Code points of MEMORY.md as a whole."""
    long_chars: int


class Counted(NamedTuple):
    """What a plan is made of, in numbers."""

    records: int = 0
    """In MEMORY.md."""
    compacted: int = 0
    """Records that leave it; compaction records count, too."""
    facts: int = 0
    """Distinct ones, of MEMORY.md and the long memory together."""
    near_duplicates: int = 0
    """Facts that were joined with another one."""
    facts_in_memory: int = 0
    facts_in_long_memory: int = 0
    facts_archived_only: int = 0
    facts_before: int = 0
    """In MEMORY.md; what the records say that stay is not counted."""


class Plan(NamedTuple):
    """What a run makes of the files."""

    reason: str
    """Why nothing is to be done; empty when something is."""
    memory: str = ""
    long_memory: str = ""
    lines: tuple[str, ...] = ()
    """The compaction records in MEMORY.md."""
    archive: tuple[ArchiveLines, ...] = ()
    removed: tuple[Row, ...] = ()
    """Records that leave MEMORY.md."""
    made: tuple[Row, ...] = ()
    """New compaction records."""
    counted: Counted = Counted()


def base_of(files: Files, chosen: Selection) -> Room:
    """Return what MEMORY.md holds without the records that may leave it."""
    return Room(
        len(chosen.kept),
        len(files.memory) - sum(len(chosen.lines[row.at]) + 1 for row in chosen.gone),
        "\r" if any(chosen.lines[row.at].endswith("\r") for row in chosen.gone[:1]) else "",
    )


def obstacle(files: Files, chosen: Selection, limits: Limits) -> str:
    """Say why there is nothing to plan; empty when there is something."""
    if _exceeds(base_of(files, chosen), limits):
        return PROTECTED
    whole = Room(len(chosen.kept) + len(chosen.gone), len(files.memory))
    is_called_for = chosen.fresh or chosen.silent or _exceeds(whole, limits)
    return "" if chosen.gone and is_called_for else NOTHING


def make_plan(
    files: Files, chosen: Selection, limits: Limits, own_words: Sequence[Fact] | None = None, mask: Mask = tuple
) -> Plan:
    """Return what is to be done. `own_words` are facts that say what the fresh records do, made elsewhere.

    What is merged is masked; the archive gets the lines as they are.
    """
    if reason := obstacle(files, chosen, limits):
        return Plan(reason)
    base = base_of(files, chosen)
    whole = Room(len(chosen.kept) + len(chosen.gone), len(files.memory))
    facts = gather(files, chosen, own_words)
    distinct = masked(facts.distinct(), mask)
    room = Room(limits.records - base.records, limits.chars - base.chars, base.ending)
    placed = place(distinct, read_blocks(files.long_memory), room, limits.long_chars)
    if base.records + len(placed.lines) >= whole.records and not _exceeds(whole, limits):
        return Plan(NOTHING)
    return compose(files, chosen, facts, placed, distinct)


def _exceeds(held: Room, limits: Limits) -> bool:
    return held.records > limits.records or held.chars > limits.chars


def compose(files: Files, chosen: Selection, facts: Gathered, placed: Allocation, distinct: Sequence[Fact]) -> Plan:
    """Return the plan that puts facts in their places."""
    gone = chosen.gone
    # A compaction record that says what it said is neither removed nor made.
    stays = frozenset(placed.lines)
    removed = tuple(row for row in gone if chosen.lines[row.at] not in stays)
    had = {chosen.lines[row.at] for row in gone}
    counted = Counted(
        len(chosen.kept) + len(placed.lines),
        len(removed),
        len(distinct),
        len(facts.every) - len(distinct),
        len(placed.held),
        sum(len(block.facts) for block in placed.blocks),
        len(placed.left),
        sum(1 for fact in distinct if fact.sensitivity),
    )
    return Plan(
        "",
        "\n".join(_merged(chosen, placed.lines)),
        text_of(placed.blocks),
        placed.lines,
        leaving(files, chosen, facts, placed, removed),
        removed,
        tuple(rows_of(line for line in placed.lines if line not in had)),
        counted,
    )


def _merged(chosen: Selection, made: Sequence[str]) -> list[str]:
    """Return the lines that stay, with the compaction records where the first record stood."""
    places = {row.at for row in chosen.gone}
    first = min(row.at for row in (*chosen.kept, *chosen.gone))
    kept = [line for at, line in enumerate(chosen.lines) if at not in places]
    return [*kept[:first], *made, *kept[first:]]


def problems(files: Files, chosen: Selection, plan: Plan, limits: Limits | None) -> Iterator[str]:
    """Yield what is wrong with a plan; nothing when it may be carried out. Without limits no size is asked for."""
    yield from _lines(chosen, plan)
    yield from _archive(files, chosen, plan)
    records, chars = plan.counted.records, len(plan.memory)
    if limits is not None:
        if records > limits.records or chars > limits.chars:
            yield "MEMORY.md would be over its target"
        if len(plan.long_memory) > max(limits.long_chars, len(files.long_memory)):
            yield "the long memory would be over its limit"
    if records >= len(chosen.kept) + len(chosen.gone) and chars >= len(files.memory):
        yield "MEMORY.md would not become smaller"


def _lines(chosen: Selection, plan: Plan) -> Iterator[str]:
    """Compare what stays: recent, protected and secret records, and all that a person wrote."""
    gone = {row.at for row in chosen.gone}
    merged = frozenset(plan.lines)
    kept = [line for at, line in enumerate(chosen.lines) if at not in gone and line not in merged]
    if kept != [line for line in plan.memory.split("\n") if line not in merged]:
        yield "a line that must stay would change"


def _archive(files: Files, chosen: Selection, plan: Plan) -> Iterator[str]:
    """Look for all that leaves MEMORY.md in the archive as it will be."""
    marks = Marks(())
    digested = {row.at: facts_of_digest(row, marks) for row in plan.removed if row.is_digest}
    wanted = [mark for facts in digested.values() for fact in facts for mark in fact.sources]
    added = frozenset(each.line for each in plan.archive)
    archived = look_up(files.archive, frozenset(row.id for row in plan.removed), wanted)
    for row in plan.removed:
        line = chosen.lines[row.at].removesuffix("\r")
        if line in added or line in archived.lines:
            continue
        if not all(archived.says(fact.sources, fact.text) for fact in digested.get(row.at, ())) or not row.is_digest:
            yield f"record {row.id} would be lost"
