"""Lookup of records and facts in the archive."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

from cuedeck.ledger.records.compaction_record import parse_digest
from cuedeck.ledger.records.fact import Fact, plain_text
from cuedeck.ledger.records.record_file import parse_line
from cuedeck.ledger.records.short_ids import SHORTEST, names
from cuedeck.model.memory_record import CHECKPOINT_TEXT
from cuedeck.model.record_categories import COMPACTION

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

    def has_records(self, marks: Collection[str]) -> bool:
        """Return whether the archive contains a record for each mark."""
        return all(mark in self.texts for mark in marks)

    def has_fact(self, fact: Fact) -> bool:
        """Return whether all sources of a fact are archived, and one of them or a
        compaction record has its text.
        """
        if not self.has_records(fact.sources):
            return False
        return fact.text in self.merged or any(
            fact.text in self.texts[mark] for mark in fact.sources
        )


def archived_ids(text: str) -> Iterator[str]:
    """Yield the id of each record of an archive."""
    return (identity for identity, _ in _records(text))


def look_up(text: str, ids: Collection[str], marks: Iterable[str]) -> Archived:
    """Search an archive for records by their ids and by their marks."""
    by_prefix: dict[str, list[str]] = {}
    for mark in dict.fromkeys(marks):
        # `=` and `~` marks refer to whole ids, so they cannot be indexed by prefix.
        is_whole = mark[0] in "=~"
        prefix = "" if is_whole else mark[:SHORTEST]
        by_prefix.setdefault(prefix, []).append(mark)
    unindexed = by_prefix.pop("", [])
    lines: list[str] = []
    texts: dict[str, tuple[str, ...]] = {}
    for identity, start in _records(text):
        candidates = by_prefix.get(identity[:SHORTEST], []) + unindexed
        matches = [mark for mark in candidates if names(mark, identity)]
        if not matches and identity not in ids:
            continue
        line = _line(text, start)
        lines.append(line)
        record = parse_line(line).record
        if record is None:
            continue
        for mark in matches:
            texts[mark] = (*texts.get(mark, ()), plain_text(record.text))
    return Archived(frozenset(lines), texts, frozenset(_merged(text)))


def _merged(text: str) -> Iterator[str]:
    """Yield the facts of all compaction records."""
    for found in _COMPACTION.finditer(text):
        start = text.rfind("\n", 0, found.start()) + 1
        record = parse_line(_line(text, start)).record
        if record is None or record.text == CHECKPOINT_TEXT:
            continue
        for fact in parse_digest(record.text, "", "", record.sensitivity, ""):
            yield fact.text


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
    if end < 0:
        return text[start:]
    return text[start:end]
