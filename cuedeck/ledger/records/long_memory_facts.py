"""Facts of LONGMEMORY.md in the form of records."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cuedeck.ledger.records.fact import Fact
from cuedeck.ledger.records.fact_removal import without
from cuedeck.ledger.records.long_memory_blocks import facts_of, read_blocks
from cuedeck.model.memory_record import Record

if TYPE_CHECKING:
    from cuedeck.ledger.records.memory_files import MemoryFiles

CATEGORY = "long-memory"
_CACHE = "_facts"


def long_memory_facts(memory: MemoryFiles) -> Sequence[Record]:
    """Return the facts of the long memory, oldest first, without those of forgotten
    records; the same object while the file is unchanged.

    The id of a fact is the mark of its first source: the beginning of the id of a
    record that was merged into it. Raises: StorageError.
    """
    text = memory.text(memory.long_memory) or ""
    key = (text, memory.forgotten())
    cached: tuple[object, Sequence[Record]] | None = memory.derived.get(_CACHE)
    if cached is None or cached[0] != key:
        cached = memory.derived[_CACHE] = key, _read_facts(*key)
    return cached[1]


def _read_facts(text: str, forgotten: frozenset[str]) -> Sequence[Record]:
    lines = text.split("\n")
    left = without(text, forgotten)
    found: dict[str, Record] = {}
    for fact in facts_of(read_blocks(left)):
        identity = fact.sources[0]
        record = Record(
            identity,
            fact.text,
            CATEGORY,
            timestamp=f"{fact.last}T00:00:00Z",
            line=_line_of(fact, lines),
        )
        found.setdefault(identity, record)
    return tuple(found.values())


def _line_of(fact: Fact, lines: Sequence[str]) -> int:
    """Return the number of the line with the list item of a fact."""
    first_line = f"- {fact.text}".partition("\n")[0]
    numbers = (
        number for number, line in enumerate(lines, 1) if line.startswith(first_line)
    )
    return next(numbers)
