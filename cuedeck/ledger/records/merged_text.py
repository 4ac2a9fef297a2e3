"""Merged texts: the facts of a compaction record, or of the long memory, under heads.

A compaction record has a head for each category, `2026-11-01 to 2026-11-20: note`; the
heads of earlier versions name sessions, too. The long memory has a head for each block,
`## Summary (2026-11-01 to 2026-11-20)`. Text that another program or a person wrote
stays as it is.
"""

from __future__ import annotations

import hashlib
import re
import uuid
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import NamedTuple

from cuedeck.ledger.records.fact import (
    BULLET,
    INDENT,
    Fact,
    Marked,
    by_time,
    format_fact,
    parse_fact,
    plain_text,
    without_sources,
)
from cuedeck.ledger.records.record_file import (
    Line,
    format_record,
    parse_records,
    value_of,
)
from cuedeck.model.memory_record import CHECKPOINT_TEXT, COMPACTION, Record

SYSTEM = "system"
"""Session and channel of a compaction record."""
OTHER = "other"
"""Label of facts without a category."""
_NO_DAY = "0000-01-01"
"""Day assumed for facts without a head."""
_DAYS = r"(\d{4}-\d\d-\d\d)(?: to (\d{4}-\d\d-\d\d))?"
_HEAD = re.compile(rf"{_DAYS}(?:, \S+(?: \S+)*?)?: (?P<category>\S.*)")
_SUMMARY = re.compile(rf"## Summary \({_DAYS}\)[ \t]*\r?(?P<category>)")
_PARAGRAPHS = re.compile(r"\n[ \t]*\n")


class Item(NamedTuple):
    """A line, with its further lines if it is the item of a list."""

    line: int
    """Index of its first line."""
    text: str
    fact: Fact | None


class Part(NamedTuple):
    """The lines from a head to the next one, or above the first head."""

    first: str
    last: str
    """Days of its head; empty without one."""
    items: Sequence[Item]
    """Its items. The first one is the head, if it has one."""

    @property
    def has_facts(self) -> bool:
        """Whether it contains at least one fact."""
        return any(item.fact is not None for item in self.items)


def parts_of(text: str) -> list[Part]:
    """Return the parts of a text; their items joined by line breaks are the text."""
    parts: list[Part] = []
    first = last = category = ""
    items: list[Item] = []
    day = _NO_DAY
    for line, written in _split(text):
        head = _HEAD.fullmatch(written) or _SUMMARY.fullmatch(written)
        if head is not None:
            if items:
                parts.append(Part(first, last, items))
            first, last, category = head[1], head[2] or head[1], head["category"] or ""
            items = []
            day = first
        fact = parse_fact(written, day, last[:4])
        if fact is not None:
            day = fact.day
            fact = replace(fact, category=category)
        items.append(Item(line, written, fact))
    parts.append(Part(first, last, items))
    return parts


def _split(text: str) -> Iterator[tuple[int, str]]:
    lines = text.split("\n")
    start = 0
    while start < len(lines):
        end = start + 1
        if lines[start].startswith(BULLET):
            while end < len(lines) and lines[end].startswith(INDENT):
                end += 1
        yield start, "\n".join(lines[start:end])
        start = end


def facts_of(text: str) -> list[tuple[Fact, int]]:
    """Return the facts of a text, each with the index of its first line."""
    items = [item for part in parts_of(text) for item in part.items]
    return [(item.fact, item.line) for item in items if item.fact is not None]


def without(text: str, ids: Collection[str]) -> str:
    """Return a text without the facts of some records.

    A fact with another named source stays, in its wording: all its sources are equal
    except for case, plural, articles and punctuation. A summary of several records is
    removed with any of them. A head without facts is removed, too; every other line
    stays.
    """
    gone = Marked(ids)
    kept: list[str] = []
    for part in parts_of(text):
        written = [without_sources(item.text, gone) for item in part.items]
        left = [each for each in written if each is not None]
        is_only_head = bool(part.first) and not any(map(str.strip, left[1:]))
        if len(left) == len(written) or not is_only_head:
            kept += left
    return "\n".join(kept)


def lines_without(text: str, ids: Collection[str]) -> set[int]:
    """Return the lines, counted from 1, that `without` would remove with facts."""
    gone = Marked(ids)
    found: set[int] = set()
    for line, written in _split(text):
        if without_sources(written, gone) is None:
            first = line + 1
            found.update(range(first, first + written.count("\n") + 1))
    return found


def parse_digest(text: str, mark: str, day: str, sensitivity: str) -> list[Fact]:
    """Return the facts of a compaction record; text without a source is attributed to
    the record itself, which has the mark and the day.

    A record that another program merged yields a fact for each paragraph.
    """
    facts: list[Fact] = []
    other: list[str] = []
    for part in parts_of(text):
        has_head = part.has_facts and bool(part.first)
        for item in part.items[has_head:]:
            if item.fact is None:
                other.append(item.text)
            else:
                facts.append(replace(item.fact, sensitivity=sensitivity))
    rest = "\n".join(other)
    # Other programs write paragraphs; a record of ours contains little but facts.
    paragraphs = [rest] if facts else _PARAGRAPHS.split(rest)
    for statement in filter(None, map(plain_text, paragraphs)):
        facts.append(Fact(statement, (mark,), day, sensitivity))
    return facts


