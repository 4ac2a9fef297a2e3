"""A compaction record in few characters, for who shows it among others."""

from __future__ import annotations

from cuedeck.memory.compaction.fact import Fact
from cuedeck.memory.compaction.lines import fact_lines, parse_items
from cuedeck.memory.compaction.sections import section_lines, split_sections


def newest_facts(text: str, room: int) -> str:
    """Return the newest facts of a compaction record that fit, under their heads and in their order.

    A text that is none, or in which not even one fact fits, comes back empty; one that fits as it is.
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
            cost += len(section_lines([fact], head.sessions, head.topic)[0]) + len(" to 2026-11-21") + 1
        if cost <= room:
            kept[at].append(fact)
            room -= cost
    return "\n".join(
        line
        for (head, facts), held in zip(sections, kept, strict=True)
        if held
        for line in section_lines([fact for fact in facts if fact in held], head.sessions, head.topic)
    )
