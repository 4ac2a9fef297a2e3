"""Compaction: merges old records of MEMORY.md and moves the older facts to the long
memory.

Order: check that it is enabled and a threshold is reached; find records in scope; check
that no other program compacts; make the plan; write it; log the statistics. Only the
writing needs the lock. Records added meanwhile stay after the merged ones. No
checkpoint has to be flushed: every acknowledged record is on disk.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from cuedeck.engine.mask_answers import mask_value
from cuedeck.knowledge.compaction.apply_plan import carry_out, read_files
from cuedeck.knowledge.compaction.compaction_stats import (
    RULES,
    Compacted,
    figures_of,
    log_compaction,
    log_run,
)
from cuedeck.knowledge.compaction.plan import (
    PROTECTED,
    Limits,
    base_of,
    make_plan,
    obstacle,
)
from cuedeck.knowledge.compaction.select_records import Row, select
from cuedeck.knowledge.memory.due_jobs import is_over
from cuedeck.ledger.records.fact import Fact, mark_of, plain_text
from cuedeck.ledger.records.memory_files import MemoryFiles, Size
from cuedeck.model.errors import ConfigurationError, Invalid, StorageError
from cuedeck.model.memory_record import strictest
from cuedeck.parse.settings_file import setter_of
from cuedeck.store.clock import local_now
from cuedeck.store.files.external_command import ask_summariser

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from cuedeck.engine.workspace import Workspace


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
    require_archive(workspace.environ, memory)
    now = now or local_now()
    done = _run(
        workspace,
        memory,
        now,
        forced,
        dry_run,
    )
    if dry_run:
        return done._replace(dry_run=True)
    if done.reason in (HELD, PROTECTED, RESTLESS):
        log_run(workspace, memory, done)
    return done


def _run(
    workspace: Workspace,
    memory: MemoryFiles,
    now: datetime,
    forced: bool,
    dry_run: bool,
) -> Compacted:
    settings = workspace.settings.compaction
    limits = Limits(
        settings.target_records,
        settings.target_chars,
        workspace.settings.memory.long_memory_chars,
    )
    for _ in range(_ATTEMPTS):
        files = read_files(memory)
        chosen = select(files.memory, now, settings.min_age_days)
        skipped = figures_of(files, chosen)
        size = Size(skipped.records_before, skipped.chars_before)
        if not forced and not is_over(size, settings):
            return skipped._replace(reason=UNDER)
        if reason := obstacle(files, chosen, limits):
            return skipped._replace(reason=reason)
        if is_held(memory, now):
            return skipped._replace(reason=HELD)
        base = base_of(files, chosen)
        # If the records that stay exceed the target, all others leave MEMORY.md.
        reachable = Limits(
            max(limits.records, base.records),
            max(limits.chars, base.chars),
            limits.long_chars,
        )
        room = reachable.chars - base.chars
        if room <= 0:  # all facts go to the long memory
            room = limits.long_chars
        words = own_words(workspace, chosen.fresh, room, dry_run)
        plan = make_plan(
            files,
            chosen,
            reachable,
            words.facts,
            lambda texts: mask_value(texts, workspace),
        )
        if plan.reason:
            return skipped._replace(reason=plan.reason)
        notes = (*words.notes, *_over_target(base, limits))
        done = skipped.with_plan(plan, words.by, notes)
        if dry_run:
            return done.as_dry_run(plan)
        if carry_out(memory, files, plan):
            memory.changed("compact")
            return log_compaction(workspace, memory, done, now)
    return skipped._replace(reason=RESTLESS)


def _over_target(base: Limits, limits: Limits) -> Iterator[str]:
    if base.records > limits.records or base.chars > limits.chars:
        yield (
            f"{base.records:,} records ({base.chars:,} characters) stay, because they are"
            " protected, recent or secret; the target is"
            f" {limits.records:,} records and {limits.chars:,} characters"
            " (compaction.target_records, compaction.target_chars)"
        )


def require_archive(environ: Mapping[str, str], memory: MemoryFiles) -> None:
    """Raise ConfigurationError if no archive for the removed records is configured."""
    if not memory.archive:
        setter = setter_of("memory.archive", environ)
        raise ConfigurationError(
            f"{setter}: memory.archive is empty; compaction needs it for the originals",
            hint="name a file such as memory/MEMORY-archive.md",
        )


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
        facts = _ask_summariser(workspace, fresh, room)
    except (StorageError, Invalid) as error:
        note = f"merged by the rules, because the summariser failed: {error.message}"
        return OwnWords(notes=(note,))
    return OwnWords(facts, SUMMARISER)


def _ask_summariser(
    workspace: Workspace, fresh: Sequence[Row], room: int
) -> list[Fact]:
    """Return the facts with which the summariser command answers. Raises: StorageError,
    Invalid.
    """

    def mask(text: str) -> str:
        masked: str = mask_value(text, workspace)
        return masked

    records = []
    for row in fresh:
        record = {
            "id": row.id,
            "text": row.record.text,
            "category": row.record.category,
            "timestamp": row.record.timestamp,
        }
        records.append(record)
    request = {"records": mask_value(records, workspace), "maxChars": room}
    settings = workspace.settings.compaction
    answer = ask_summariser(
        settings.summariser, request, settings.summariser_seconds, workspace.paths.root
    )
    return facts_of_answer(answer, fresh, room, mask)


def facts_of_answer(
    answer: object, rows: Sequence[Row], chars: int, mask: Callable[[str], str]
) -> list[Fact]:
    """Return the facts in a command's answer for some records: `{"facts": [{"text",
    "ids"}]}`.

    Secrets are masked. Raises: Invalid if the answer is too long, empty, or does not
    cite exactly the given records.
    """
    listed = None
    if isinstance(answer, Mapping):
        listed = answer.get("facts")
    if not isinstance(listed, list) or not listed:
        raise Invalid(
            "it contains no facts", hint='{"facts": [{"text": "…", "ids": ["…"]}]}'
        )
    known = {row.id: row for row in rows}
    facts: list[Fact] = []
    covered: set[str] = set()
    for entry in listed:
        text, ids = _read_fact(entry, known)
        covered.update(ids)
        facts.append(_joint_fact(mask(text), [known[identity] for identity in ids]))
    missing = [identity for identity in known if identity not in covered]
    if missing:
        raise Invalid(
            f"no fact covers {len(missing)} records, first of `{missing[0]}`",
            hint=_HINT,
        )
    length = sum(len(fact.text) for fact in facts)
    if length > chars:
        raise Invalid(
            f"its facts have {length:,} characters, the limit is {chars:,}",
            hint="maxChars of the request",
        )
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


def _joint_fact(text: str, rows: Iterable[Row]) -> Fact:
    records = [row.record for row in rows]
    return Fact(
        text=plain_text(text),
        sources=tuple(mark_of(record.id) for record in records),
        day=max(row.day for row in rows),
        sensitivity=strictest(record.sensitivity for record in records),
        category=records[-1].category,
        is_joint=len(records) > 1,
    )
