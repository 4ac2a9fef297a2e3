"""Reader and writer of files of entries: JSON Lines, one object per line."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from cuedeck.model.diagnostic import Diagnostic
from cuedeck.model.entry_node import LedgerEntry
from cuedeck.text.plain_text import load_json

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
        id=identity,
        timestamp=timestamp,
        value=value,
        line=number,
        digest=digest,
    )


def format_entries(values: Sequence[Mapping[str, object]]) -> bytes:
    """Return the lines of a ledger for some entries, each with its newline."""
    rows = [json.dumps(value, ensure_ascii=False) + "\n" for value in values]
    return "".join(rows).encode("utf-8", "replace")


def dump(value: object) -> str:
    """Return compact JSON as `JSON.stringify` writes it: whole numbers without a
    decimal point, lone surrogates escaped.
    """
    text = json.dumps(_plain(value), ensure_ascii=False, separators=(",", ":"))
    return re.sub(r"[\ud800-\udfff]", lambda found: f"\\u{ord(found[0]):04x}", text)


def _plain(value: object) -> object:
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return int(value)
    if isinstance(value, Mapping):
        return {key: _plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(each) for each in value]
    return value


def id_in(line: str) -> str:
    """Return the id of the entry in a line of JSON; empty for any other line."""
    try:
        return _entry(line.encode("utf-8", "surrogateescape").strip(), 0).id
    except ValueError:
        return ""


def with_entries(
    text: str,
    ids: Collection[str],
    lines: Mapping[str, str],
    find: Callable[[str], str] = id_in,
) -> str:
    """Return a file with lines in place of the entries with their ids, new ones at its
    end, and without the other entries in `ids`, or further copies of them; all other
    bytes stay.

    `find` returns the id of the entry in a line.
    """
    left = dict(lines)
    kept = []
    for line in _whole_lines(text):
        identity = find(line.rstrip("\n"))
        new = lines.get(identity, "")
        if new and (left.pop(identity, "") or identity not in ids):
            indent = line[: len(line) - len(line.lstrip(" \t\ufeff"))]
            kept.append(indent + new + line[len(line.rstrip("\r\n")) :])
        elif not identity or identity not in ids:
            kept.append(line)
    changed = "".join(kept)
    if left and changed and not changed.endswith("\n"):
        changed += "\n"
    return changed + "".join(f"{line}\n" for line in left.values())


def without_entries(
    text: str, ids: Collection[str], named: Collection[str] = ()
) -> str:
    """Return a file without the entries in `ids`; all other bytes stay.

    A damaged line that contains one of `ids` or `named` is also removed, because it may
    be a fragment of a deleted entry.
    """
    words = [json.dumps(each, ensure_ascii=False) for each in {*ids, *named}]
    kept = []
    for line in _whole_lines(text):
        identity = id_in(line)
        is_fragment = not identity and any(word in line for word in words)
        if identity not in ids and not is_fragment:
            kept.append(line)
    return "".join(kept)


def _whole_lines(text: str) -> list[str]:
    *lines, last = text.split("\n")
    return [*(f"{line}\n" for line in lines), last]
