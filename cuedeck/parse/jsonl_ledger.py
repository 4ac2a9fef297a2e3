"""Reader and writer of append-only ledgers: JSON Lines, one object per line."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from cuedeck.model.file import Diagnostic
from cuedeck.model.ledger_entry import LedgerEntry

_SIDES = (b"<<<<<<<", b"=======", b">>>>>>>", b"|||||||")
"""Prefixes of git conflict markers; the entries between the markers remain valid."""


class Ledger(NamedTuple):
    """The entries and faults of a ledger, in line order."""

    entries: tuple[LedgerEntry, ...]
    faults: tuple[Diagnostic, ...]


def parse_ledger(data: bytes, path: str, before: int = 0) -> Ledger:
    """Parse a ledger, or the part of it after the first `before` lines.

    An invalid line becomes a diagnostic and does not hide the other lines.
    """
    entries: list[LedgerEntry] = []
    faults: list[Diagnostic] = []
    for number, line in _lines(data, before):
        try:
            entries.append(_entry(line, number))
        except ValueError as fault:
            said = "a mark of a merge" if line.startswith(_SIDES) else str(fault)
            hint = "take the line out; what is on the others counts all the same"
            faults.append(Diagnostic(path, number, "warning", "bad-entry", f"no entry: {said}", hint))
    return Ledger(tuple(entries), tuple(faults))


def _lines(data: bytes, before: int) -> Iterator[tuple[int, bytes]]:
    stripped = data[3:] if data.startswith(b"\xef\xbb\xbf") and not before else data
    for number, line in enumerate(stripped.split(b"\n"), before + 1):
        if line.strip():
            yield number, line.strip()


def _entry(line: bytes, number: int) -> LedgerEntry:
    """Parse one line. Raises: ValueError if it is not a JSON object."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        raise ValueError("not valid JSON") from None
    if not isinstance(value, dict):
        raise ValueError("not a JSON object")
    identity, timestamp = value.get("id"), value.get("timestamp", "")
    if not isinstance(identity, str) or not identity:
        # Decisions of the original CueDeck have no id; the hash of the line replaces it.
        identity = hashlib.sha256(line).hexdigest()[:12]
    return LedgerEntry(identity, timestamp if isinstance(timestamp, str) else "", value, number, _digest(line))


def format_entries(values: Sequence[dict[str, object]]) -> bytes:
    """Return the lines of a ledger for some entries, each with its newline."""
    rows = (json.dumps(value, ensure_ascii=False) for value in values)
    return "".join(f"{row}\n" for row in rows).encode("utf-8", "replace")


def _digest(line: bytes) -> str:
    return hashlib.sha256(line).hexdigest()
