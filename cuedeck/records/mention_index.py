"""Inverted index of the names in records: from a file or an entry to the records that mention it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from cuedeck.graph.code_names import fits
from cuedeck.model.address import name_key, split_anchor
from cuedeck.model.file import File
from cuedeck.model.memory_record import COMPACTION, Record
from cuedeck.parse.sections import slugify
from cuedeck.records.mention_parser import Form, Mention, Reader
from cuedeck.records.name_resolution import base_key, is_end, path_of

_ENTRIES: tuple[Form, ...] = ("session", "decision")
_KEPT_FILES = 2_000
_NEXT = re.compile(r"\n(?!  )")


class RecordMention(NamedTuple):
    """A record that contains a name, and the place in it."""

    record: int
    """Its index in the sequence of records."""
    piece: str
    """For a compaction record, the fact that contains the name; empty if the whole text applies."""


class MentionIndex:
    """The names in records, indexed by possible targets; built once for each state of the records."""

    def __init__(self, named: Iterable[tuple[int, Mention, str]]) -> None:
        """Index triples of record index, name and piece; the caller omits secret records."""
        self._said: dict[Mention, list[RecordMention]] = {}
        self._by_key: dict[str, list[Mention]] = {}
        self._by_tail: dict[str, list[Mention]] = {}
        self._asked: dict[str, tuple[File | None, tuple[Mention, ...]]] = {}
        for at, name, piece in named:
            self._said.setdefault(name, []).append(RecordMention(at, piece))
        for name in self._said:
            self._arrange(name)

    def names(self) -> Sequence[Mention]:
        """Return every name, in order of first occurrence."""
        return tuple(self._said)

    def of(self, name: Mention) -> Sequence[RecordMention]:
        """Return the mentions of a name, oldest first."""
        return self._said.get(name, ())

    def of_entry(self, address: str) -> Sequence[RecordMention]:
        """Return the mentions of a session or a decision, given its address."""
        kind, _, identity = address.partition(":")
        return [saying for form in _ENTRIES if form == kind for saying in self.of(Mention(form, identity))]

    def candidate_mentions(self, path: str, file: File | None) -> Sequence[Mention]:
        """Return the names that could refer to a file or folder; `file` is None for a folder.

        The caller resolves which of them do.
        """
        known = self._asked.get(path)
        if known is None or known[0] is not file:
            if len(self._asked) >= _KEPT_FILES:
                self._asked.clear()
            known = self._asked[path] = (file, tuple(dict.fromkeys(self._candidates(path, file))))
        return known[1]

    def _arrange(self, name: Mention) -> None:
        if name.form == "code":
            for tail in _tails(name.text):
                self._by_tail.setdefault(tail, []).append(name)
        elif name.form not in ("session", "decision"):
            # The title in a wiki link may contain a slash.
            keys = (base_key(name.text), *([name_key(split_anchor(name.text)[0])] if name.form == "wiki" else []))
            for key in dict.fromkeys(keys):
                self._by_key.setdefault(key, []).append(name)

    def _candidates(self, path: str, file: File | None) -> Iterator[Mention]:
        for key in dict.fromkeys(_keys(path, file)):
            names = self._by_key.get(key, ())
            yield from (name for name in names if name.form != "path" or is_end(path_of(name.text), path))
        for symbol in file.symbols if file is not None else ():
            own, *tails = _tails(symbol.name)
            names = self._by_tail.get(own, ())
            yield from (name for name in names if fits(name.text.split("."), path, own))
            yield from (name for tail in tails if (name := Mention("code", tail)) in self._said)


def names_in(record: Record, reader: Reader) -> Iterator[tuple[Mention, str]]:
    """Yield the names in a record, each with the piece that contains it; empty if the whole text applies."""
    if record.category != COMPACTION:
        for name in reader.read(record.text):
            yield name, ""
        return
    for piece in pieces(record):
        for name in reader.read(piece):
            yield name, piece


def pieces(record: Record) -> Sequence[str]:
    """Return the facts of a compaction record: lines, each with the indented lines after it."""
    return _NEXT.split(record.text) if record.category == COMPACTION else ()


def _tails(name: str) -> Iterator[str]:
    """Yield a dotted name, then the name without its first step, and so on."""
    yield name
    while "." in name:
        name = name.partition(".")[2]
        yield name


def _keys(path: str, file: File | None) -> Iterator[str]:
    """Yield the lookup keys of all names of a file."""
    yield base_key(path)
    if file is not None and file.kind in ("card", "doc"):
        card = (file.card.id, file.card.title, slugify(file.card.title)) if file.card is not None else ()
        yield from (name_key(name) for name in (file.title, *file.aliases, *card) if name)
