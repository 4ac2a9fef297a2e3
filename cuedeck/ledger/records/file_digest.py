"""Compact digest of a record file: ids, sizes and flags, enough to select records
without parsing them.

A large file is digested in pieces whose boundaries stay the same while lines are
appended, so that each digest can be cached by the content of its piece.
"""

from __future__ import annotations

import hashlib
import json
import struct
from array import array
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.ledger.records.record_file import Line, parse_line
from cuedeck.ledger.records.record_text import LONGEST, at_most
from cuedeck.ledger.supersession import links_of
from cuedeck.model.memory_record import CHECKPOINT_TEXT, Record
from cuedeck.model.record_categories import category_of
from cuedeck.text.plain_text import fold_case

if TYPE_CHECKING:
    from cuedeck.ledger.mention_parser import Form, Reader

PIECE_BYTES = 1 << 16
"""A piece starts at the first line that begins at or after a multiple of this."""
RECORD, HIGH, HIDDEN, SECRET, RULE, PROMOTED, TURN = 1, 2, 4, 8, 16, 32, 64
"""Bits of an entry. HIDDEN marks a record that is never shown, RULE the line that ends
a header, and TURN the summary of a turn.
"""
_RULE = "---"
NO_NAMES = b"[]"
_CODES = "IQQIB"
"""Type codes of the five columns of a digest."""
_HEAD = struct.Struct("<8I")


class Digest(NamedTuple):
    """The entries of a piece: its records, and lines between them that are neither
    blank nor malformed records.
    """

    starts: array[int]
    """Byte offsets of their lines within the piece."""
    ids: array[int]
    """Hashes of record ids; 0 for a line that is not a record."""
    keys: array[int]
    """Hashes of record texts, ignoring case and whitespace."""
    costs: array[int]
    """Length of each entry in characters, truncated to the length shown while space is
    short.
    """
    flags: array[int]
    links: Mapping[str, Sequence[str]]
    """For each record that supersedes others, their ids."""
    named: bytes
    """The names in its records as JSON, parsed on access; empty if names were not
    extracted.
    """
    record_ids: bytes

    def encode(self) -> bytes:
        """Return the digest as bytes."""
        parts = [column.tobytes() for column in self[:5]]
        parts += [json.dumps(self.links).encode(), self.named, self.record_ids]
        sizes = map(len, parts)
        return _HEAD.pack(*sizes) + b"".join(parts)


def decode_digest(data: bytes) -> Digest:
    """Return the digest decoded from bytes. Raises: ValueError, struct.error."""
    at = _HEAD.size
    parts = []
    for size in _HEAD.unpack_from(data):
        parts.append(data[at : at + size])
        at += size
    columns = [array(code, part) for code, part in zip(_CODES, parts[:5], strict=True)]
    if len(set(map(len, columns))) > 1:
        raise ValueError("a digest of unequal parts")
    starts, ids, keys, costs, flags = columns
    links, named, record_ids = parts[5:]
    return Digest(starts, ids, keys, costs, flags, json.loads(links), named, record_ids)


def split(data: bytes) -> Iterator[tuple[int, int]]:
    """Yield the start and end offset of each piece of a file."""
    start = 0
    while start < len(data):
        boundary = (start // PIECE_BYTES + 1) * PIECE_BYTES
        end = data.find(b"\n", boundary - 1) + 1 or len(data)
        yield start, end
        start = end


def digest(data: bytes, reader: Reader | None = None) -> Digest:
    """Return the digest of a piece; without a `reader` the names are not extracted."""
    columns: list[array[int]] = [array(code) for code in _CODES]
    records: list[Record] = []
    start = 0
    for raw in data.split(b"\n"):
        line = parse_line(raw.decode("utf-8", "surrogateescape"))
        if line.record is None:
            entry = _handwritten_entry(line)
        else:
            entry = _record_entry(line.record)
            records.append(line.record)
        if entry is not None:
            for column, value in zip(columns, (start, *entry), strict=True):
                column.append(value)
        start += len(raw) + 1
    starts, ids, keys, costs, flags = columns
    named = b""
    if reader is not None:
        named = json.dumps(_read_names(records, reader)).encode()
    record_ids = json.dumps([record.id for record in records]).encode()
    return Digest(starts, ids, keys, costs, flags, links_of(records), named, record_ids)


Entry = tuple[int, int, int, int]
"""Id, key, cost and flags of a line."""


def _handwritten_entry(line: Line) -> Entry | None:
    """Return the entry of a line that is not a record; None if it is blank or a
    malformed record.
    """
    text = line.text.strip()
    if not text or line.fault:
        return None
    flags = HIGH | RULE if text == _RULE else HIGH
    return 0, 0, len(at_most(line.text, LONGEST)), flags


def _record_entry(record: Record) -> Entry:
    key = fold_case(record.text)
    flags = RECORD
    if record.is_protected:
        flags |= HIGH
    if record.is_promoted:
        flags |= PROMOTED
    if category_of(record.category).is_turn_report:
        flags |= TURN
    if record.is_secret:
        flags |= SECRET
    if not key or record.text == CHECKPOINT_TEXT:
        flags |= HIDDEN
    return hash_of(record.id), hash_of(key), len(at_most(record, LONGEST)), flags


def _read_names(
    records: Sequence[Record], reader: Reader
) -> list[tuple[int, Form, str, str]]:
    """Return the names in non-secret records, each with the index of its record and the
    text that contains it.
    """
    from cuedeck.ledger.mention_index import names_in

    names: list[tuple[int, Form, str, str]] = []
    for at, record in enumerate(records):
        if not record.is_secret:
            names += [
                (at, name.form, name.text, piece)
                for name, piece in names_in(record, reader)
            ]
    return names


def hash_of(text: str) -> int:
    """Return a 64-bit hash of a text."""
    data = text.encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(data, digest_size=8).digest(), "little")
