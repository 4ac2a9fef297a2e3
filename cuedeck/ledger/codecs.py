"""Reader and writer of append-only ledgers: JSON Lines, one object per line."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from cuedeck.model.diagnostic import Diagnostic
from cuedeck.model.ledger_entry import LedgerEntry
from cuedeck.text.json_text import load_json

_SIDES = (b"<<<<<<<", b"=======", b">>>>>>>", b"|||||||")
"""Prefixes of git conflict markers; the entries between the markers remain valid."""


class Log(NamedTuple):
    """The entries and faults of a log, in line order."""

    entries: tuple[LedgerEntry, ...]
    faults: tuple[Diagnostic, ...]


def parse_log(data: bytes, path: str, before: int = 0) -> Log:
    """Parse a ledger, or the part of it after the first `before` lines.

    An invalid line becomes a diagnostic and does not hide the other lines.
    """
    entries: list[LedgerEntry] = []
    faults: list[Diagnostic] = []
    for number, line in _lines(data, before):
        try:
            entries.append(_entry(line, number))
        except ValueError as fault:
            reason = (
                "a merge conflict marker" if line.startswith(_SIDES) else str(fault)
            )
            hint = "remove the line; the entries on other lines are still read"
            faults.append(
                Diagnostic(
                    path=path,
                    line=number,
                    level="warning",
                    code="bad-entry",
                    message=f"not an entry: {reason}",
                    hint=hint,
                )
            )
    return Log(tuple(entries), tuple(faults))


def _lines(data: bytes, before: int) -> Iterator[tuple[int, bytes]]:
    if not before:
        data = data.removeprefix(b"\xef\xbb\xbf")
    for number, row in enumerate(data.split(b"\n"), before + 1):
        line = row.strip()
        if line:
            yield number, line


def _entry(line: bytes, number: int) -> LedgerEntry:
    """Parse one line. Raises: ValueError if it is not a JSON object."""
    try:
        value = load_json(line)
    except (ValueError, RecursionError):
        raise ValueError("not valid JSON") from None
    if not isinstance(value, dict):
        raise ValueError("not a JSON object")
    digest = hashlib.sha256(line).hexdigest()
    identity = value.get("id")
    if not isinstance(identity, str) or not identity:
        # Decisions of the original CueDeck have no id; the hash of the line replaces
        # it.
        identity = digest[:12]
    timestamp = value.get("timestamp")
    if not isinstance(timestamp, str):
        timestamp = ""
    return LedgerEntry(
        id=identity, timestamp=timestamp, value=value, line=number, digest=digest
    )


def format_entries(values: Sequence[dict[str, object]]) -> bytes:
    """Return the lines of a ledger for some entries, each with its newline."""
    rows = [json.dumps(value, ensure_ascii=False) + "\n" for value in values]
    return "".join(rows).encode("utf-8", "replace")
