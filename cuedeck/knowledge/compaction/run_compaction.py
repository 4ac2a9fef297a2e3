"""Compaction: merges old records of MEMORY.md and moves the excess to the long memory
and the archive.

Order: check that it is enabled and a threshold is reached; find records in scope; check
that no other program compacts; read the files; make and check the plan; back up the
files; write and verify archive, long memory and MEMORY.md; log the statistics. Only the
writing needs the lock. Records added meanwhile stay after the merged ones. No
checkpoint has to be flushed: every acknowledged record is on disk.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.engine.mask_answers import mask_value
from cuedeck.knowledge.compaction.apply_plan import (
    Taken,
    carry_out,
    running,
    take,
    text_of,
)
from cuedeck.knowledge.compaction.collect_facts import Files, marks_of
from cuedeck.knowledge.compaction.compaction_stats import (
    RULES,
    Compacted,
    figures_of,
    log_compaction,
    log_run,
    unchanged,
)
from cuedeck.knowledge.compaction.external_summary import facts_of_answer
from cuedeck.knowledge.compaction.plan import (
    PROTECTED,
    Limits,
    Plan,
    base_of,
    make_plan,
    obstacle,
    problems,
)
from cuedeck.knowledge.compaction.select_records import Selection, select
from cuedeck.knowledge.integrity.scan_records import find_findings
from cuedeck.knowledge.memory.job_schedule import is_over
from cuedeck.ledger.records.record_file import parse_records
from cuedeck.model.errors import ConfigurationError, Invalid, Locked, StorageError
from cuedeck.parse.settings_file import setter_of
from cuedeck.store.clock import local_now
from cuedeck.store.files.summariser_command import ask

if TYPE_CHECKING:
    from datetime import datetime

    from cuedeck.engine.workspace import Workspace
    from cuedeck.knowledge.compaction.select_records import Selection
    from cuedeck.ledger.records.fact import Fact
    from cuedeck.ledger.records.memory_files import MemoryFiles

OFF = "off"
UNDER = "under threshold"
HELD = "lock held"
RESTLESS = "MEMORY.md keeps changing"
FOREIGN_LOCK = "tmp/memory-compaction.lock"
"""Lock file with which another program marks its compaction. It is honoured here, but
never created.
"""
_GRACE_SECONDS = 600
"""Age from which on the lock file of the other program is considered stale."""
_ATTEMPTS = 3


class Ready(NamedTuple):
    """Run that passed all preconditions."""

    taken: Taken
    files: Files
    chosen: Selection
    still: Compacted
    """Statistics to report if the run does nothing after all."""


def compact(
    workspace: Workspace,
    memory: MemoryFiles,
    *,
    dry_run: bool = False,
    forced: bool = False,
    now: datetime | None = None,
) -> Compacted:
    """Merge old records. `forced` ignores the setting `compaction.enabled` and the
    thresholds, but no other check.

    Raises: ConfigurationError if no archive is configured; Locked, StorageError, with
    nothing changed.
    """
    if not forced and not workspace.settings.compaction.enabled:
        return Compacted(False, OFF)
    require_archive(workspace, memory)
    with contextlib.ExitStack() as stack:
        if not dry_run:
            try:
                stack.enter_context(running(memory, 0))
            except Locked:
                return _finish(workspace, memory, Compacted(False, HELD), dry_run)
        return _run(workspace, memory, now or local_now(), forced, dry_run)


def _run(
    workspace: Workspace,
    memory: MemoryFiles,
    now: datetime,
    forced: bool,
    dry_run: bool,
) -> Compacted:
    limits = limits_of(workspace)
    words: dict[tuple[str, ...], OwnWords] = {}
    still = Compacted(False, "")
    for _ in range(_ATTEMPTS):
        ready = _prepare(workspace, memory, limits, now, forced)
        if isinstance(ready, Compacted):
            return _finish(workspace, memory, ready, dry_run)
        still = ready.still
        key = tuple(row.id for row in ready.chosen.fresh)
        if key not in words:
            words[key] = own_words(
                workspace, ready.files, ready.chosen, limits, dry_run=dry_run
            )
        summary = words[key]
        plan = make_plan(
            ready.files,
            ready.chosen,
            limits,
            summary.facts,
            lambda texts: mask_value(texts, workspace),
        )
        if plan.reason:
            return _finish(
                workspace, memory, still._replace(reason=plan.reason), dry_run
            )
        check(workspace, ready, plan, limits, now)
        notes = (*summary.notes, *_over_target(ready, limits))
        done = figures_of(ready.files, ready.chosen, plan, summary.by, notes)
        if dry_run:
            texts = tuple(row.text for row in plan.made)
            return done._replace(
                ran=False, reason="dry run", dry_run=True, records=texts
            )
        if carry_out(memory, ready.taken, plan):
            memory.changed("compact")
            return log_compaction(workspace, memory, done, now)
    return _finish(workspace, memory, still._replace(reason=RESTLESS), dry_run)


def _over_target(ready: Ready, limits: Limits) -> Iterator[str]:
    """Yield a note if the records that stay alone exceed the target."""
    base = base_of(ready.files, ready.chosen)
    if base.records > limits.records or base.chars > limits.chars:
        yield (
            f"{base.records:,} records ({base.chars:,} characters) stay, because they are"
            " protected, recent or secret; the target is"
            f" {limits.records:,} records and {limits.chars:,} characters"
            " (compaction.target_records, compaction.target_chars)"
        )


def require_archive(workspace: Workspace, memory: MemoryFiles) -> None:
    """Raise ConfigurationError if no archive for the removed records is configured."""
    if not memory.archive:
        setter = setter_of("memory.archive", workspace.environ)
        raise ConfigurationError(
            f"{setter}: memory.archive is empty; compaction needs it for the originals",
            hint="name a file such as memory/MEMORY-archive.md",
        )


def limits_of(workspace: Workspace) -> Limits:
    """Return the limits of the files after a compaction."""
    settings = workspace.settings.compaction
    return Limits(
        settings.target_records,
        settings.target_chars,
        workspace.settings.memory.long_memory_chars,
    )


def is_held(memory: MemoryFiles, now: datetime) -> bool:
    """Return whether another program holds its compaction lock. A lock older than the
    grace period is stale.
    """
    found = memory.print(FOREIGN_LOCK)
    if found is None:
        return False
    return now.timestamp() - found.mtime_ns / 1e9 < _GRACE_SECONDS


def _prepare(
    workspace: Workspace,
    memory: MemoryFiles,
    limits: Limits,
    now: datetime,
    forced: bool,
) -> Ready | Compacted:
    """Return the run to make, or statistics with the reason why there is nothing to do.
    Raises: StorageError.
    """
    settings = workspace.settings.compaction
    taken = take(memory)
    text = text_of(taken.memory)
    chosen = select(text, now, settings.min_age_days)
    long_memory = text_of(taken.long_memory)
    count = len(chosen.kept) + len(chosen.gone)
    held = unchanged("", count, len(text), len(long_memory))
    if not forced and not is_over(held.records_before, held.chars_before, settings):
        return held._replace(reason=UNDER)
    files = Files(text, long_memory, "")
    if reason := obstacle(files, chosen, limits):
        return held._replace(reason=reason)
    if is_held(memory, now):
        return held._replace(reason=HELD)
    return Ready(
        taken, files._replace(archive=memory.text(memory.archive) or ""), chosen, held
    )


def check(
    workspace: Workspace, ready: Ready, plan: Plan, limits: Limits | None, now: datetime
) -> None:
    """Raise StorageError if a plan violates an invariant. Called before anything is
    written.
    """
    wrong = [*problems(ready.files, ready.chosen, plan, limits)]
    wrong += new_findings(workspace, plan, now)
    if not wrong:
        return
    more = ""
    if len(wrong) > 1:
        more = f", and {len(wrong) - 1:,} more"
    raise StorageError(
        f"compaction did not pass its checks: {wrong[0]}{more}",
        hint="nothing was changed",
    )


def new_findings(workspace: Workspace, plan: Plan, now: datetime) -> list[str]:
    """Return the problems that the integrity scan finds in the new records."""
    made = {row.id for row in plan.made}
    records = parse_records(plan.memory).records
    messages = []
    for each in find_findings(records, now, workspace.settings.memory.stale_days):
        is_new = each.record in made or each.other in made
        if is_new and each.severity != "info":
            messages.append(each.message)
    return messages


def _finish(
    workspace: Workspace, memory: MemoryFiles, done: Compacted, dry_run: bool
) -> Compacted:
    """Log the reason why a run did nothing, unless the reason is routine."""
    if done.reason in (HELD, PROTECTED, RESTLESS) and not dry_run:
        log_run(workspace, memory, done)
    return done._replace(dry_run=dry_run)


SUMMARISER = "summariser"


class OwnWords(NamedTuple):
    """Facts of the fresh records and their author."""

    facts: Sequence[Fact] | None
    """Facts; None leaves their extraction to the rules."""
    by: str = RULES
    notes: tuple[str, ...] = ()


def own_words(
    workspace: Workspace,
    files: Files,
    chosen: Selection,
    limits: Limits,
    *,
    dry_run: bool,
) -> OwnWords:
    """Ask the configured summariser command for the facts of the records to merge, if
    there is one.

    A dry run does not start it. Secrets are masked in the request and in the answer.
    """
    settings = workspace.settings.compaction
    if not settings.summariser or not chosen.fresh:
        return OwnWords(None)
    if dry_run:
        note = "dry run: merged by the rules, the summariser was not called"
        return OwnWords(None, RULES, (note,))
    try:
        facts = _ask_summariser(workspace, files, chosen, limits)
    except (StorageError, Invalid) as error:
        note = f"merged by the rules, because the summariser failed: {error.message}"
        return OwnWords(None, RULES, (note,))
    return OwnWords(facts, SUMMARISER)


def _ask_summariser(
    workspace: Workspace, files: Files, chosen: Selection, limits: Limits
) -> Sequence[Fact]:
    """Return the facts with which the summariser command answers. Raises: StorageError,
    Invalid.
    """

    def mask(text: str) -> str:
        masked: str = mask_value(text, workspace)
        return masked

    room = limits.chars - base_of(files, chosen).chars
    if room <= 0:  # all facts go to the long memory
        room = limits.long_chars
    records = []
    for row in chosen.fresh:
        record = {
            "id": row.id,
            "text": row.text,
            "category": row.category,
            "timestamp": row.timestamp,
        }
        records.append(record)
    request = {
        "records": mask_value(records, workspace),
        "maxChars": room,
    }
    settings = workspace.settings.compaction
    answer = ask(
        settings.summariser,
        request,
        settings.summariser_seconds,
        workspace.paths.root,
    )
    return facts_of_answer(answer, chosen.fresh, marks_of(files, chosen), room, mask)
