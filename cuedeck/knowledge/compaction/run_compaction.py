"""Compaction: merges old records of MEMORY.md and moves the older facts to the long
memory.

Order: check that it is enabled and a threshold is reached; find records in scope; check
that no other program compacts; make the plan; write it; log the statistics. Only
another compaction waits for all of it; records added meanwhile stay after the merged
ones. No checkpoint has to be flushed: every acknowledged record is on disk.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any, NamedTuple

from cuedeck.engine.mask_answers import mask_value
from cuedeck.knowledge.compaction.apply_plan import carry_out, read_files
from cuedeck.knowledge.compaction.compaction_stats import (
    RULES,
    Compacted,
    figures_of,
    log_compaction,
)
from cuedeck.knowledge.compaction.plan import (
    PROTECTED,
    Files,
    Limits,
    Plan,
    base_of,
    is_over_target,
    joint_fact,
    make_plan,
    obstacle,
    size_of,
)
from cuedeck.knowledge.compaction.select_records import Row, Selection, select
from cuedeck.knowledge.memory.due_jobs import is_over
from cuedeck.ledger.records.fact import Fact, plain_text
from cuedeck.ledger.records.memory_files import MemoryFiles
from cuedeck.ledger.records.record_file import parse_line
from cuedeck.model.errors import ConfigurationError, Invalid, StorageError
from cuedeck.parse.settings_file import setter_of
from cuedeck.store.clock import local_now
from cuedeck.store.files.external_command import ask_summariser
from cuedeck.store.files.file_lock import locked

if TYPE_CHECKING:
    from datetime import datetime

    from cuedeck.engine.workspace import Workspace


OFF = "off"
UNDER = "under threshold"
HELD = "lock held"
FOREIGN_LOCK = "tmp/memory-compaction.lock"
"""Lock file with which another program marks its compaction. It is honoured here, but
never created.
"""
_GRACE_SECONDS = 600
"""Age from which on the lock file of the other program is considered stale."""


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
    settings = workspace.settings.compaction
    if not forced and not settings.enabled:
        return Compacted(False, OFF)
    if not memory.archive:
        setter = setter_of("memory.archive", workspace.environ)
        raise ConfigurationError(
            f"{setter}: memory.archive is empty; compaction needs it for the originals",
            hint="name a file such as memory/MEMORY-archive.md",
        )
    now = now or local_now()
    name = f"compaction-{memory.profile.id}"
    with nullcontext() if dry_run else locked(memory.workspace, name):
        files = read_files(memory)
        chosen = select(files.memory, now, settings.min_age_days)
        size = size_of(files, chosen)
        if not forced and not is_over(size, settings):
            return figures_of(files, size)._replace(reason=UNDER, dry_run=dry_run)
        done, plan = _plan(workspace, memory, files, chosen, now=now, dry_run=dry_run)
        if done.ran:
            carry_out(memory, files, plan)
    if not dry_run and (done.ran or done.reason in (HELD, PROTECTED)):
        log_compaction(workspace, memory, done, now)
    return done


def _plan(
    workspace: Workspace,
    memory: MemoryFiles,
    files: Files,
    chosen: Selection,
    *,
    now: datetime,
    dry_run: bool,
) -> tuple[Compacted, Plan]:
    settings = workspace.settings.compaction
    limits = Limits(
        settings.target_records,
        settings.target_chars,
        workspace.settings.memory.long_memory_chars,
    )
    skipped = figures_of(files, size_of(files, chosen))._replace(dry_run=dry_run)
    reason = obstacle(files, chosen, limits)
    if reason or is_held(memory, now):
        reason = reason or HELD
        return skipped._replace(reason=reason), Plan(reason)
    base = base_of(files, chosen)
    # Without room in MEMORY.md, all facts go to the long memory.
    room = limits.chars - base.chars
    room = room if room > 0 else limits.long_chars
    words = own_words(workspace, chosen.fresh, room, dry_run)
    plan = make_plan(
        files, chosen, limits, words.facts, lambda texts: mask_value(texts, workspace)
    )
    if plan.reason:
        return skipped._replace(reason=plan.reason), plan
    notes = words.notes
    if is_over_target(base, limits):
        stay = f"{base.records:,} records ({base.chars:,} characters) stay"
        target = f"{limits.records:,} records and {limits.chars:,} characters"
        reason = "because they are protected, recent or secret; the target is"
        keys = "(compaction.target_records, compaction.target_chars)"
        notes = (*notes, f"{stay}, {reason} {target} {keys}")
    done = skipped.with_plan(plan, words.by, notes)
    if dry_run:
        made = (parse_line(line).record for line in plan.made)
        texts = tuple(record.text for record in made if record is not None)
        done = done._replace(ran=False, reason="dry run", records=texts)
    return done, plan


def is_held(memory: MemoryFiles, now: datetime) -> bool:
    """Return whether another program holds its compaction lock. A lock older than the
    grace period is stale.
    """
    found = memory.print(FOREIGN_LOCK)
    if found is None:
        return False
    return now.timestamp() - found.mtime_ns / 1e9 < _GRACE_SECONDS


SUMMARISER = "summariser"
_HINT = "the facts must cover every id of the request and no other id"


class OwnWords(NamedTuple):
    """Facts of the fresh records and their author."""

    facts: Sequence[Fact] | None = None
    """Facts; None leaves their extraction to the rules."""
    by: str = RULES
    notes: tuple[str, ...] = ()


def own_words(
    workspace: Workspace, fresh: Sequence[Row], room: int, dry_run: bool
) -> OwnWords:
    """Ask the configured summariser command, if there is one, for the facts of the
    records to merge, in at most `room` characters.

    A dry run does not start it. Secrets are masked in the request and in the answer.
    """
    if not workspace.settings.compaction.summariser or not fresh:
        return OwnWords()
    if dry_run:
        note = "dry run: merged by the rules, the summariser was not called"
        return OwnWords(notes=(note,))
    try:
        records = [
            {
                "id": row.id,
                "text": row.record.text,
                "category": row.record.category,
                "timestamp": row.record.timestamp,
            }
            for row in fresh
        ]
        request = {"records": mask_value(records, workspace), "maxChars": room}
        settings = workspace.settings.compaction
        answer = ask_summariser(
            settings.summariser,
            request,
            settings.summariser_seconds,
            workspace.paths.root,
        )
        facts = facts_of_answer(answer, fresh, room)
    except (StorageError, Invalid) as error:
        note = f"merged by the rules, because the summariser failed: {error.message}"
        return OwnWords(notes=(note,))
    return OwnWords(facts, SUMMARISER)


def facts_of_answer(answer: object, rows: Sequence[Row], chars: int) -> list[Fact]:
    """Return the facts in a command's answer for some records: `{"facts": [{"text",
    "ids"}]}`.

    Raises: Invalid if the answer is too long, empty, or does not cite exactly the given
    records.
    """
    listed = answer.get("facts") if isinstance(answer, Mapping) else None
    if not isinstance(listed, list) or not listed:
        raise Invalid(
            "it contains no facts", hint='{"facts": [{"text": "…", "ids": ["…"]}]}'
        )
    known = {row.id: row for row in rows}
    facts: list[Fact] = []
    missing = dict.fromkeys(known)
    for entry in listed:
        text, ids = _read_fact(entry, known)
        facts.append(joint_fact(text, [known[identity] for identity in ids]))
        for identity in ids:
            missing.pop(identity, None)
    if missing:
        first = next(iter(missing))
        problem = f"no fact covers {len(missing)} records, first of `{first}`"
        raise Invalid(problem, hint=_HINT)
    length = sum(len(fact.text) for fact in facts)
    if length > chars:
        problem = f"its facts have {length:,} characters, the limit is {chars:,}"
        raise Invalid(problem, hint="maxChars of the request")
    return facts


def _read_fact(entry: Any, known: Mapping[str, Row]) -> tuple[str, list[str]]:
    fields = entry if isinstance(entry, Mapping) else {}
    text = fields.get("text")
    ids = fields.get("ids")
    if not isinstance(text, str) or not plain_text(text):
        raise Invalid("a fact has no text", hint=_HINT)
    if not isinstance(ids, list) or not ids:
        raise Invalid("a fact has no ids", hint=_HINT)
    for identity in ids:
        if identity not in known:
            raise Invalid(f"a fact has an unknown id: `{identity}`", hint=_HINT)
    return text, list(dict.fromkeys(ids))
