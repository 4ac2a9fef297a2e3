"""Promotions as records of MEMORY.md and as lines of the ledger of promotions."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from cuedeck.ledger.records.record_file import format_record, parse_line, value_of
from cuedeck.model.memory_record import PROMOTED, Record

CHANNEL = "dream"
"""`sourceChannel` of a record that was made of a passage."""


@dataclass(frozen=True, slots=True)
class Promotion:
    """One promoted fact."""

    record: Record
    """Record as it is added to MEMORY.md if it is not there."""
    source: str
    """Path and lines of the text in a daily log, else the address of the record."""
    score: float
    recalls: int
    days: int
    queries: int
    date: str

    @property
    def mark(self) -> dict[str, Any]:
        """Value of the key `promoted` of the record."""
        return {
            "source": self.source,
            "score": self.score,
            "recalls": self.recalls,
            "days": self.days,
            "queries": self.queries,
            "date": self.date,
        }


def with_promotions(text: str, promotions: Sequence[Promotion], header: str) -> str:
    """Return the text of MEMORY.md with promoted records.

    A record in the file is marked in its line; any other is appended. A marked record
    stays as it is, so that a repetition changes nothing. All other lines stay.
    """
    wanted = {each.record.id: each for each in promotions}
    lines = text.split("\n")
    for at, line in enumerate(lines):
        record = _record_in(line)
        promotion = wanted.pop(record.id, None) if record is not None else None
        if record is None or promotion is None or record.is_promoted:
            continue
        ending = "\r" if line.endswith("\r") else ""
        indent = line[: len(line) - len(line.lstrip(" \t\ufeff"))]
        lines[at] = f"{indent}{_format(record, promotion)}{ending}"
    changed = "\n".join(lines)
    if not wanted:
        return changed
    if not changed.strip():
        changed = header
    if not changed.endswith("\n"):
        changed += "\n"
    for promotion in wanted.values():
        changed += f"{_format(promotion.record, promotion)}\n"
    return changed


def _record_in(line: str) -> Record | None:
    if not line.lstrip(" \t\ufeff").startswith("- {"):
        return None
    return parse_line(line).record


def _format(record: Record, promotion: Promotion) -> str:
    value = {**record.value, PROMOTED: promotion.mark}
    return format_record(value_of(replace(record, value=value)))


def ledger_lines(promotions: Sequence[Promotion]) -> str:
    """Return the lines of the ledger for promotions."""
    lines = []
    for each in promotions:
        row = {"id": each.record.id, "timestamp": each.date, "score": each.score}
        lines.append(json.dumps(row, ensure_ascii=False) + "\n")
    return "".join(lines)


def promoted_ids(ledger: str) -> set[str]:
    """Return the ids of the records in the ledger; malformed lines are ignored."""
    ids = {str(_row(line).get("id", "")) for line in ledger.split("\n")}
    return ids - {""}


def ledger_without(text: str, ids: Collection[str]) -> str:
    """Return the ledger without the promotions of some records, and without malformed
    lines that name them.
    """
    kept = []
    for line in text.split("\n"):
        named = _row(line).get("id")
        is_gone = named in ids if named else any(each in line for each in ids)
        if not is_gone:
            kept.append(line)
    return "\n".join(kept)


def _row(line: str) -> Mapping[str, Any]:
    try:
        row = json.loads(line or "{}")
    except (ValueError, RecursionError):
        return {}
    if not isinstance(row, dict) or not isinstance(row.get("id", ""), str):
        return {}
    return row
