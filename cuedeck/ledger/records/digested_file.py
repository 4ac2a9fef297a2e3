"""A record file with the digests of its pieces; a record is parsed on access."""

from __future__ import annotations

import json
from array import array
from bisect import bisect_right
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import accumulate, chain, compress
from typing import TYPE_CHECKING, overload

from cuedeck.ledger.records.fact_removal import without
from cuedeck.ledger.records.file_digest import (
    HIDDEN,
    NO_NAMES,
    RECORD,
    RULE,
    SECRET,
    Digest,
    digest,
    hash_of,
)
from cuedeck.ledger.records.record_file import Line, parse_line
from cuedeck.ledger.supersession import join_links
from cuedeck.model.memory_record import Record
from cuedeck.model.record_categories import COMPACTION

if TYPE_CHECKING:
    from cuedeck.ledger.mention_parser import Mention

Named = tuple[int, "Mention", str]
"""Index of a record, a name in it, and the part of its text that contains the name."""


class Digested:
    """A file of records with the digests of its pieces."""

    def __init__(
        self,
        data: bytes,
        pieces: Sequence[tuple[int, Digest]],
        gone: Collection[str] = (),
    ) -> None:
        """Combine digests, given with the byte offset of each piece; records whose ids
        are in `gone` are ignored.
        """
        self._data = data
        self._pieces = pieces
        self._gone = frozenset(gone)
        self._ends = list(accumulate(len(piece.flags) for _, piece in pieces))
        self.ids = self._column("Q", 1)
        self.keys = self._column("Q", 2)
        self.costs = self._column("I", 3)
        self.flags = self._column("B", 4)
        if self._gone:
            self._forget()

    def __len__(self) -> int:
        return len(self.flags)

    def line(self, entry: int) -> Line:
        """Return the parsed line of an entry, without facts merged from the records in
        `gone`.
        """
        number = bisect_right(self._ends, entry)
        piece_start, piece = self._pieces[number]
        first_entry = 0
        if number:
            first_entry = self._ends[number - 1]
        start = piece_start + piece.starts[entry - first_entry]
        end = self._data.find(b"\n", start)
        raw = self._data[start:] if end < 0 else self._data[start:end]
        line = parse_line(raw.decode("utf-8", "surrogateescape"))
        if not self._gone or line.record is None:
            return line
        if line.record.category != COMPACTION:
            return line
        text = without(line.record.text, self._gone)
        return line._replace(record=replace(line.record, text=text))

    def source(self, entry: int) -> Record | str:
        """Return an entry as a record, or as the text of a handwritten line."""
        line = self.line(entry)
        if line.record is None:
            return line.text
        return line.record

    @cached_property
    def first(self) -> int:
        """Index of the first entry after the header.

        The header ends with a rule before the first record; without one it is at most
        the first line.
        """
        for entry, flags in enumerate(self.flags):
            if flags & RECORD:
                break
            if flags & RULE:
                return entry + 1
        if len(self) == 0 or not self._data.startswith(b"# "):
            return 0
        starts = self._pieces[0][1].starts
        return int(len(starts) > 0 and starts[0] == 0)

    @cached_property
    def records(self) -> Records:
        """The records, each parsed on access."""
        is_record = bytes(flags & RECORD for flags in self.flags)
        return Records(self, array("I", compress(range(len(self)), is_record)))

    @cached_property
    def links(self) -> Mapping[str, Sequence[str]]:
        """For each record that supersedes others, their ids."""
        links = join_links(piece.links for _, piece in self._pieces)
        return {
            identity: targets
            for identity, targets in links.items()
            if identity not in self._gone
        }

    @cached_property
    def record_ids(self) -> Sequence[str]:
        """The ids of the records, in file order."""
        ids = list(chain.from_iterable(self._ids))
        if not self._gone:
            return ids
        return [identity for identity in ids if identity not in self._gone]

    @cached_property
    def secret_ids(self) -> Sequence[str]:
        """The ids of the secret records."""
        secret = [at for at, flags in enumerate(self.flags) if flags & SECRET]
        records = (self.line(entry).record for entry in secret)
        return [record.id for record in records if record is not None]

    def named(self, hidden: Collection[str] = ()) -> Iterator[Named]:
        """Yield the names in the records, except in secret ones and in those whose ids
        are hidden.
        """
        from cuedeck.ledger.mention_parser import Mention

        first = 0
        for number, (_, piece) in enumerate(self._pieces):
            indexes: Sequence[int | None]
            if hidden or self._gone:
                indexes, first = self._visible_indexes(number, first, hidden)
            else:
                count = sum(flags & RECORD for flags in piece.flags)
                indexes = range(first, first + count)
                first += count
            if piece.named == NO_NAMES:
                continue
            for place, form, text, where in json.loads(
                piece.named or self._extract_names(number)
            ):
                index = indexes[place]
                if index is not None:
                    yield index, Mention(form, text), where

    def _visible_indexes(
        self, number: int, first: int, hidden: Collection[str]
    ) -> tuple[list[int | None], int]:
        """Return the index of each record of a piece, None if it is hidden or
        forgotten, and the index after them.

        Forgotten records are not counted.
        """
        indexes: list[int | None] = []
        for identity in self._ids[number]:
            if identity in self._gone:
                indexes.append(None)
                continue
            indexes.append(None if identity in hidden else first)
            first += 1
        return indexes, first

    def _extract_names(self, number: int) -> bytes:
        """Return the names in a piece whose digest does not contain them."""
        from cuedeck.ledger.mention_parser import Reader

        start, _ = self._pieces[number]
        end = (
            self._pieces[number + 1][0]
            if number + 1 < len(self._pieces)
            else len(self._data)
        )
        return digest(self._data[start:end], Reader()).named

    @cached_property
    def _ids(self) -> Sequence[list[str]]:
        return [json.loads(piece.record_ids) for _, piece in self._pieces]

    def _column(self, code: str, number: int) -> array[int]:
        column: array[int] = array(code)
        for _, piece in self._pieces:
            column.extend(piece[number])  # type: ignore[arg-type]
        return column

    def _forget(self) -> None:
        """Hide the entries of forgotten records."""
        gone = set(map(hash_of, self._gone))
        if gone.isdisjoint(self.ids):
            return
        for entry, identity in enumerate(self.ids):
            if identity in gone and self.flags[entry] & RECORD:
                self.flags[entry] = HIDDEN
                self.ids[entry] = self.keys[entry] = 0


class Records(Sequence[Record]):
    """The records of a file."""

    def __init__(self, file: Digested, entries: array[int]) -> None:
        self._file = file
        self._entries = entries

    def __len__(self) -> int:
        return len(self._entries)

    @overload
    def __getitem__(self, at: int) -> Record: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Record]: ...
    def __getitem__(self, at: int | slice) -> Record | Sequence[Record]:
        if isinstance(at, slice):
            return [self[each] for each in range(*at.indices(len(self)))]
        record = self._file.line(self._entries[at]).record
        assert record is not None
        return record
