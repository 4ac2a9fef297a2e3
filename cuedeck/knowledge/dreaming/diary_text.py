"""DREAMS.md: one entry for each night, with themes, promotions and facts that miss a
threshold.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from cuedeck.knowledge.dreaming.deep_phase import Scored
from cuedeck.knowledge.dreaming.promotion_lines import Promotion
from cuedeck.knowledge.dreaming.rem_phase import Theme
from cuedeck.knowledge.dreaming.statement_text import shorten
from cuedeck.model.formatting import counted

HEADER = (
    "# Dreams\n\nDiary of `cuedeck dream run`: the facts that were recalled often, and those "
    "that were promoted into MEMORY.md.\n"
)
MAX_WAITING = 5
"""Number of facts listed that miss a threshold."""
_LONGEST_FACT = 200
_HEADING = re.compile(r"## (\d{4}-\d{2}-\d{2} \d{2}:\d{2})\s*")
_PROMOTED = "Promoted into MEMORY.md"
_PROMOTED_SECTION = re.compile(
    rf"^### {re.escape(_PROMOTED)}\n.*?(?=^### |\Z)", re.MULTILINE | re.DOTALL
)
_RECORD = re.compile(r"record:([^\s`,;)]+)")


class Night(NamedTuple):
    """Content of one entry."""

    moment: datetime
    facts: int
    """Number of facts recalled on the days that count."""
    recalls: int
    """Number of strong hits within the days that count."""
    joined: int
    """Number of near-duplicates joined to another text."""
    themes: Sequence[Theme]
    promotions: Sequence[Promotion]
    waiting: Sequence[Scored]
    """Facts that miss a threshold, best first."""
    newest_day: str
    """Newest day with a recall; empty if there is none."""


def format_night(night: Night) -> str:
    """Return the Markdown of one entry, with a blank line before it."""
    facts = counted(night.facts, "recalled fact")
    summary = f"{facts}, {counted(night.recalls, 'recall')}"
    if night.joined:
        summary += f"; {counted(night.joined, 'near-duplicate')} joined"
    themes = map(_theme_line, night.themes)
    promotions = map(_promotion_line, night.promotions)
    waiting = map(_waiting_line, night.waiting[:MAX_WAITING])
    parts = [
        f"## {night.moment:%Y-%m-%d %H:%M}",
        f"{summary}.",
        *_section("Themes", themes),
        *_section(_PROMOTED, promotions),
        *_section("Not yet", waiting),
    ]
    return "".join(f"\n{part}\n" for part in parts)


def _section(title: str, lines: Iterable[str]) -> list[str]:
    listed = "\n".join(lines)
    if not listed:
        return []
    return [f"### {title}", listed]


def _theme_line(theme: Theme) -> str:
    terms = ", ".join(theme.terms)
    quoted = [f"`{address}`" for address in theme.addresses]
    addresses = ", ".join(quoted)
    facts = counted(len(quoted), "fact")
    days = counted(theme.days, "day")
    return f"- {terms}: {facts} on {days} ({addresses})"


def _promotion_line(promotion: Promotion) -> str:
    words = promotion.record.text.split()
    text = shorten(" ".join(words), _LONGEST_FACT)
    recalls = counted(promotion.recalls, "recall")
    days = counted(promotion.days, "day")
    queries = counted_queries(promotion.queries)
    evidence = f"score {promotion.score:.2f}; {recalls} on {days} by {queries}"
    address = f"record:{promotion.record.id}"
    place = f"`{address}`"
    if promotion.source != address:
        place += f" from `{promotion.source}`"
    return f"- {text} ({place}; {evidence})"


def counted_queries(number: int) -> str:
    """Return a number of queries with its noun."""
    return "1 query" if number == 1 else f"{number:,} queries"


def _waiting_line(scored: Scored) -> str:
    return f"- `{scored.candidate.text.source}`: {scored.fault}"


def has_news(night: Night, diary: str) -> bool:
    """Return whether a night is worth an entry: it has promotions, or facts were
    recalled since the last entry.

    A repetition on the same day that finds the same, and promotes nothing, is not.
    """
    if night.promotions:
        return True
    nights = split_nights(diary)
    if not nights or not night.newest_day:
        return bool(night.newest_day)
    moment, entry = nights[-1]
    if night.newest_day < moment[:10]:
        return False
    found = format_night(night).strip()
    if moment[:10] == f"{night.moment:%Y-%m-%d}":
        # The first night of the day may have promoted what this one finds.
        entry = _PROMOTED_SECTION.sub("", entry).strip()
    return _body(entry) != _body(found)


def _body(entry: str) -> str:
    return entry.partition("\n")[2]


def lists_promotion(diary: str, identity: str) -> bool:
    """Return whether an entry lists a record as promoted."""
    place = f"(`record:{identity}`"
    return f"{place};" in diary or f"{place} from " in diary


def newest_day_of(diary: str) -> str:
    """Return the day of the newest entry; empty if there is none."""
    nights = split_nights(diary)
    return nights[-1][0][:10] if nights else ""


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
    kept = []
    for line in text.split("\n"):
        named = named_ids(line)
        if named.isdisjoint(ids):
            kept.append(line)
    return "\n".join(kept)


def named_ids(text: str) -> set[str]:
    """Return the ids of the records that the diary names."""
    return set(_RECORD.findall(text))
