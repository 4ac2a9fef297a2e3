"""State of dreaming, and the diary for display."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cuedeck.knowledge.dreaming.diary_text import named_ids, split_nights, without_ids
from cuedeck.knowledge.dreaming.recalled_texts import MemoryTexts
from cuedeck.knowledge.dreaming.run_dream import run_dream
from cuedeck.knowledge.memory.due_jobs import DREAM, MaintenanceState
from cuedeck.ledger.kinds.promotion_kind import PROMOTION, promoted_ids
from cuedeck.ledger.records.memory_files import DIARY
from cuedeck.store.cache.job_state import Runs
from cuedeck.store.clock import zoned_now

if TYPE_CHECKING:
    from datetime import datetime

    from cuedeck.engine.workspace import Workspace
    from cuedeck.ledger.records.memory_files import MemoryFiles


def dream_status(
    workspace: Workspace, memory: MemoryFiles, now: datetime | None = None
) -> dict[str, Any]:
    """Return the counts, the promotions so far, and the times of the last and the next
    night. Changes no file. Raises: StorageError, ConfigurationError.
    """
    now = now or zoned_now()
    report = run_dream(workspace, memory, now=now, dry_run=True)
    promoted = promoted_ids(memory.log(PROMOTION.log).entries)
    diary = memory.text(DIARY) or ""
    nights = split_nights(diary)
    enabled = workspace.settings.dream.enabled
    runs = Runs(workspace.paths, memory.lock)
    state = MaintenanceState(workspace.settings, memory, runs, now)
    last_entry = None
    if nights:
        last_entry = nights[-1][0]
    last_run = None
    last = runs.read(DREAM).last
    if last is not None:
        last_run = last.isoformat(timespec="seconds")
    next_run = None
    if enabled:
        next_run = state.next(DREAM)
    return {
        "profile": memory.profile.id,
        "enabled": enabled,
        **report.counts,
        "themes": 0,
        "ready": len(report.promotions),
        "waiting": len(report.waiting),
        "excluded": len(report.excluded),
        "promoted": len(promoted),
        "nights": len(nights),
        "last_entry": last_entry,
        "last_run": last_run,
        "next_run": next_run,
    }


def read_diary(
    workspace: Workspace, memory: MemoryFiles, nights: int
) -> dict[str, Any]:
    """Return the newest entries of the diary, oldest first, without lines that name a
    secret, superseded or deleted record. Raises: StorageError.
    """
    text = memory.text(DIARY) or ""
    entries = split_nights(_visible(workspace, memory, text))
    rows = []
    for moment, entry in entries[-nights:]:
        row = {"moment": moment, "text": entry}
        rows.append(row)
    return {
        "profile": memory.profile.id,
        "path": memory.path(DIARY),
        "nights": rows,
        "total": len(entries),
    }


def _visible(workspace: Workspace, memory: MemoryFiles, text: str) -> str:
    named = named_ids(text)
    if not named:
        return text
    texts = MemoryTexts(memory, workspace.find_secrets)
    hidden = named.intersection(memory.forgotten())
    for identity in named:
        found = texts.known.get(identity)
        if found is None:
            continue
        if texts.is_hidden(found.record):
            hidden.add(identity)
    return without_ids(text, hidden)
