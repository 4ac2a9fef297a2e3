"""Entries exchanged between copies of a workspace: the rows of a copy, and the log that
results from a set of rows. It does not depend on the order in which they arrived.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta

from cuedeck.ledger.codecs import Log, parse_log
from cuedeck.model.entry_node import LedgerEntry
from cuedeck.model.exchange_row import Row
from cuedeck.model.ports import Json, JsonView
from cuedeck.text.plain_text import load_json, plain_line, string_of
from cuedeck.text.timestamps import format_moment, moment_of

KINDS = ("decision", "attempt", "record", "experience")
"""Kinds that can be exchanged."""
LOG_KINDS = ("decision", "attempt")
MOST_BYTES = 1 << 18
"""Largest line of an entry that is exchanged."""
_MOST_ID = 200
_SHARED = ("public", "operational")
"""Sensitivities of records and experiences that may leave a machine."""
_LOCAL_FIELDS = ("affects", "file", "on", "proof", "commit", "card", "session")
"""Fields without a meaning in another workspace."""
_NAMING = ("supersedes", "superseded_by")
"""Fields with the id of another entry."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def own_rows(kind: str, data: bytes) -> Iterator[tuple[Row, JsonView]]:
    """Yield the lines of a file of entries as rows, each with its fields."""
    lines = data.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    if kind == "record":
        lines = [line[2:] for line in lines if line.startswith(b"- {")]
    for entry in parse_log(b"\n".join(lines), "").entries:
        text = lines[entry.line - 1].strip().decode("utf-8", "replace")
        # A record changes in its line, so the hub gives the time.
        clock = microseconds(entry.timestamp) if kind in LOG_KINDS else 0
        yield Row(f"{kind}:{entry.id}", entry.digest, text, clock), entry.value


