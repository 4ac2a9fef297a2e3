"""Format of compaction records: writing facts as a record, and parsing them."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from cuedeck.model.memory_record import COMPACTION
from cuedeck.parse.record_file import format_record
from cuedeck.records.compaction.fact import Fact, fact_lines, parse_items, plain_text
from cuedeck.records.compaction.sections_text import Head, section_lines, split_sections

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


def parse_digest(text: str, mark: str, day: str, sensitivity: str, session: str) -> list[Fact]:
    """Return the facts of a compaction record; text without a source is attributed to the record itself.

    `mark`, `day`, `sensitivity` and `session` are those of the record. A record that another program merged yields a
    fact for each paragraph.
    """
    facts: list[Fact] = []
    loose: list[str] = []
    for head, lines in split_sections(text.split("\n")):
        said, other = _section(head, lines, sensitivity)
        facts += said
        loose += other
    rest = "\n".join(loose)
    # Other programs write paragraphs; a record of ours contains little but facts.
    pieces = [rest] if facts else _PARAGRAPHS.split(rest)
    sessions = (session,) if session and session != SYSTEM else ()
    facts += [
        Fact(own, (mark,), day, day, sensitivity, sessions=sessions) for piece in pieces if (own := plain_text(piece))
    ]
    return facts


def _section(head: Head | None, lines: Sequence[str], sensitivity: str) -> tuple[list[Fact], Sequence[str]]:
    """Return the facts of a section, and its other lines; these include its head if it has no facts."""
    if head is None:
        return [], lines
    items = parse_items(lines[1:], head.first, head.last)
    facts = [
        replace(item, sensitivity=sensitivity, category=head.category, sessions=head.sessions)
        for item in items
        if isinstance(item, Fact)
    ]
    return facts, [item for item in items if isinstance(item, str)] if facts else lines


def digest_id(digest: Digest) -> str:
    """Return the id of a compaction record: a version 4 UUID derived from its content."""
    seed = f"{digest.sensitivity}\n{digest.text}".encode("utf-8", "surrogatepass")
    digits = hashlib.sha256(seed).hexdigest()
    variant = "89ab"[int(digits[16], 16) % 4]
    return f"{digits[:8]}-{digits[8:12]}-4{digits[13:16]}-{variant}{digits[17:20]}-{digits[20:32]}"


def newest_facts(text: str, room: int) -> str:
    """Return the newest facts of a compaction record that fit, under their heads and in their order.

    A text that fits is returned unchanged. The result is empty if the text has no facts or not even one fits.
    """
    if len(text) <= room:
        return text
    sections = [
        (head, [item for item in parse_items(lines[1:], head.first, head.last) if isinstance(item, Fact)])
        for head, lines in split_sections(text.split("\n"))
        if head is not None
    ]
    kept: list[list[Fact]] = [[] for _ in sections]
    order = [(fact.last, at, fact) for at, (_, facts) in enumerate(sections) for fact in facts]
    for _, at, fact in sorted(order, key=lambda each: each[0], reverse=True):
        head = sections[at][0]
        cost = len("\n".join(fact_lines([fact], "", head.last))) + 1
        if not kept[at]:
            cost += len(section_lines([fact], head.sessions, head.category)[0]) + len(" to 2026-11-21") + 1
        if cost <= room:
            kept[at].append(fact)
            room -= cost
    return "\n".join(
        line
        for (head, facts), held in zip(sections, kept, strict=True)
        if held
        for line in section_lines([fact for fact in facts if fact in held], head.sessions, head.category)
    )
