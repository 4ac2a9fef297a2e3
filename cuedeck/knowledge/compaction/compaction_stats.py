"""Statistics of a compaction: returned, logged, and stored for `memory stats`."""

from __future__ import annotations

import contextlib
import json
import os
from typing import TYPE_CHECKING, Any, NamedTuple

from cuedeck.engine.mask_answers import mask_value
from cuedeck.model.errors import StorageError
from cuedeck.store.files.disk import read_json, write_atomic
from cuedeck.store.files.log_file import log

if TYPE_CHECKING:
    from datetime import datetime

    from cuedeck.engine.workspace import Workspace
    from cuedeck.knowledge.compaction.collect_facts import Files
    from cuedeck.knowledge.compaction.plan import Plan
    from cuedeck.knowledge.compaction.select_records import Selection
    from cuedeck.ledger.records.memory_files import MemoryFiles

RULES = "rules"


class Compacted(NamedTuple):
    """Statistics of one run."""

    ran: bool
    reason: str
    """Reason why the run did nothing; empty otherwise."""
    dry_run: bool = False
    by: str = RULES
    """Author of the facts: `rules`, `summariser` or `agent`."""
    records_before: int = 0
    records_after: int = 0
    chars_before: int = 0
    chars_after: int = 0
    compacted: int = 0
    """Number of records merged into compaction records."""
    compaction_records: int = 0
    """Number of compaction records after the run."""
    facts: int = 0
    near_duplicates: int = 0
    facts_in_memory: int = 0
    facts_in_long_memory: int = 0
    facts_archived_only: int = 0
    archived: int = 0
    """Number of lines added to the archive."""
    long_chars_before: int = 0
    long_chars_after: int = 0
    facts_per_1000_before: float = 0.0
    """Distinct facts per 1,000 characters of MEMORY.md; an unmerged record counts as
    one fact.
    """
    facts_per_1000_after: float = 0.0
    notes: tuple[str, ...] = ()
    """Deviations from the requested run."""
    records: tuple[str, ...] = ()
    """Texts of the compaction records that a dry run would write."""


def unchanged(reason: str, records: int, chars: int, long_chars: int) -> Compacted:
    """Return the statistics of a run that did nothing."""
    return Compacted(
        False,
        reason,
        records_before=records,
        records_after=records,
        chars_before=chars,
        chars_after=chars,
        long_chars_before=long_chars,
        long_chars_after=long_chars,
    )


def figures_of(
    files: Files, chosen: Selection, plan: Plan, by: str, notes: tuple[str, ...] = ()
) -> Compacted:
    """Return the statistics of an applied plan."""
    kept, counted = len(chosen.kept), plan.counted
    before, after = len(files.memory), len(plan.memory)
    return Compacted(
        True,
        "",
        by=by,
        records_before=kept + len(chosen.gone),
        records_after=counted.records,
        chars_before=before,
        chars_after=after,
        compacted=counted.compacted,
        compaction_records=len(plan.lines),
        facts=counted.facts,
        near_duplicates=counted.near_duplicates,
        facts_in_memory=counted.facts_in_memory,
        facts_in_long_memory=counted.facts_in_long_memory,
        facts_archived_only=counted.facts_archived_only,
        archived=len(plan.archive),
        long_chars_before=len(files.long_memory),
        long_chars_after=len(plan.long_memory),
        facts_per_1000_before=round(
            1_000 * (kept + counted.facts_before) / max(1, before), 2
        ),
        facts_per_1000_after=round(
            1_000 * (kept + counted.facts_in_memory) / max(1, after), 2
        ),
        notes=notes,
    )


def log_compaction(
    workspace: Workspace, memory: MemoryFiles, done: Compacted, now: datetime
) -> Compacted:
    """Log a run and store its statistics. A failure to store them does not fail the
    run.
    """
    log_run(workspace, memory, done)
    row = {
        "schema": 1,
        "at": now.isoformat(timespec="seconds"),
        **_figures(workspace, done),
    }
    with contextlib.suppress(StorageError):
        write_atomic(
            _place(memory),
            json.dumps(row, ensure_ascii=False).encode("utf-8", "replace"),
            private=True,
        )
    return done


def log_run(workspace: Workspace, memory: MemoryFiles, done: Compacted) -> None:
    """Log a run, or the reason why it did nothing."""
    log(
        workspace.paths,
        {
            "event": "compaction",
            "profile": memory.profile.id,
            **_figures(workspace, done),
        },
    )


def last_run(memory: MemoryFiles) -> dict[str, Any] | None:
    """Return the statistics of the last run, with its time in `at`; None if they are
    unknown.
    """
    value = read_json(_place(memory))
    return value if isinstance(value, dict) else None


def _figures(workspace: Workspace, done: Compacted) -> dict[str, Any]:
    figures: dict[str, Any] = mask_value(done._asdict(), workspace)
    del figures["records"]
    return figures


def _place(memory: MemoryFiles) -> str:
    return os.path.join(memory.workspace.private, f"{memory.lock}.compaction.json")
