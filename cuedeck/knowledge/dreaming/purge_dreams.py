"""Removal of deleted records from the counts, promotions and diary of dreaming."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from cuedeck.knowledge.dreaming.diary_text import without_ids
from cuedeck.ledger.kinds.promotion_kind import PROMOTION
from cuedeck.ledger.records.fact import matches
from cuedeck.ledger.records.memory_files import DIARY, PROMOTIONS, RECALLS
from cuedeck.ledger.records.recall_hits import read_recalls, remove_recalls, text_key
from cuedeck.model.formatting import counted

if TYPE_CHECKING:
    from cuedeck.ledger.records.memory_files import MemoryFiles
    from cuedeck.model.recall_hit import RecallTotal


def purge_dreams(
    memory: MemoryFiles, gone: Mapping[str, str], *, dry_run: bool
) -> dict[str, str]:
    """Remove records, a map from id to text, from the files of dreaming; return for
    each file a description of the removed text.

    A passage with the text of a deleted record is removed from the counts, too. Raises:
    Locked, StorageError.
    """
    purged: dict[str, str] = {}
    for name, clean in ((DIARY, without_ids), (PROMOTIONS, PROMOTION.without)):
        text = memory.text(name) or ""
        lines = text.count("\n") - clean(text, gone).count("\n")
        if lines:
            purged[name] = counted(lines, "line")
    if not dry_run:
        memory.rewrite(DIARY, lambda text: without_ids(text, gone))
        memory.forget(PROMOTION, gone)
    texts = _purge_counts(memory, gone, dry_run)
    if texts:
        purged[RECALLS] = f"counts of {counted(texts, 'text')}"
    return purged


def _purge_counts(memory: MemoryFiles, gone: Mapping[str, str], dry_run: bool) -> int:
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
    return address_id == identity or matches(address_id, identity)
