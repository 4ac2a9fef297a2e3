"""Lines to append to the archive: records that leave MEMORY.md, and facts dropped from the long memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from cuedeck.model.memory_record import DEFAULT_SENSITIVITY
from cuedeck.records.compaction.allocation import Allocation
from cuedeck.records.compaction.archive import Archived, look_up
from cuedeck.records.compaction.collect_facts import Files, Gathered
from cuedeck.records.compaction.compaction_record import SYSTEM, Digest, digest_id, format_digest
from cuedeck.records.compaction.packing_facts import LARGEST, digests
from cuedeck.records.compaction.select_records import Row, Selection


class ArchiveLines(NamedTuple):
    """A line for the archive."""

    line: str
    id: str
    """Id of its record."""


def leaving(
    files: Files, chosen: Selection, facts: Gathered, placed: Allocation, removed: Sequence[Row]
) -> tuple[ArchiveLines, ...]:
    """Return the lines that the archive does not contain yet; those of MEMORY.md first and in its order."""
    marks = [
        mark for said in (*(said for _, said in facts.of_digests), facts.long) for fact in said for mark in fact.sources
    ]
    archived = look_up(files.archive, frozenset(row.id for row in removed), marks)
    merged = {row.at: said for row, said in facts.of_digests}
    lines: dict[str, ArchiveLines] = {}
    for row in removed:
        # Skip a compaction record whose facts are already archived in the words of their sources.
        if not all(archived.says(fact.sources, fact.text) for fact in merged.get(row.at, ())) or row.at not in merged:
            line = chosen.lines[row.at].removesuffix("\r")
            lines[line] = ArchiveLines(line, row.id)
    for digest in _unheard(placed, archived):
        line = format_digest(digest)
        lines[line] = ArchiveLines(line, digest_id(digest))
    return tuple(each for each in lines.values() if each.line not in archived.lines)


def _unheard(placed: Allocation, archived: Archived) -> Iterator[Digest]:
    """Yield, as compaction records, the dropped content that only the long memory contained."""
    lost = [fact for fact in placed.left if not fact.sensitivity and not archived.holds(fact.sources)]
    yield from digests([replace(fact, sensitivity=DEFAULT_SENSITIVITY) for fact in lost], LARGEST)
    for block in placed.foreign:
        body = block.text.strip().partition("\n")[2].strip()
        yield Digest(body, DEFAULT_SENSITIVITY, SYSTEM, block.last, 1)