def newest_facts(text: str, room: int) -> str:
    """Return the newest facts of a compaction record that fit, in order of time; a text
    that fits is unchanged.
    """
    if len(text) <= room:
        return text
    chosen: list[tuple[str, str]] = []
    for fact, _ in sorted(facts_of(text), key=lambda found: found[0].day, reverse=True):
        line = format_fact(fact, "")
        if len(line) < room:
            chosen.append((fact.day, line))
            room -= len(line) + 1
    return "\n".join(line for _, line in sorted(chosen))


def format_digests(facts: Iterable[Fact], largest: int) -> Iterator[str]:
    """Yield the lines of compaction records for facts of one sensitivity: a section for
    each category, in order of time, and about `largest` characters in each record.
    """
    ordered = sorted(facts, key=lambda fact: (fact.category or OTHER, *by_time(fact)))
    members: list[Fact] = []
    size = 0
    for fact in ordered:
        size += len(fact.text)
        if members and size > largest:
            yield _digest(members)
            members = []
            size = len(fact.text)
        members.append(fact)
    if members:
        yield _digest(members)


def _digest(facts: Sequence[Fact]) -> str:
    sections: list[str] = []
    for category, members in groupby(facts, key=lambda fact: fact.category or OTHER):
        group = list(members)
        days = days_of(group)
        sections.append(f"{days}: {' '.join(category.split())}")
        sections += fact_lines(group)
    last = max(fact.day for fact in facts)
    return format_digest("\n".join(sections), facts[0].sensitivity, last)


def days_of(facts: Sequence[Fact]) -> str:
    """Return the days of facts in order of time: `2026-11-01 to 2026-11-20`."""
    first, last = facts[0].day, facts[-1].day
    return first if first == last else f"{first} to {last}"


def fact_lines(facts: Sequence[Fact]) -> list[str]:
    """Return the items of facts in order of time, below a head with their days."""
    known = facts[-1].day
    if facts[0].day != known:
        known = known[: len("2026-")]
    return [format_fact(fact, known) for fact in facts]


def format_digest(text: str, sensitivity: str, day: str) -> str:
    """Return the line of a compaction record; equal texts produce equal lines."""
    seed = f"{sensitivity}\n{text}".encode("utf-8", "surrogatepass")
    digits = hashlib.sha256(seed).hexdigest()
    return format_record(
        {
            "id": str(uuid.UUID(digits[:32], version=4)),
            "sessionId": SYSTEM,
            "category": COMPACTION,
            "text": text,
            "provenance": {
                "sourceChannel": SYSTEM,
                "confidence": 1,
                "timestamp": f"{day}T00:00:00.000Z",
                "sensitivity": sensitivity,
            },
        }
    )


class Sources(NamedTuple):
    """The records that a compaction record was merged from."""

    ids: tuple[str, ...] = ()
    """Ids of the named sources that are known."""
    total: int = 0
    """Number of all sources, named and known or not."""


def sources_of(record: Record, known: Iterable[str]) -> Sources:
    """Return the sources of a compaction record among the known ids; empty for any
    other record.

    A mark that matches several ids is ignored, so that nothing is forgotten by
    accident.
    """
    if record.category != COMPACTION or record.text == CHECKPOINT_TEXT:
        return Sources()
    facts = [fact for fact, _ in facts_of(record.text)]
    marks = dict.fromkeys(mark for fact in facts for mark in fact.sources)
    others = (identity for identity in known if identity != record.id)
    ids = Marked(others).named_by(marks)
    return Sources(tuple(ids), len(marks) + sum(fact.more for fact in facts))


def records_named_in(text: str, ids: Collection[str]) -> str:
    """Describe the records, or facts of records, that a text contains; empty if there
    are none.
    """
    if not text:
        return ""
    found = [record.id for record in parse_records(text).records if record.id in ids]
    distinct = set(found)
    is_one = len(ids) == 1
    if not found:
        if without_records(text, ids) == text:
            return ""
        return "merged from it" if is_one else "merged from them"
    label = "the record"
    if not is_one:
        label = f"{len(distinct):,} of the records"
    if len(found) == len(distinct):
        return label
    return f"{label}, {len(found)} times"


def without_merged(text: str, identity: str) -> str:
    """Return the text of a file without the facts merged from a record; its own lines
    stay.
    """
    return _without(text, (identity,), are_lines_kept=True)


def without_records(text: str, ids: Collection[str]) -> str:
    """Return the text of a file without some records: their lines, and facts in merged
    records and prose.
    """
    return _without(text, ids, are_lines_kept=False)


def _without(text: str, ids: Collection[str], *, are_lines_kept: bool) -> str:
    kept: list[str] = []
    prose: list[str] = []

    def flush() -> None:
        if prose:
            kept.append(without("\n".join(prose), ids))
            prose.clear()

    for line in parse_records(text).lines:
        if line.record is None:
            # A truncated record line may still contain text that must be removed.
            if are_lines_kept or not _is_fragment(line, ids):
                prose.append(line.text)
            continue
        flush()
        is_kept = are_lines_kept and line.record.id in ids
        remaining = line.text if is_kept else _redact(line, line.record, ids)
        if remaining is not None:
            kept.append(remaining)
    flush()
    return "\n".join(kept)


def _is_fragment(line: Line, ids: Collection[str]) -> bool:
    if not line.fault:
        return False
    return any(identity in line.text for identity in ids)


def _redact(line: Line, record: Record, ids: Collection[str]) -> str | None:
    if record.id in ids:
        return None
    text = without(record.text, ids)
    if text == record.text:
        return line.text
    if not text.strip():
        return None
    return format_record(value_of(replace(record, text=text)))
