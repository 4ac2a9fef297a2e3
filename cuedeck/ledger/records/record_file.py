"""Reader and writer of memory record files: a header, records as `- {json}` lines, and
free text between them.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Collection, Iterator
from typing import NamedTuple

from cuedeck.ledger.codecs import dump
from cuedeck.model.memory_record import DEFAULT_SENSITIVITY, Record
from cuedeck.model.ports import Json, JsonView
from cuedeck.text.plain_text import string_of

_BLANK = " \t\r\n\v\f\ufeff\xa0"
"""The characters of JavaScript's `trim` that occur in such files."""


class Line(NamedTuple):
    """One line of a record file."""

    text: str
    """The line without its newline; a carriage return is kept."""
    record: Record | None
    fault: str
    """The reason why a line that looks like a record is invalid; empty for records and
    prose.
    """


class RecordFile(NamedTuple):
    """The lines of a record file; joined with newlines they reproduce the file."""

    lines: tuple[Line, ...]

    @property
    def records(self) -> tuple[Record, ...]:
        """The records in line order."""
        return tuple(line.record for line in self.lines if line.record is not None)


def parse_records(text: str) -> RecordFile:
    """Parse a record file. Only `\\n` ends a line, because record texts may contain
    other line separators.
    """
    return RecordFile(tuple(_lines(text)))


def _lines(text: str) -> Iterator[Line]:
    for number, line in enumerate(text.split("\n"), 1):
        yield parse_line(line, number)


def without_records(file: RecordFile, gone: Collection[str]) -> RecordFile:
    """Return the file with the records whose id is in `gone` marked as invalid
    lines.
    """
    if not gone or not any(record.id in gone for record in file.records):
        return file
    return RecordFile(
        tuple(
            line._replace(record=None, fault="a deleted record")
            if line.record is not None and line.record.id in gone
            else line
            for line in file.lines
        )
    )


def parse_line(line: str, number: int = 0) -> Line:
    """Parse one line of a record file."""
    trimmed = line.strip(_BLANK)
    if not trimmed.startswith("- "):
        return Line(line, None, _near_miss(trimmed))
    body = trimmed[2:].lstrip(_BLANK)
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        # A Markdown bullet with prose is not a broken record.
        return Line(
            line,
            None,
            "broken JSON" if body.startswith("{") else _near_miss(body),
        )
    if not isinstance(value, dict):
        return Line(line, None, "not a JSON object")
    record, fault = _record(value, body, number)
    return Line(line, record, fault)


def _near_miss(text: str) -> str:
    return (
        "not the shape of a record" if "{" in text and _OF_A_RECORD.search(text) else ""
    )


_OF_A_RECORD = re.compile(r"\"(?:text|provenance|sensitivity|sessionId)\"\s*:")


def _record(value: JsonView, body: str, number: int) -> tuple[Record | None, str]:
    text = value.get("text")
    if not isinstance(text, str):
        return None, "no text"
    provenance = value.get("provenance")
    origin: JsonView = {}
    if isinstance(provenance, dict):
        origin = provenance
    confidence = origin.get("confidence")
    identity = string_of(value.get("id"))
    return Record(
        # A record without an id is identified by the hash of its JSON.
        id=identity
        or hashlib.sha256(body.encode("utf-8", "surrogatepass")).hexdigest()[:12],
        text=text,
        category=string_of(value.get("category")) or "note",
        session=string_of(value.get("sessionId")),
        channel=string_of(origin.get("sourceChannel")),
        confidence=confidence
        if isinstance(confidence, (int, float)) and not isinstance(confidence, bool)
        else 1,
        timestamp=string_of(origin.get("timestamp")),
        sensitivity=_label(origin.get("sensitivity")),
        value=value,
        line=number,
    ), ""


def _label(value: object) -> str:
    return (
        value or DEFAULT_SENSITIVITY
        if value is None or isinstance(value, str)
        else dump(value)
    )


def format_record(value: JsonView) -> str:
    """Return the line of a record without its newline, with JSON as `JSON.stringify`
    writes it.
    """
    return "- " + dump(value)


def value_of(record: Record) -> Json:
    """Return the JSON object of a record: its source object updated with the current
    fields, known keys first.
    """
    provenance = record.value.get("provenance")
    kept: JsonView = provenance if isinstance(provenance, dict) else {}
    origin = {
        "sourceChannel": record.channel,
        "confidence": record.confidence,
        "timestamp": record.timestamp,
        "sensitivity": record.sensitivity,
    }
    own = {
        "id": record.id,
        "sessionId": record.session,
        "category": record.category,
        "text": record.text,
    }
    rest = {
        key: each
        for key, each in record.value.items()
        if key not in own and key != "provenance"
    }
    return {**own, "provenance": {**kept, **origin}, **rest}
