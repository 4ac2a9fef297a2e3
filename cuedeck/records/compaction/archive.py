"""Lookup of records and facts in the archive."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

from cuedeck.model.memory_record import CHECKPOINT_TEXT, COMPACTION
from cuedeck.parse.record_file import parse_line
from cuedeck.records.compaction.compaction_record import parse_digest
from cuedeck.records.compaction.fact import plain_text
from cuedeck.records.compaction.short_ids import SHORTEST, names

_RECORD = re.compile(r'^[ \t]*- \{(?:"id":"([^"\\]*)")?', re.MULTILINE)

_COMPACTION = re.compile(rf'"category":"{COMPACTION}"')


class Archived(NamedTuple):
    """The result of a lookup in the archive."""

    lines: frozenset[str]
    """Lines of the requested records."""
    texts: Mapping[str, tuple[str, ...]]
    """For each mark, the texts of the records it matches."""
    merged: frozenset[str]
    """Texts of the facts in its compaction records."""

    def holds(self, marks: Collection[str]) -> bool:
        """Return whether the archive contains a record for each mark."""
        return all(mark in self.texts for mark in marks)

    def says(self, marks: Collection[str], text: str) -> bool:
        """Return whether every mark has a record, and the text occurs in one of them or in a compaction record."""
        return self.holds(marks) and (text in self.merged or any(text in self.texts[mark] for mark in marks))


def archived_ids(text: str) -> Iterator[str]:
    """Yield the id of each record of an archive."""
    return (identity for identity, _ in _records(text))


def look_up(text: str, ids: Collection[str], marks: Iterable[str]) -> Archived:
    """Search an archive for records by their ids and by their marks."""
    beginnings: dict[str, list[str]] = {}
    for mark in dict.fromkeys(marks):
        # `=` and `~` marks refer to whole ids, so they cannot be indexed by prefix.
        beginnings.setdefault(mark[:SHORTEST] if mark[0] not in "=~" else "", []).append(mark)
    whole = beginnings.pop("", [])
    lines: list[str] = []
    texts: dict[str, list[str]] = {}
    for identity, start in _records(text):
        near = beginnings.get(identity[:SHORTEST], [])
        held = [mark for mark in (*near, *whole) if names(mark, identity)] if near or whole else []
        if not held and identity not in ids:
            continue
        line = _line(text, start)
        lines.append(line)
        record = parse_line(line).record
        for mark in held if record else ():
            texts.setdefault(mark, []).append(plain_text(record.text) if record else "")
    return Archived(frozenset(lines), {mark: tuple(said) for mark, said in texts.items()}, frozenset(_merged(text)))


def _merged(text: str) -> Iterator[str]:
    """Yield the facts of all compaction records."""
    for found in _COMPACTION.finditer(text):
        record = parse_line(_line(text, text.rfind("\n", 0, found.start()) + 1)).record
        if record is not None and record.text != CHECKPOINT_TEXT:
            yield from (fact.text for fact in parse_digest(record.text, "", "", record.sensitivity, ""))


def _records(text: str) -> Iterator[tuple[str, int]]:
    """Yield the id of each record and the offset of its line."""
    for found in _RECORD.finditer(text):
        if found[1]:
            yield found[1], found.start()
            continue
        record = parse_line(_line(text, found.start())).record
        if record is not None:
            yield record.id, found.start()


def _line(text: str, start: int) -> str:
    end = text.find("\n", start)
    return text[start : end if end >= 0 else len(text)]
