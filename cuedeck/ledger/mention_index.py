"""Inverted index of the names in records: from a file or an entry to the records that
mention it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from cuedeck.graph.counterparts import fits
from cuedeck.ledger.mention_parser import Form, Mention, Reader
from cuedeck.ledger.name_resolution import base_key, is_end, path_of
from cuedeck.model.address import name_key, split_anchor
from cuedeck.model.file import File
from cuedeck.model.memory_record import COMPACTION, Record
from cuedeck.parse.sections import slugify

_ENTRIES: tuple[Form, ...] = ("session", "decision")
_NEXT = re.compile(r"\n(?!  )")


class RecordMention(NamedTuple):
    """A record that contains a name, and the place in it."""

    record: int
    """Its index in the sequence of records."""
    piece: str
    """For a compaction record, the fact that contains the name; empty if the whole text
    applies.
    """


class MentionIndex:
    """The names in records, indexed by possible targets; built once for each state of
    the records.
    """

    def __init__(self, named: Iterable[tuple[int, Mention, str]]) -> None:
        """Index triples of record index, name and piece; the caller omits secret
        records.
        """
        self._mentions: dict[Mention, list[RecordMention]] = {}
        self._by_key: dict[str, list[Mention]] = {}
        self._by_tail: dict[str, list[Mention]] = {}
        for at, name, piece in named:
            self._mentions.setdefault(name, []).append(RecordMention(at, piece))
        for name in self._mentions:
            self._add_keys(name)

    def names(self) -> Sequence[Mention]:
        """Return every name, in order of first occurrence."""
        return tuple(self._mentions)

    def of(self, name: Mention) -> Sequence[RecordMention]:
        """Return the mentions of a name, oldest first."""
        return self._mentions.get(name, ())

    def of_entry(self, address: str) -> Sequence[RecordMention]:
        """Return the mentions of a session or a decision, given its address."""
        kind, _, identity = address.partition(":")
        form = next((form for form in _ENTRIES if form == kind), None)
        if not form:
            return ()
        return self.of(Mention(form, identity))

    def candidate_mentions(self, path: str, file: File | None) -> Sequence[Mention]:
        """Return the names that could refer to a file or folder; `file` is None for a
        folder.

        The caller resolves which of them do.
        """
        return tuple(dict.fromkeys(self._find_candidates(path, file)))

    def _add_keys(self, name: Mention) -> None:
        if name.form in _ENTRIES:
            return
        if name.form == "code":
            for tail in _tails(name.text):
                self._by_tail.setdefault(tail, []).append(name)
            return
        keys = {base_key(name.text)}
        if name.form == "wiki":
            # The title in a wiki link may contain a slash.
            keys.add(name_key(split_anchor(name.text)[0]))
        for key in keys:
            self._by_key.setdefault(key, []).append(name)

    def _find_candidates(self, path: str, file: File | None) -> Iterator[Mention]:
        for key in dict.fromkeys(_keys(path, file)):
            for name in self._by_key.get(key, ()):
                if name.form != "path" or is_end(path_of(name.text), path):
                    yield name
        for symbol in file.symbols if file is not None else ():
            own, *tails = _tails(symbol.name)
            for name in self._by_tail.get(own, ()):
                if fits(name.text.split("."), path, own):
                    yield name
            for name in (Mention("code", tail) for tail in tails):
                if name in self._mentions:
                    yield name


def names_of(
    records: Sequence[Record], hidden: Collection[str] = (), first: int = 0
) -> Iterator[tuple[int, Mention, str]]:
    """Yield the names in records with the number of the record, counted from `first`,
    and the part that contains the name; not those of secret records and of the ids in
    `hidden`.
    """
    reader = Reader()
    for at, record in enumerate(records, first):
        if not record.is_secret and record.id not in hidden:
            for name, piece in names_in(record, reader):
                yield at, name, piece


def names_in(record: Record, reader: Reader) -> Iterator[tuple[Mention, str]]:
    """Yield the names in a record, each with the piece that contains it; empty if the
    whole text applies.
    """
    if record.category != COMPACTION:
        for name in reader.read(record.text):
            yield name, ""
        return
    for piece in pieces(record):
        for name in reader.read(piece):
            yield name, piece


def pieces(record: Record) -> Sequence[str]:
    """Return the facts of a compaction record: lines, each with the indented lines
    after it.
    """
    if record.category != COMPACTION:
        return ()
    return _NEXT.split(record.text)


def _tails(name: str) -> Iterator[str]:
    """Yield a dotted name, then the name without its first step, and so on."""
    yield name
    while "." in name:
        name = name.partition(".")[2]
        yield name


def _keys(path: str, file: File | None) -> Iterator[str]:
    yield base_key(path)
    if file is None or file.kind not in ("card", "doc"):
        return
    names = [file.title, *file.aliases]
    if file.card is not None:
        names += [file.card.id, file.card.title, slugify(file.card.title)]
    for name in filter(None, names):
        yield name_key(name)
