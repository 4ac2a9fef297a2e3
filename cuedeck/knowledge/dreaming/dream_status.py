"""State of dreaming, and the diary for display."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from cuedeck.knowledge.dreaming.diary_text import named_ids, split_nights, without_ids
from cuedeck.knowledge.dreaming.recalled_texts import MemoryTexts
from cuedeck.knowledge.dreaming.run_dream import run_dream
from cuedeck.knowledge.memory.due_jobs import DREAM, JOBS, MaintenanceState
from cuedeck.ledger.kinds.promotion_kind import PROMOTION, promoted_ids
from cuedeck.ledger.records.fact import Marked
from cuedeck.ledger.records.memory_files import DIARY, PROMOTIONS, RECALLS
from cuedeck.ledger.records.recall_hits import read_recalls, remove_recalls, text_key
from cuedeck.model.formatting import counted
from cuedeck.store.cache.job_state import Runs
from cuedeck.store.clock import zoned_now

if TYPE_CHECKING:
    from datetime import datetime

    from cuedeck.engine.workspace import Workspace
    from cuedeck.ledger.records.memory_files import MemoryFiles
    from cuedeck.model.ports import Json
    from cuedeck.model.recall_values import RecallTotal


def dream_status(
    workspace: Workspace, memory: MemoryFiles, now: datetime | None = None
) -> Json:
    """Return the counts, the promotions so far, and the times of the last and the next
    night. Changes no file. Raises: StorageError, ConfigurationError.
    """
    now = now or zoned_now()
    report = run_dream(workspace, memory, now=now, dry_run=True)
    nights = split_nights(memory.text(DIARY) or "")
    runs = Runs(workspace.paths, memory.lock)
    state = MaintenanceState(workspace.settings, memory, runs, now)
    last = runs.read(DREAM).last
    return {
        "profile": memory.profile.id,
        "enabled": workspace.settings.dream.enabled,
        **report.counts,
        "themes": 0,
        "ready": len(report.promotions),
        "waiting": len(report.waiting),
        "excluded": len(report.excluded),
        "promoted": len(promoted_ids(memory.log(PROMOTION.log).entries)),
        "nights": len(nights),
        "last_entry": nights[-1][0] if nights else None,
        "last_run": last.isoformat(timespec="seconds") if last else None,
        "next_run": state.next(JOBS[DREAM]),
    }


def read_diary(workspace: Workspace, memory: MemoryFiles, nights: int) -> Json:
    """Return the newest entries of the diary, oldest first, without lines that name a
    secret, superseded or deleted record. Raises: StorageError.
    """
    text = memory.text(DIARY) or ""
    texts = MemoryTexts(memory, workspace.find_secrets)
    hidden = set(memory.forgotten())
    for identity in named_ids(text).intersection(texts.known):
        if texts.is_hidden(texts.known[identity].record):
            hidden.add(identity)
    entries = split_nights(without_ids(text, hidden))
    return {
        "profile": memory.profile.id,
        "path": memory.path(DIARY),
        "nights": [{"moment": at, "text": entry} for at, entry in entries[-nights:]],
        "total": len(entries),
    }


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
    marked = Marked(gone)

    def is_kept(total: RecallTotal) -> bool:
        if not total.is_record:
            return total.last.text_key not in text_keys
        named = total.record_id
        return named not in gone and named not in marked

    if not dry_run:
        return remove_recalls(memory, is_kept)
    totals = read_recalls(memory).totals
    return sum(not is_kept(total) for total in totals.values())
