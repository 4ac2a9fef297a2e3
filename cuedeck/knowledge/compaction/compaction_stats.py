"""Statistics of a compaction: returned, logged, and stored for `memory stats`."""

from __future__ import annotations

import contextlib
import json
import os
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.engine.mask_answers import mask_value
from cuedeck.model.errors import StorageError
from cuedeck.model.ports import Json
from cuedeck.store.files.disk import read_json, write_atomic
from cuedeck.store.files.log_file import log

if TYPE_CHECKING:
    from datetime import datetime

    from cuedeck.engine.workspace import Workspace
    from cuedeck.knowledge.compaction.plan import Files, Plan
    from cuedeck.ledger.records.memory_files import MemoryFiles, Size
    from cuedeck.model.ports import Json

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
    long_chars_before: int = 0
    long_chars_after: int = 0
    compacted: int = 0
    """Number of records removed from MEMORY.md."""
    facts: int = 0
    """Number of distinct facts that were merged or are in the long memory."""
    facts_in_memory: int = 0
    facts_in_long_memory: int = 0
    archived: int = 0
    """Number of lines added to the archive."""
    notes: tuple[str, ...] = ()
    """Deviations from the requested run."""
    records: tuple[str, ...] = ()
    """Texts of the compaction records that a dry run would write."""

    def with_plan(self, plan: Plan, by: str, notes: tuple[str, ...]) -> Compacted:
        """Return the statistics of an applied plan."""
        return self._replace(
            ran=True,
            by=by,
            records_after=plan.records,
            chars_after=len(plan.memory),
            long_chars_after=len(plan.long_memory),
            compacted=plan.compacted,
            facts=plan.facts,
            facts_in_memory=plan.facts_in_memory,
            facts_in_long_memory=plan.facts_in_long_memory,
            archived=len(plan.archive),
            notes=notes,
        )


def figures_of(files: Files, size: Size) -> Compacted:
    """Return the statistics of a run that did nothing."""
    long_chars = len(files.long_memory or "")
    return Compacted(
        ran=False,
        reason="",
        records_before=size.records,
        records_after=size.records,
        chars_before=size.chars,
        chars_after=size.chars,
        long_chars_before=long_chars,
        long_chars_after=long_chars,
    )


def log_compaction(
    workspace: Workspace, memory: MemoryFiles, done: Compacted, now: datetime
) -> None:
    """Log a run, or the reason why it did nothing, and store the statistics of a run. A
    failure to store them does not fail the run.
    """
    figures: Json = mask_value(done._asdict(), workspace)
    del figures["records"]
    profile = memory.profile.id
    log(workspace.paths, {"event": "compaction", "profile": profile, **figures})
    if done.ran:
        at = now.isoformat(timespec="seconds")
        row = json.dumps({"schema": 1, "at": at, **figures}, ensure_ascii=False)
        with contextlib.suppress(StorageError):
            write_atomic(_place(memory), row.encode("utf-8", "replace"), private=True)


def last_run(memory: MemoryFiles) -> Json | None:
    """Return the statistics of the last run, with its time in `at`; None if they are
    unknown.
    """
    value = read_json(_place(memory))
    return value if isinstance(value, dict) else None


def _place(memory: MemoryFiles) -> str:
    return os.path.join(memory.workspace.private, f"{memory.lock}.compaction.json")
