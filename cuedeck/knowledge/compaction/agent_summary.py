"""Replacement of chosen records by a summary that an agent wrote."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cuedeck.engine.mask_answers import mask_given
from cuedeck.knowledge.compaction.apply_plan import carry_out, read_files
from cuedeck.knowledge.compaction.compaction_stats import (
    Compacted,
    figures_of,
    log_compaction,
)
from cuedeck.knowledge.compaction.plan import LARGEST, Files, Merged, Plan, compose
from cuedeck.knowledge.compaction.run_compaction import is_held, require_archive
from cuedeck.knowledge.compaction.select_records import Selection, select
from cuedeck.knowledge.compaction.summary_facts import facts_of_text
from cuedeck.ledger.id_prefix import pick
from cuedeck.ledger.records.long_memory_file import Rebuilt
from cuedeck.ledger.records.merged_text import format_digests
from cuedeck.ledger.records.record_lookup import LISTING
from cuedeck.model.errors import Invalid, Locked
from cuedeck.store.clock import local_now

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from cuedeck.engine.workspace import Workspace
    from cuedeck.ledger.records.memory_files import MemoryFiles

AGENT = "agent"


def compact_with(
    workspace: Workspace,
    memory: MemoryFiles,
    ids: Sequence[str],
    text: str,
    *,
    dry_run: bool = False,
    now: datetime | None = None,
) -> Compacted:
    """Replace records of MEMORY.md, whatever their age, by a summary that names them as
    its sources.

    If every item of the text is `- fact [id id]`, each is a separate fact; otherwise
    the text is one fact of all records. Works while compaction is off, keeps an undo
    backup, and is undone like any other run. Raises: NotFound, Ambiguous, Invalid,
    ConfigurationError, Locked, StorageError, with nothing changed.
    """
    require_archive(workspace.environ, memory)
    now = now or local_now()
    summary: str = mask_given(text, workspace)
    if dry_run:
        files, chosen, plan = _prepare(memory, ids, summary, now)
        return figures_of(files, chosen, plan, AGENT).as_dry_run(plan)
    with memory.writing():
        files, chosen, plan = _prepare(memory, ids, summary, now)
        if not carry_out(memory, files, plan):
            hint = "nothing was changed; try again"
            raise Locked("MEMORY.md keeps changing", hint=hint)
    memory.changed("compact")
    done = figures_of(files, chosen, plan, AGENT)
    return log_compaction(workspace, memory, done, now)


def _prepare(
    memory: MemoryFiles, ids: Sequence[str], text: str, now: datetime
) -> tuple[Files, Selection, Plan]:
    files = read_files(memory)
    chosen = _choose(files.memory, ids, now)
    if is_held(memory, now):
        raise Locked(
            "another process is compacting this memory", hint="try again later"
        )
    facts = facts_of_text(text, chosen.gone)
    lines: list[str] = []
    for label in sorted({fact.sensitivity for fact in facts}):
        labelled = [fact for fact in facts if fact.sensitivity == label]
        lines += format_digests(labelled, max(LARGEST, 2 * len(text)))
    merged = Merged(tuple(lines), len(facts), Rebuilt(files.long_memory or "", ()))
    plan = compose(files, chosen, merged)._replace(facts=len(facts))
    if len(plan.memory) >= len(files.memory):
        raise Invalid(
            "the summary is longer than the records it replaces",
            hint="write a shorter one",
        )
    return files, chosen, plan


def _choose(text: str, ids: Sequence[str], now: datetime) -> Selection:
    """Return a selection of exactly these records. Raises: NotFound, Ambiguous,
    Invalid.
    """
    every = select(text, now, 0)
    rows = sorted([*every.kept, *every.gone])
    known = list(dict.fromkeys(row.id for row in rows))
    wanted = {pick(each, known, "record", LISTING) for each in ids}
    chosen = tuple(row for row in rows if row.id in wanted)
    if not chosen:
        raise Invalid(
            "the summary names no records",
            hint=f"give their ids with --ids; `{LISTING}` shows them",
        )
    for row in chosen:
        record = row.record
        if record.is_secret:
            raise Invalid(
                f"record `{row.id}` is secret and is never merged", hint="omit it"
            )
        if record.is_protected:
            raise Invalid(
                f"record `{row.id}` is {record.category} and is never merged",
                hint="omit it, or edit it",
            )
        if not row.day:
            raise Invalid(f"record `{row.id}` has no valid timestamp", hint="omit it")
    kept = tuple(row for row in rows if row.id not in wanted)
    return Selection(every.lines, kept, chosen, frozenset())
