"""What the archive holds of the records and facts that a run is about."""

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
    """An archive as far as it was asked about."""

    lines: frozenset[str]
    """Those of the records that were asked for."""
    texts: Mapping[str, tuple[str, ...]]
    """By mark what the records say that go by it."""
    merged: frozenset[str]
    """What its compaction records say, fact by fact."""

    def holds(self, marks: Collection[str]) -> bool:
        """Tell whether it holds a record for each mark."""
        return all(mark in self.texts for mark in marks)

    def says(self, marks: Collection[str], text: str) -> bool:
        """Tell whether it holds a record for each mark, and one of them or a compaction record says this."""
        return self.holds(marks) and (text in self.merged or any(text in self.texts[mark] for mark in marks))


def archived_ids(text: str) -> Iterator[str]:
    """Yield the id of each record of an archive."""
    return (identity for identity, _ in _records(text))


def look_up(text: str, ids: Collection[str], marks: Iterable[str]) -> Archived:
    """Look in an archive for records by their ids and by their marks."""
    beginnings: dict[str, list[str]] = {}
    for mark in dict.fromkeys(marks):
        # `=` and `~` are marks of whole ids, which have no beginning to look under.
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
    """Yield the id of each record and where its line begins."""
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
