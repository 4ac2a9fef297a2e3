"""The text of a file without one record, and without what was merged from it."""

from __future__ import annotations

from dataclasses import replace

from cuedeck.memory.compaction.cutting import without
from cuedeck.model.record import Record
from cuedeck.parse.record import Line, format_record, parse_records, value_of


def holds(text: str, identity: str) -> str:
    """Say in words what a text holds of a record; empty when it holds nothing."""
    if not text:
        return ""
    lines = [line for line in parse_records(text).lines if line.record is not None and line.record.id == identity]
    if lines:
        return "the record" if len(lines) == 1 else f"the record, {len(lines)} times"
    return "merged from it" if without_record(text, identity) != text else ""


def without_record(text: str, identity: str) -> str:
    """Return the text of a file without a record: its lines, and the facts in merged records and in prose."""
    kept: list[str] = []
    prose: list[str] = []

    def flush() -> None:
        if prose:
            kept.append(without("\n".join(prose), [identity]))
            prose.clear()

    for line in parse_records(text).lines:
        if line.record is None:
            prose.append(line.text)
            continue
        flush()
        said = _cut(line, line.record, identity)
        if said is not None:
            kept.append(said)
    flush()
    return "\n".join(kept)


def _cut(line: Line, record: Record, identity: str) -> str | None:
    if record.id == identity:
        return None
    said = without(record.text, [identity])
    if said == record.text:
        return line.text
    if not said.strip():
        return None
    return format_record(value_of(replace(record, text=said)))
