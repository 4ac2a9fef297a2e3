"""DREAMS.md: one entry for each night, with the promoted facts."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from datetime import datetime
from typing import NamedTuple

from cuedeck.ledger.kinds.promotion_kind import Promotion
from cuedeck.model.formatting import counted, shorten

HEADER = (
    "# Dreams\n\nDiary of `cuedeck dream run`: the facts that were recalled often, and those "
    "that were promoted into MEMORY.md.\n"
)
_LONGEST_FACT = 200
_HEADING = re.compile(r"## (\d{4}-\d{2}-\d{2} \d{2}:\d{2})\s*")
_RECORD = re.compile(r"record:([^\s`,;)]+)")


class Night(NamedTuple):
    """Content of one entry."""

    moment: datetime
    facts: int
    """Number of facts recalled on the days that count."""
    recalls: int
    """Number of strong hits within the days that count."""
    promotions: Sequence[Promotion]
    newest_day: str
    """Newest day with a recall; empty if there is none."""


def format_night(night: Night) -> str:
    """Return the Markdown of one entry, with a blank line before it."""
    facts = counted(night.facts, "recalled fact")
    recalls = counted(night.recalls, "recall")
    parts = [f"## {night.moment:%Y-%m-%d %H:%M}", f"{facts}, {recalls}."]
    if night.promotions:
        lines = map(_promotion_line, night.promotions)
        parts += ["### Promoted into MEMORY.md", "\n".join(lines)]
    return "".join(f"\n{part}\n" for part in parts)


def _promotion_line(promotion: Promotion) -> str:
    words = promotion.record.text.split()
    text = shorten(" ".join(words), _LONGEST_FACT)
    recalls = counted(promotion.recalls, "recall")
    days = counted(promotion.days, "day")
    queries = "1 query"
    if promotion.queries != 1:
        queries = f"{promotion.queries:,} queries"
    evidence = f"score {promotion.score:.2f}; {recalls} on {days} by {queries}"
    address = f"record:{promotion.record.id}"
    place = f"`{address}`"
    if promotion.source != address:
        place += f" from `{promotion.source}`"
    return f"- {text} ({place}; {evidence})"


def has_news(night: Night, diary: str) -> bool:
    """Return whether a night is worth an entry: it has promotions, or facts were
    recalled since the day of the last entry.
    """
    if night.promotions:
        return True
    nights = split_nights(diary)
    last_day = nights[-1][0][:10] if nights else ""
    return night.newest_day > last_day


def with_entry(diary: str, entry: str) -> str:
    """Return the diary with an entry at its end."""
    if not diary.strip():
        diary = HEADER
    if not diary.endswith("\n"):
        diary += "\n"
    return diary + entry


def split_nights(text: str) -> list[tuple[str, str]]:
    """Return moment and text of each entry, oldest first."""
    nights: list[tuple[str, list[str]]] = []
    for line in text.split("\n"):
        heading = _HEADING.fullmatch(line)
        if heading:
            nights.append((heading[1], []))
        if nights:
            nights[-1][1].append(line)
    return [(moment, "\n".join(lines).strip()) for moment, lines in nights]


def without_ids(text: str, ids: Collection[str]) -> str:
    """Return the diary without the lines that name some records."""
    lines = text.split("\n")
    return "\n".join(line for line in lines if named_ids(line).isdisjoint(ids))


def named_ids(text: str) -> set[str]:
    """Return the ids of the records that the diary names."""
    return set(_RECORD.findall(text))
