"""Promotions as records of MEMORY.md and as lines of the ledger of promotions."""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Collection, Iterator, Mapping, Sequence
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
    keys: tuple[str, ...]
    """Keys of the recalled texts that state the fact."""
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


def passage_id(key: str) -> str:
    """Return the id of the record of a passage.

    It depends on the key of the passage alone, so that a second promotion of the
    passage, also after its deletion, is recognised.
    """
    digest = hashlib.sha256(f"promoted {key}".encode()).hexdigest()
    return str(uuid.UUID(hex=digest[:32]))


def with_promotions(text: str, promotions: Sequence[Promotion], header: str) -> str:
    """Return the text of MEMORY.md with promoted records.

    A record in the file is marked in its line; any other is appended. A marked record
    stays as it is, so that a repetition changes nothing. All other lines stay.
    """
    wanted = {each.record.id: each for each in promotions}
    lines = text.split("\n")
    for at, line in enumerate(lines):
        identity = _wanted_id(line, wanted)
        if identity:
            promotion = wanted.pop(identity)
            lines[at] = _marked(line, promotion)
    changed = "\n".join(lines)
    if not wanted:
        return changed
    if not changed.strip():
        changed = header
    if not changed.endswith("\n"):
        changed += "\n"
    for promotion in wanted.values():
        value = _value(promotion.record, promotion)
        changed += format_record(value)
        changed += "\n"
    return changed


def _wanted_id(line: str, wanted: Mapping[str, Promotion]) -> str:
    """Return the id of the record in a line if it is wanted, else an empty text."""
    if not line.lstrip(" \t\ufeff").startswith("- {"):
        return ""
    # Parsing is slow. The id of a line without one is derived from its text.
    is_named = any(identity in line for identity in wanted)
    if not is_named and '"id"' in line:
        return ""
    record = parse_line(line).record
    return record.id if record is not None and record.id in wanted else ""


def _marked(line: str, promotion: Promotion) -> str:
    record = parse_line(line).record
    if record is None or record.is_promoted:
        return line
    ending = "\r" if line.endswith("\r") else ""
    indent = line[: len(line) - len(line.lstrip(" \t\ufeff"))]
    return indent + format_record(_value(record, promotion)) + ending


def _value(record: Record, promotion: Promotion) -> dict[str, Any]:
    value = {**record.value, PROMOTED: promotion.mark}
    return value_of(replace(record, value=value))


def ledger_lines(promotions: Sequence[Promotion]) -> str:
    """Return the lines of the ledger for promotions, one for each key."""
    lines = []
    for each in promotions:
        for key in each.keys:
            row: dict[str, object] = {
                "id": each.record.id,
                "timestamp": each.date,
                "key": key,
                "source": each.source,
                "score": each.score,
                "recalls": each.recalls,
                "days": each.days,
                "queries": each.queries,
            }
            lines.append(json.dumps(row, ensure_ascii=False) + "\n")
    return "".join(lines)


def ledger_keys(text: str) -> Iterator[tuple[str, str]]:
    """Yield key and record id of each promotion in the ledger; other lines are
    ignored.
    """
    for line in text.split("\n"):
        row = _row(line)
        key, identity = row.get("key"), row.get("id")
        if isinstance(key, str) and isinstance(identity, str):
            yield key, identity


def ledger_promotions(text: str, records: Mapping[str, Record]) -> list[Promotion]:
    """Return the promotions of some records, by id, in the ledger; the first of each
    record. Lines without counts are ignored.
    """
    promotions: dict[str, Promotion] = {}
    for line in text.split("\n"):
        row = _row(line)
        identity = row.get("id")
        if not isinstance(identity, str) or identity not in records:
            continue
        promotion = _read_promotion(row, records[identity])
        if promotion is not None:
            promotions.setdefault(identity, promotion)
    return list(promotions.values())


def _read_promotion(row: Mapping[str, Any], record: Record) -> Promotion | None:
    match row:
        case {
            "key": str(key),
            "source": str(source),
            "score": int(score) | float(score),
            "recalls": int(recalls),
            "days": int(days),
            "queries": int(queries),
            "timestamp": str(date),
        } if 0 <= score <= 1:
            return Promotion(
                record, (key,), source, score, recalls, days, queries, date
            )
    return None


def ledger_without(text: str, ids: Collection[str]) -> str:
    """Return the ledger without the promotions of some records, and without malformed
    lines that name them.
    """
    kept = []
    for line in text.split("\n"):
        identity = _row(line).get("id")
        is_valid = isinstance(identity, str)
        if is_valid and identity in ids:
            continue
        if not is_valid and any(each in line for each in ids):
            continue
        kept.append(line)
    return "\n".join(kept)


def _row(line: str) -> Mapping[str, Any]:
    try:
        row = json.loads(line or "{}")
    except (ValueError, RecursionError):
        return {}
    return row if isinstance(row, dict) else {}
