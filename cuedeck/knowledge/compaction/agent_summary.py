"""Replacement of chosen records by a summary that an agent wrote."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cuedeck.engine.mask_answers import mask_given
from cuedeck.knowledge.compaction.allocation import Allocation
from cuedeck.knowledge.compaction.apply_plan import (
    PATIENCE_SECONDS,
    carry_out,
    running,
    take,
    text_of,
)
from cuedeck.knowledge.compaction.collect_facts import Files, gather, marks_of
from cuedeck.knowledge.compaction.compaction_stats import (
    Compacted,
    figures_of,
    log_compaction,
)
from cuedeck.knowledge.compaction.external_summary import facts_of_text
from cuedeck.knowledge.compaction.packing_facts import LARGEST, digests
from cuedeck.knowledge.compaction.plan import Plan, compose
from cuedeck.knowledge.compaction.run_compaction import (
    Ready,
    check,
    is_held,
    require_archive,
)
from cuedeck.knowledge.compaction.select_records import Selection, select
from cuedeck.ledger.id_prefix import pick
from cuedeck.ledger.records.compaction_record import format_digest
from cuedeck.ledger.records.long_memory_blocks import read_blocks
from cuedeck.ledger.records.record_lookup import LISTING
from cuedeck.model.errors import Invalid, Locked
from cuedeck.model.memory_record import SENSITIVITIES
from cuedeck.model.record_categories import category_of
from cuedeck.store.clock import local_now

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from cuedeck.engine.workspace import Workspace
    from cuedeck.ledger.records.memory_files import MemoryFiles

AGENT = "agent"
_ATTEMPTS = 3


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
    require_archive(workspace, memory)
    now = now or local_now()
    summary: str = mask_given(text, workspace)
    if dry_run:
        ready, plan = _prepare(workspace, memory, ids, summary, now)
        texts = tuple(row.text for row in plan.made)
        done = figures_of(ready.files, ready.chosen, plan, AGENT)
        return done._replace(ran=False, reason="dry run", dry_run=True, records=texts)
    with running(memory, PATIENCE_SECONDS):
        for _ in range(_ATTEMPTS):
            ready, plan = _prepare(workspace, memory, ids, summary, now)
            if carry_out(memory, ready.taken, plan):
                memory.changed("compact")
                return log_compaction(
                    workspace,
                    memory,
                    figures_of(ready.files, ready.chosen, plan, AGENT),
                    now,
                )
    raise Locked("MEMORY.md keeps changing", hint="nothing was changed; try again")


def _prepare(
    workspace: Workspace,
    memory: MemoryFiles,
    ids: Sequence[str],
    text: str,
    now: datetime,
) -> tuple[Ready, Plan]:
    """Return the validated run and its plan."""
    taken = take(memory)
    files = Files(
        text_of(taken.memory),
        text_of(taken.long_memory),
        memory.text(memory.archive) or "",
    )
    chosen = _choose(files.memory, ids, now)
    if is_held(memory, now):
        raise Locked(
            "another process is compacting this memory", hint="try again later"
        )
    plan = _plan(files, chosen, text)
    if len(plan.memory) >= len(files.memory):
        raise Invalid(
            "the summary is longer than the records it replaces",
            hint="write a shorter one",
        )
    ready = Ready(taken, files, chosen, Compacted(False, ""))
    check(workspace, ready, plan, None, now)
    return ready, plan


def _choose(text: str, ids: Sequence[str], now: datetime) -> Selection:
    """Return a selection of exactly these records. Raises: NotFound, Ambiguous,
    Invalid.
    """
    every = select(text, now, 0)
    rows = [*every.kept, *every.gone]
    rows.sort(key=lambda row: row.at)
    known = list(dict.fromkeys(row.id for row in rows))
    wanted = {pick(each, known, "record", LISTING) for each in ids}
    chosen = [row for row in rows if row.id in wanted]
    if not chosen:
        raise Invalid(
            "the summary names no records",
            hint=f"give their ids with --ids; `{LISTING}` shows them",
        )
    for row in chosen:
        if row.sensitivity not in SENSITIVITIES[:-1]:
            raise Invalid(
                f"record `{row.id}` is secret and is never merged", hint="omit it"
            )
        if category_of(row.category).is_protected:
            raise Invalid(
                f"record `{row.id}` is {row.category} and is never merged",
                hint="omit it, or edit it",
            )
        if not row.day:
            raise Invalid(f"record `{row.id}` has no valid timestamp", hint="omit it")
    kept = tuple(row for row in rows if row.id not in wanted)
    return Selection(
        lines=every.lines,
        kept=kept,
        digests=(),
        fresh=tuple(chosen),
        silent=(),
        replaced=frozenset(),
        gone=tuple(chosen),
    )


def _plan(files: Files, chosen: Selection, text: str) -> Plan:
    facts = facts_of_text(text, chosen.fresh, marks_of(files, chosen))
    largest = max(LARGEST, 2 * len(text))
    lines: list[str] = []
    for label in sorted({fact.sensitivity for fact in facts}):
        labelled = [fact for fact in facts if fact.sensitivity == label]
        lines += map(format_digest, digests(labelled, largest))
    placed = Allocation(
        tuple(lines), tuple(facts), read_blocks(files.long_memory), (), ()
    )
    return compose(files, chosen, gather(files, chosen, facts), placed, facts)
