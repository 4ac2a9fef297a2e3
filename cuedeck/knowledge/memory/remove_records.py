"""Removal of records from the text of a file, including the facts merged from them."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import NamedTuple

from cuedeck.ledger.records.fact import Marked
from cuedeck.ledger.records.merged_text import facts_of, without
from cuedeck.ledger.records.record_file import (
    Line,
    format_record,
    parse_records,
    value_of,
)
from cuedeck.model.memory_record import CHECKPOINT_TEXT, Record
from cuedeck.model.record_categories import COMPACTION


class Sources(NamedTuple):
    """The records that a compaction record was merged from."""

    ids: tuple[str, ...] = ()
    """Ids of the named sources that are known."""
    total: int = 0
    """Number of all sources, named and known or not."""


def sources_of(record: Record, known: Iterable[str]) -> Sources:
    """Return the sources of a compaction record among the known ids; empty for any
    other record.

    A mark that matches several ids is ignored, so that nothing is forgotten by
    accident.
    """
    if record.category != COMPACTION or record.text == CHECKPOINT_TEXT:
        return Sources()
    marks: dict[str, None] = {}
    more = 0
    for fact, _ in facts_of(record.text):
        marks.update(dict.fromkeys(fact.sources))
        more += fact.more
    others = (identity for identity in known if identity != record.id)
    ids = Marked(others).named_by(marks)
    return Sources(tuple(ids), len(marks) + more)


def records_named_in(text: str, ids: Collection[str]) -> str:
    """Describe the records, or facts of records, that a text contains; empty if there
    are none.
    """
    if not text:
        return ""
    records = (line.record for line in parse_records(text).lines)
    found = []
    for record in records:
        if record is not None and record.id in ids:
            found.append(record.id)
    distinct = set(found)
    is_one = len(ids) == 1
    if not found:
        if without_records(text, ids) == text:
            return ""
        return "merged from it" if is_one else "merged from them"
    label = "the record"
    if not is_one:
        label = f"{len(distinct):,} of the records"
    if len(found) == len(distinct):
        return label
    return f"{label}, {len(found)} times"


def without_merged(text: str, identity: str) -> str:
    """Return the text of a file without the facts merged from a record; its own lines
    stay.
    """
    return _without(text, (identity,), are_lines_kept=True)


def without_records(text: str, ids: Collection[str]) -> str:
    """Return the text of a file without some records: their lines, and facts in merged
    records and prose.
    """
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
            if are_lines_kept or not _is_fragment(line, ids):
                prose.append(line.text)
            continue
        flush()
        is_kept = are_lines_kept and line.record.id in ids
        remaining = line.text if is_kept else _redact(line, line.record, ids)
        if remaining is not None:
            kept.append(remaining)
    flush()
    return "\n".join(kept)


def _is_fragment(line: Line, ids: Collection[str]) -> bool:
    """Return whether a line is a malformed record that contains one of the ids."""
    if not line.fault:
        return False
    return any(identity in line.text for identity in ids)


def _redact(line: Line, record: Record, ids: Collection[str]) -> str | None:
    """Return the line of a record without facts from some records; None if nothing
    remains.
    """
    if record.id in ids:
        return None
    text = without(record.text, ids)
    if text == record.text:
        return line.text
    if not text.strip():
        return None
    return format_record(value_of(replace(record, text=text)))
