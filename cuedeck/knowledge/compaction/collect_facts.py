"""Collection of the facts for a compaction: from merged records, compaction records and
the long memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from cuedeck.knowledge.compaction.archive import archived_ids
from cuedeck.knowledge.compaction.deduplication import merge_near
from cuedeck.knowledge.compaction.select_records import Row, Selection
from cuedeck.ledger.records.compaction_record import parse_digest
from cuedeck.ledger.records.fact import Fact, plain_text
from cuedeck.ledger.records.fact_removal import left_of
from cuedeck.ledger.records.long_memory_blocks import facts_of, read_blocks
from cuedeck.ledger.records.short_ids import Marks, Named

Mask = Callable[[Sequence[str]], Sequence[str]]
"""Returns texts with their secrets masked."""


class Files(NamedTuple):
    """Texts of the files before the compaction."""

    memory: str
    long_memory: str
    archive: str


class Gathered(NamedTuple):
    """The facts of a compaction."""

    of_digests: tuple[tuple[Row, Sequence[Fact]], ...]
    fresh: tuple[Fact, ...]
    long: tuple[Fact, ...]
    replaced: frozenset[str]
    """Ids of superseded records."""

    @property
    def digested(self) -> list[Fact]:
        """The facts of all compaction records."""
        return [fact for _, facts in self.of_digests for fact in facts]

    @property
    def every(self) -> list[Fact]:
        return [*self.digested, *self.fresh, *self.long]

    def distinct(self) -> list[Fact]:
        """Return each fact once, without superseded ones."""
        valid = _valid(self.every, self.replaced) if self.replaced else self.every
        return merge_near(valid)


def masked(facts: Sequence[Fact], mask: Mask) -> list[Fact]:
    """Return facts with masked texts; those from the long memory stay unchanged, as the
    archive may lack them.
    """
    texts = mask([fact.text if fact.sensitivity else "" for fact in facts])
    result: list[Fact] = []
    for fact, text in zip(facts, texts, strict=True):
        if text and text != fact.text:
            fact = replace(fact, text=text)
        result.append(fact)
    return result


def gather(
    files: Files, chosen: Selection, own_words: Sequence[Fact] | None = None
) -> Gathered:
    """Return all facts in the records and in the long memory.

    `own_words` are facts that summarise the fresh records, made by an agent or a
    command.
    """
    marks = marks_of(files, chosen)
    of_digests = tuple((row, facts_of_digest(row, marks)) for row in chosen.digests)
    fresh = _facts(chosen.fresh, marks) if own_words is None else own_words
    long = facts_of(read_blocks(files.long_memory))
    return Gathered(of_digests, tuple(fresh), tuple(long), chosen.replaced)


def marks_of(files: Files, chosen: Selection) -> Marks:
    """Return the marks of all records in MEMORY.md and in the archive."""
    memory_ids = (row.id for row in (*chosen.kept, *chosen.gone))
    return Marks((*memory_ids, *archived_ids(files.archive)))


def facts_of_digest(row: Row, marks: Marks) -> list[Fact]:
    """Return the facts of a compaction record."""
    return parse_digest(
        row.text, marks.of(row.id), row.day, row.sensitivity, row.session
    )


def _facts(rows: Iterable[Row], marks: Marks) -> Iterator[Fact]:
    for row in rows:
        sessions = (row.session,) if row.session else ()
        mark = marks.of(row.id)
        yield Fact(
            text=plain_text(row.text),
            sources=(mark,),
            first=row.day,
            last=row.day,
            sensitivity=row.sensitivity,
            category=row.category,
            sessions=sessions,
        )


def _valid(facts: Sequence[Fact], replaced: Iterable[str]) -> Iterator[Fact]:
    gone = Named(replaced)
    for fact in facts:
        left = left_of(fact, gone)
        if left is not None:
            yield left
