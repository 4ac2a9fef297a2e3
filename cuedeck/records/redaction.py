"""Removal of records from the text of a file, including the facts merged from them."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import NamedTuple

from cuedeck.model.memory_record import CHECKPOINT_TEXT, COMPACTION, Record
from cuedeck.parse.record_file import Line, format_record, parse_records, value_of
from cuedeck.records.compaction.compaction_record import parse_digest
from cuedeck.records.compaction.fact_removal import without
from cuedeck.records.compaction.short_ids import SHORTEST, names


class Sources(NamedTuple):
    """The records that a compaction record was merged from."""

    ids: tuple[str, ...] = ()
    """Ids of the named sources that are known."""
    total: int = 0
    """Number of all sources, named and known or not."""


def sources_of(record: Record, known: Iterable[str]) -> Sources:
    """Return the sources of a compaction record among the known ids; empty for any other record.

    A mark that matches several ids is ignored, so that nothing is forgotten by accident.
    """
    if record.category != COMPACTION or record.text == CHECKPOINT_TEXT:
        return Sources()
    facts = parse_digest(record.text, "", "", "", "")
    marks = dict.fromkeys(mark for fact in facts for mark in fact.sources if mark)
    others = [each for each in known if each != record.id]
    by_start: dict[str, list[str]] = {}
    for each in others:
        by_start.setdefault(each[:SHORTEST], []).append(each)
    fitting = [
        [each for each in (others if mark[0] in "=~" else by_start.get(mark[:SHORTEST], ())) if names(mark, each)]
        for mark in marks
    ]
    ids = tuple(dict.fromkeys(fits[0] for fits in fitting if len(fits) == 1))
    return Sources(ids, len(marks) + sum(fact.more for fact in facts))


def records_named_in(text: str, ids: Collection[str]) -> str:
    """Describe what a text contains of some records; empty if nothing."""
    if not text:
        return ""
    lines = [line.record.id for line in parse_records(text).lines if line.record is not None and line.record.id in ids]
    if not lines:
        return ("merged from it" if len(ids) == 1 else "merged from them") if without_records(text, ids) != text else ""
    what = "the record" if len(ids) == 1 else f"{len(set(lines)):,} of the records"
    return what if len(lines) == len(set(lines)) else f"{what}, {len(lines)} times"


def without_merged(text: str, identity: str) -> str:
    """Return the text of a file without the facts merged from a record; its own lines stay."""
    return _without(text, (identity,), are_lines_kept=True)


def without_records(text: str, ids: Collection[str]) -> str:
    """Return the text of a file without some records: their lines, and facts in merged records and prose."""
    return _without(text, ids, are_lines_kept=False)


def _without(text: str, ids: Collection[str], *, are_lines_kept: bool) -> str:
    kept: list[str] = []
    prose: list[str] = []

    def flush() -> None:
        if prose:
            kept.append(without("\n".join(prose), ids))
            prose.clear()

    for line in parse_records(text).lines:
        if line.record is None:
            # A truncated record line may still contain text that must be removed.
            if are_lines_kept or not (line.fault and any(each in line.text for each in ids)):
                prose.append(line.text)
            continue
        flush()
        is_kept = are_lines_kept and line.record.id in ids
        said = line.text if is_kept else _cut(line, line.record, ids)
        if said is not None:
            kept.append(said)
    flush()
    return "\n".join(kept)


def _is_of(line: Line, identity: str) -> bool:
    """Return whether a line belongs to a record; a truncated record line counts if it contains the id."""
    return line.record.id == identity if line.record is not None else bool(line.fault) and identity in line.text


def _cut(line: Line, record: Record, ids: Collection[str]) -> str | None:
    if record.id in ids:
        return None
    said = without(record.text, ids)
    if said == record.text:
        return line.text
    if not said.strip():
        return None
    return format_record(value_of(replace(record, text=said)))
