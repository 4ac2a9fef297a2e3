"""What must be true of a plan before anything is written, whatever made it."""

from __future__ import annotations

from collections.abc import Iterator

from cuedeck.memory.compaction.archived import look_up
from cuedeck.memory.compaction.gather import Files, facts_of_digest
from cuedeck.memory.compaction.marks import Marks
from cuedeck.memory.compaction.plan import Limits, Plan
from cuedeck.memory.compaction.select import Selection


def problems(files: Files, chosen: Selection, plan: Plan, limits: Limits | None) -> Iterator[str]:
    """Yield what is wrong with a plan; nothing when it may be carried out. Without limits no size is asked for."""
    yield from _lines(chosen, plan)
    yield from _archive(files, chosen, plan)
    records, chars = plan.counted.records, len(plan.memory)
    if limits is not None:
        if records > limits.records or chars > limits.chars:
            yield "MEMORY.md would be over its target"
        if len(plan.long_memory) > max(limits.long_chars, len(files.long_memory)):
            yield "the long memory would be over its limit"
    if records >= len(chosen.kept) + len(chosen.gone) and chars >= len(files.memory):
        yield "MEMORY.md would not become smaller"


def _lines(chosen: Selection, plan: Plan) -> Iterator[str]:
    """Compare what stays: recent, protected and secret records, and all that a person wrote."""
    gone = {row.at for row in chosen.gone}
    merged = frozenset(plan.lines)
    kept = [line for at, line in enumerate(chosen.lines) if at not in gone and line not in merged]
    if kept != [line for line in plan.memory.split("\n") if line not in merged]:
        yield "a line that must stay would change"


def _archive(files: Files, chosen: Selection, plan: Plan) -> Iterator[str]:
    """Look for all that leaves MEMORY.md in the archive as it will be."""
    marks = Marks(())
    digested = {row.at: facts_of_digest(row, marks) for row in plan.removed if row.is_digest}
    wanted = [mark for facts in digested.values() for fact in facts for mark in fact.sources]
    added = frozenset(each.line for each in plan.archive)
    archived = look_up(files.archive, frozenset(row.id for row in plan.removed), wanted)
    for row in plan.removed:
        line = chosen.lines[row.at].removesuffix("\r")
        if line in added or line in archived.lines:
            continue
        if not all(archived.says(fact.sources, fact.text) for fact in digested.get(row.at, ())) or not row.is_digest:
            yield f"record {row.id} would be lost"
