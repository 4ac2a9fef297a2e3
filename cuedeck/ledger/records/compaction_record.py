"""Format of compaction records: writing facts as a record, and parsing them."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from cuedeck.ledger.records.fact import Fact, fact_lines, parse_items, plain_text
from cuedeck.ledger.records.record_file import format_record
from cuedeck.ledger.records.sections_text import Head, section_lines, split_sections
from cuedeck.model.record_categories import COMPACTION

SYSTEM = "system"
"""Session and channel of a record without a session of its own."""
_PARAGRAPHS = re.compile(r"\n[ \t]*\n")


class Digest(NamedTuple):
    """The content of one compaction record."""

    text: str
    sensitivity: str
    session: str
    last: str
    """Day of its newest fact."""
    facts: int


def format_digest(digest: Digest) -> str:
    """Return the line of a compaction record; equal texts produce equal lines."""
    return format_record(
        {
            "id": digest_id(digest),
            "sessionId": digest.session,
            "category": COMPACTION,
            "text": digest.text,
            "provenance": {
                "sourceChannel": SYSTEM,
                "confidence": 1,
                "timestamp": f"{digest.last}T00:00:00.000Z",
                "sensitivity": digest.sensitivity,
            },
        }
    )


def parse_digest(
    text: str, mark: str, day: str, sensitivity: str, session: str
) -> list[Fact]:
    """Return the facts of a compaction record; text without a source is attributed to
    the record itself.

    `mark`, `day`, `sensitivity` and `session` are those of the record. A record that
    another program merged yields a fact for each paragraph.
    """
    facts: list[Fact] = []
    other_lines: list[str] = []
    for head, lines in split_sections(text.split("\n")):
        section_facts, other = _section(head, lines, sensitivity)
        facts += section_facts
        other_lines += other
    rest = "\n".join(other_lines)
    # Other programs write paragraphs; a record of ours contains little but facts.
    paragraphs = [rest] if facts else _PARAGRAPHS.split(rest)
    sessions = (session,) if session and session != SYSTEM else ()
    for statement in filter(None, map(plain_text, paragraphs)):
        facts.append(
            Fact(
                text=statement,
                sources=(mark,),
                first=day,
                last=day,
                sensitivity=sensitivity,
                sessions=sessions,
            )
        )
    return facts


def _section(
    head: Head | None, lines: Sequence[str], sensitivity: str
) -> tuple[list[Fact], Sequence[str]]:
    """Return the facts of a section, and its other lines; these include its head if it
    has no facts.
    """
    if head is None:
        return [], lines
    facts: list[Fact] = []
    other: list[str] = []
    for item in parse_items(lines[1:], head.first, head.last):
        if isinstance(item, Fact):
            facts.append(
                replace(
                    item,
                    sensitivity=sensitivity,
                    category=head.category,
                    sessions=head.sessions,
                )
            )
        else:
            other.append(item)
    return facts, other if facts else lines


def digest_id(digest: Digest) -> str:
    """Return the id of a compaction record: a version 4 UUID derived from its
    content.
    """
    seed = f"{digest.sensitivity}\n{digest.text}".encode("utf-8", "surrogatepass")
    digits = hashlib.sha256(seed).hexdigest()
    variant = "89ab"[int(digits[16], 16) % 4]
    return f"{digits[:8]}-{digits[8:12]}-4{digits[13:16]}-{variant}{digits[17:20]}-{digits[20:32]}"


def newest_facts(text: str, room: int) -> str:
    """Return the newest facts of a compaction record that fit, under their heads and in
    their order.

    A text that fits is returned unchanged. The result is empty if the text has no facts
    or not even one fits.
    """
    if len(text) <= room:
        return text
    heads: list[Head] = []
    facts: list[tuple[int, Fact]] = []
    for head, lines in split_sections(text.split("\n")):
        if head is None:
            continue
        items = parse_items(lines[1:], head.first, head.last)
        for item in items:
            if isinstance(item, Fact):
                facts.append((len(heads), item))
        heads.append(head)
    chosen: dict[int, list[Fact]] = {}
    for section, fact in sorted(facts, key=lambda each: each[1].last, reverse=True):
        head = heads[section]
        cost = len("\n".join(fact_lines([fact], "", head.last))) + 1
        if section not in chosen:
            head_line = section_lines([fact], head.sessions, head.category)[0]
            cost += len(head_line) + len(" to 2026-11-21") + 1
        if cost <= room:
            chosen.setdefault(section, []).append(fact)
            room -= cost
    lines_shown: list[str] = []
    for section in sorted(chosen):
        head = heads[section]
        members = [
            fact for at, fact in facts if at == section and fact in chosen[section]
        ]
        lines_shown += section_lines(members, head.sessions, head.category)
    return "\n".join(lines_shown)
