"""Append-only ledgers: one JSON object a line."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from cuedeck.model.file import Diagnostic
from cuedeck.model.ledger_entry import LedgerEntry

_SIDES = (b"<<<<<<<", b"=======", b">>>>>>>", b"|||||||")
"""How the lines begin that git leaves in a file of two minds; the entries between them count all the same."""


class Ledger(NamedTuple):
    """What a ledger holds, in the order of its lines."""

    entries: tuple[LedgerEntry, ...]
    faults: tuple[Diagnostic, ...]


def parse_ledger(data: bytes, path: str, before: int = 0) -> Ledger:
    """Read a ledger, or what stands in it behind the first lines, of which there are `before`.

    A line that is none of its entries becomes a diagnostic and hides no other.
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
    """Read one line. Raises: ValueError."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        raise ValueError("not valid JSON") from None
    if not isinstance(value, dict):
        raise ValueError("not a JSON object")
    identity, timestamp = value.get("id"), value.get("timestamp", "")
    if not isinstance(identity, str) or not identity:
        # The seed's decisions have no id; what a line says is its identity.
        identity = hashlib.sha256(line).hexdigest()[:12]
    return LedgerEntry(identity, timestamp if isinstance(timestamp, str) else "", value, number, _digest(line))


def format_entries(values: Sequence[dict[str, object]]) -> bytes:
    """Return lines of a ledger, each with its newline."""
    rows = (json.dumps(value, ensure_ascii=False) for value in values)
    return "".join(f"{row}\n" for row in rows).encode("utf-8", "replace")


def _digest(line: bytes) -> str:
    return hashlib.sha256(line).hexdigest()
