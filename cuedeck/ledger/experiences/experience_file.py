"""Reader and writer of experiences.jsonl, and an importer of the experience store of
CursorClaw.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from cuedeck.ledger.codecs import parse_log
from cuedeck.ledger.records.record_file import dump
from cuedeck.model.diagnostic import Diagnostic
from cuedeck.model.experience import Experience
from cuedeck.model.ledger_entry import LedgerEntry
from cuedeck.model.memory_record import DEFAULT_SENSITIVITY
from cuedeck.text.json_text import string_of


class ExperienceFile(NamedTuple):
    """The parsed content of experiences.jsonl."""

    experiences: tuple[Experience, ...]
    """The experiences in line order; the last line of an id wins."""
    faults: tuple[Diagnostic, ...]


def parse_experiences(data: bytes, path: str) -> ExperienceFile:
    """Parse experiences.jsonl. An invalid line becomes a diagnostic and does not hide
    the other lines.
    """
    ledger = parse_log(data, path)
    found: dict[str, Experience] = {}
    faults = list(ledger.faults)
    for entry in ledger.entries:
        text = entry.value.get("text")
        if isinstance(text, str) and text.strip():
            found.pop(entry.id, None)
            found[entry.id] = _experience(entry, text)
        else:
            hint = "remove the line; the entries on other lines are still read"
            faults.append(
                Diagnostic(
                    path=path,
                    line=entry.line,
                    level="warning",
                    code="bad-entry",
                    message="not an entry: no text",
                    hint=hint,
                )
            )
    faults.sort(key=lambda fault: fault.line)
    return ExperienceFile(tuple(found.values()), tuple(faults))


def _experience(entry: LedgerEntry, text: str) -> Experience:
    value = entry.value
    return Experience(
        id=entry.id,
        text=text,
        category=string_of(value.get("category")) or "note",
        session=string_of(value.get("sessionId")),
        timestamp=entry.timestamp,
        record=string_of(value.get("recordId")),
        sources=_texts(value, "sources"),
        sensitivity=string_of(value.get("sensitivity")) or DEFAULT_SENSITIVITY,
        entities=_texts(value, "entities"),
        confidence=_number(value, "confidence", 1),
        value=value,
        line=entry.line,
    )


def _number(value: Mapping[str, Any], key: str, default: float) -> float:
    found = value.get(key)
    if isinstance(found, bool) or not isinstance(found, int | float):
        return default
    return found


def _texts(value: Mapping[str, Any], key: str) -> tuple[str, ...]:
    found = value.get(key)
    if not isinstance(found, list):
        return ()
    return tuple(each for each in found if isinstance(each, str))


def format_experience(experience: Experience) -> str:
    """Return the line of an experience without its newline; unknown keys follow the
    known ones.
    """
    known: dict[str, object] = {
        "id": experience.id,
        "text": experience.text,
        "sessionId": experience.session,
        "category": experience.category,
        "timestamp": experience.timestamp,
        "recordId": experience.record,
        "sensitivity": experience.sensitivity,
        "confidence": experience.confidence,
        "entities": list(experience.entities),
    }
    if experience.sources:
        known["sources"] = list(experience.sources)
    return dump(
        known
        | {
            key: each
            for key, each in experience.value.items()
            if key not in known and key != "sources"
        }
    )


def without(data: bytes, ids: Collection[str], named: Collection[str] = ()) -> bytes:
    """Return the file without the lines of the experiences in `ids`; all other bytes
    are kept.

    An invalid line that contains one of `ids` or `named` is also removed, because it
    may be a fragment of a deleted experience.
    """
    gone = frozenset(ids)
    words = [
        json.dumps(each, ensure_ascii=False).encode("utf-8", "replace")
        for each in sorted({*ids, *named})
    ]
    *lines, last = data.split(b"\n")
    kept = []
    for line in lines:
        if not _is_of(line, gone, words):
            kept.append(line + b"\n")
    return b"".join(kept) + (b"" if _is_of(last, gone, words) else last)


def _is_of(line: bytes, ids: frozenset[str], words: Sequence[bytes]) -> bool:
    found = parse_log(line, "")
    if found.entries:
        return found.entries[0].id in ids
    return any(word in line for word in words)


def parse_store(text: str) -> Iterator[Experience]:
    """Yield the experiences of CursorClaw's `tmp/experience-store.json`; invalid
    entries are skipped.

    Embedding vectors are dropped, because they can be computed from the texts.
    """
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return
    rows = None
    if isinstance(value, dict):
        rows = value.get("experiences")
    for row in rows if isinstance(rows, list) else ():
        if (
            isinstance(row, dict)
            and string_of(row.get("id"))
            and string_of(row.get("text")).strip()
        ):
            yield Experience(
                id=string_of(row.get("id")),
                text=string_of(row.get("text")),
                category=string_of(row.get("category")) or "note",
                session=string_of(row.get("sessionId")),
                timestamp=string_of(row.get("timestamp")),
                record=string_of(row.get("recordId")),
            )
