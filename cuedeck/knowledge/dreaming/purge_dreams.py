"""Removal of deleted records from the counts, promotions and diary of dreaming."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.knowledge.dreaming.diary_text import without_ids
from cuedeck.knowledge.dreaming.promoted_records import ledger_without
from cuedeck.ledger.records.fact import matches
from cuedeck.ledger.records.memory_files import DIARY, PROMOTIONS, RECALLS
from cuedeck.ledger.records.recall_hit_line import text_key
from cuedeck.ledger.records.recall_hits import read_recalls, remove_recalls
from cuedeck.model.formatting import counted

if TYPE_CHECKING:
    from cuedeck.ledger.records.memory_files import MemoryFiles
    from cuedeck.ledger.records.memory_writer import Writer
    from cuedeck.model.recall_hit import RecallTotal


class Purged(NamedTuple):
    """File from which lines are removed."""

    name: str
    what: str


def purge_dreams(
    memory: MemoryFiles, writer: Writer, gone: Mapping[str, str], *, dry_run: bool
) -> list[Purged]:
    """Remove records, a map from id to text, from the files of dreaming; return the
    files that contained them.

    A passage with the text of a deleted record is removed from the counts, too. Raises:
    Locked, StorageError.
    """
    removed = {
        DIARY: _count_removed(memory.text(DIARY), without_ids, gone),
        PROMOTIONS: _count_removed(memory.text(PROMOTIONS), ledger_without, gone),
    }
    if removed[DIARY] and not dry_run:
        writer.rewrite(
            DIARY,
            lambda text: without_ids(text, gone),
        )
    if removed[PROMOTIONS] and not dry_run:
        writer.rewrite(
            PROMOTIONS,
            lambda text: ledger_without(text, gone),
        )
    purged: list[Purged] = []
    for name, lines in removed.items():
        if lines:
            purged.append(Purged(name, counted(lines, "line")))
    texts = _purge_counts(memory, gone, dry_run)
    if texts:
        what = counted(texts, "text")
        purged.append(Purged(RECALLS, f"counts of {what}"))
    return purged


def _count_removed(
    text: str | None,
    clean: Callable[[str, Collection[str]], str],
    ids: Collection[str],
) -> int:
    """Return the number of lines that `clean` removes."""
    if text is None:
        return 0
    cleaned = clean(text, ids)
    return text.count("\n") - cleaned.count("\n")


def _purge_counts(memory: MemoryFiles, gone: Mapping[str, str], dry_run: bool) -> int:
    """Remove the counts of the records and of passages with their texts; return the
    number of texts.
    """
    text_keys = {text_key(text) for text in gone.values() if text}

    def is_kept(total: RecallTotal) -> bool:
        if not total.is_record:
            return total.text_key not in text_keys
        return not any(_is_named(total.record_id, identity) for identity in gone)

    if not dry_run:
        return remove_recalls(memory, is_kept)
    totals = read_recalls(memory).totals
    return sum(not is_kept(total) for total in totals.values())


def _is_named(address_id: str, identity: str) -> bool:
    """Return whether an address names a record by its id, or by the mark of a fact in
    LONGMEMORY.md.
    """
    return address_id == identity or matches(address_id, identity)