def microseconds(timestamp: str) -> int:
    """Return a timestamp as microseconds since 1970; 0 for an invalid one."""
    moment = moment_of(timestamp) or _EPOCH
    return max((moment - _EPOCH) // timedelta(microseconds=1), 0)


def reason_to_stay(row: Row, value: JsonView) -> str:
    """Return why a line must not leave this machine; empty if it may."""
    data = row.line.encode("utf-8", "replace")
    if digest_of(data) != row.digest:
        return "not valid UTF-8"
    if len(data) > MOST_BYTES or len(row.id) > _MOST_ID:
        return f"longer than {MOST_BYTES:,} bytes"
    if not is_storable(row):
        return "control characters in its id"
    if row.kind in LOG_KINDS:
        return ""
    origin = value.get("provenance")
    fields = origin if isinstance(origin, dict) else value
    is_shared = fields.get("sensitivity") in _SHARED
    return "" if is_shared else "private or secret"


def digest_of(data: bytes) -> str:
    """Return the digest of a line."""
    return hashlib.sha256(data).hexdigest()


def union(rows: Iterable[Row]) -> Sequence[Row]:
    """Return the rows of a set by their logical times. A forgotten row prevails over
    its text; of rows with one key, the smallest counts.
    """
    found: dict[tuple[str, str, str], Row] = {}
    for row in rows:
        key = (row.origin, row.id, row.digest)
        found[key] = min(row, found.get(key, row))
    return sorted(found.values(), key=lambda row: (row.clock, row.digest, row))


def format_rows(rows: Iterable[Row]) -> str:
    """Return rows as the lines of a file, with the line of the entry at the end."""
    lines = []
    for row in rows:
        fields = row._replace(line="")
        lines.append("\t".join(map(str, fields)) + f"\t{row.line}\n")
    return "".join(lines)


def parse_rows(data: bytes, before: int = 0) -> dict[Row, int]:
    """Return the rows of a file, or of the part of it after the first `before` lines,
    with their line numbers; damaged lines are left out.
    """
    found: dict[Row, int] = {}
    for number, line in enumerate(data.decode("utf-8", "replace").split("\n")):
        *fields, text = line.split("\t", len(Row._fields))
        if len(fields) == len(Row._fields) and fields[3].isdecimal():
            id_, digest, _, clock, author, origin = fields
            row = Row(
                id_,
                digest,
                text,
                int(clock),
                author,
                origin,
            )
            found.setdefault(row, before + number + 1)
    return found


def is_storable(row: Row) -> bool:
    """Return whether a row has a known kind, which names its file, and valid fields."""
    if row.kind not in KINDS or row.clock < 0:
        return False
    named = f"{row.id}{row.author}{row.origin}"
    is_line = "\n" not in row.line and named.isprintable()
    data = row.line.encode("utf-8", "replace")
    return is_line and (not data or digest_of(data) == row.digest)


def foreign_entries(data: bytes, before: int = 0) -> dict[Row, LedgerEntry | None]:
    """Return the rows of a file, as `parse_rows`, with their entries; None for a
    forgotten one.
    """
    found: dict[Row, LedgerEntry | None] = {}
    for row, number in parse_rows(data, before).items():
        found[row] = _foreign_entry(row, number) if row.line else None
    return found


def merged(own: Log, foreign: Mapping[Row, LedgerEntry | None]) -> Log:
    """Return a log with the entries of other copies.

    A forgotten entry is left out. Two entries that different authors created with one
    id are kept apart: the later one gets an id with the beginning of its digest.
    """
    rows = union(foreign)
    known = {row.digest: row for row in rows if not row.origin}
    entries: list[tuple[str, LedgerEntry]] = []
    for own_entry in own.entries:
        row = known.pop(own_entry.digest, None)
        if row is None or row.line:
            entries.append(("", _bounded(own_entry, row)))
    for row in rows:
        entry = foreign[row]
        if entry is not None and (row.origin or row.digest in known):
            entries.append((f"{row.author} {row.origin}", entry))
    return Log(_kept_apart(entries), own.faults)


def _bounded(entry: LedgerEntry, row: Row | None) -> LedgerEntry:
    """Return an entry whose time is at most that which the hub allowed."""
    if row is None or not 0 < row.clock < microseconds(entry.timestamp):
        return entry
    allowed = _EPOCH + timedelta(microseconds=row.clock)
    return entry._replace(timestamp=format_moment(allowed))


def _foreign_entry(row: Row, number: int) -> LedgerEntry:
    value = _fields(row.line)
    for name in _LOCAL_FIELDS if row.origin else ():
        value.pop(name, None)
    value.pop("author", None)
    if _creates(value):
        value["author"] = shown_author(row)
    timestamp = string_of(value.get("timestamp"))
    entry = LedgerEntry(
        row.name,
        timestamp,
        value,
        number,
        row.digest,
        is_foreign=True,
    )
    return _bounded(entry, row)


def _creates(value: JsonView) -> bool:
    """Return whether a line creates an entry; others change one."""
    return bool(value.get("decision") or value.get("tried"))


def _kept_apart(entries: Sequence[tuple[str, LedgerEntry]]) -> tuple[LedgerEntry, ...]:
    """Return entries of authors, with ids that differ where authors created different
    entries with one id. A change belongs to the entry of its author, else to the first
    one.
    """
    creations = [each for each in entries if _creates(each[1].value)]
    if len({entry.id for _, entry in creations}) == len(creations):
        return tuple(entry for _, entry in entries)
    creations.sort(key=lambda each: (microseconds(each[1].timestamp), each[1].digest))
    first: dict[str, str] = {}
    new_ids: dict[tuple[str, str], str] = {}
    for author, entry in creations:
        if first.setdefault(entry.id, author) != author:
            name = f"{entry.id}-{entry.digest[:6]}"
            new_ids.setdefault((author, entry.id), name)
    result = []
    for author, entry in entries:
        name = new_ids.get((author, entry.id), entry.id)
        value: Json = dict(entry.value)
        for field in _NAMING:
            if (author, str(value.get(field))) in new_ids:
                value[field] = new_ids[author, value[field]]
        result.append(entry._replace(id=name, value=value))
    return tuple(result)


def collisions(log: Log) -> Sequence[str]:
    """Return the ids that keep two entries with one id apart."""
    created = [entry for entry in log.entries if _creates(entry.value)]
    ids = [(entry.id, entry.digest[:6]) for entry in created]
    return [name for name, mark in ids if name.endswith(f"-{mark}")]


def _fields(line: str) -> Json:
    try:
        value = load_json(line.encode())
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def shown_author(row: Row) -> str:
    """Return the author of an entry for people."""
    author = plain_line(row.author)
    return f"{author} in {plain_line(row.origin)}" if row.origin else author


def notes_text(rows: Iterable[Row], own: Collection[str]) -> str:
    """Return the records and experiences of other copies as a Markdown text, without
    superseded ones and those with the ids in `own`.

    They are notes of others and no records: nothing promotes or merges them. The latest
    line of an id and author counts.
    """
    latest: dict[tuple[str, str, str], Row] = {}
    for row in union(rows):
        latest[row.origin, row.id, row.author] = row
    lines = []
    replaced = set(own)
    for row in latest.values():
        value = _fields(row.line)
        ids = value.get("supersedes")
        replaced.update(map(str, ids if isinstance(ids, list) else [ids]))
        text = plain_line(string_of(value.get("text")))
        lines.append((row.name, f"- {text} ({shown_author(row)})\n" if text else ""))
    shown = [line for name, line in lines if name not in replaced]
    return "# Notes of other copies\n\n" + "".join(shown)
