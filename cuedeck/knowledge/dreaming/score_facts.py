"""Scores of recalled facts, and the choice of those that are promoted."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import NamedTuple

from cuedeck.ledger.records.recall_hits import text_key
from cuedeck.model.memory_record import Record
from cuedeck.model.recall_values import RecallTotal
from cuedeck.model.settings_schema import DreamSettings
from cuedeck.text.words import read_words, stop_stems

_MIN_TERMS = 3
"""Terms that a statement needs; titles such as "Session notes" have fewer."""
_MIN_CLAIM_TERMS = 2
"""Terms that suffice in a record that states a claim."""
_LAYOUT = re.compile(
    r"\s{0,3}(?:#{1,6}(?:\s.*)?|(?:[-*_=]\s*){3,}|[=-]+|`{3,}.*|~{3,}.*)\s*"
    r"|\s*(?:\*\*[^*]+\*\*|__[^_]+__)\s*:?\s*|[^.!?。！？:]{1,60}:"
)
"""A heading, a rule, a fence, a line in bold, or a label."""
_MARK = re.compile(r"^\s*(?:>\s?|[-*+]\s+(?:\[[ xX]\]\s+)?|\d{1,3}[.)]\s+)+")


class Statement(NamedTuple):
    """Part of a text that states something."""

    text: str
    """Text on one line, without headings, labels and list marks."""
    lines: str
    """The same text with its line ends: joining them may hide the format of a secret.
    """
    fault: str
    """Reason why the text is not a fact; empty if it is one."""


def read_statement(text: str, *, is_claim: bool = False) -> Statement:
    """Return the statement of a text. `is_claim` marks a text that is known to state a
    fact, so that two terms suffice.
    """
    lines = "\n".join(_statement_lines(text))
    joined = " ".join(lines.split())
    words = {stems[-1] for stems in read_words(joined)} - stop_stems()
    size = sum(not word[0].isdigit() for word in words)
    fault = ""
    if joined.endswith(("?", "？")):
        fault = "a question"
    elif size < (_MIN_CLAIM_TERMS if is_claim else _MIN_TERMS):
        fault = "no statement"
    return Statement(joined, lines, fault)


def _statement_lines(text: str) -> Iterator[str]:
    for line in text.split("\n"):
        content = _MARK.sub("", line).strip()
        is_layout = _LAYOUT.fullmatch(line) or _LAYOUT.fullmatch(content)
        if content and not is_layout:
            yield content


_FULL = {"frequency": 10, "queries": 5, "days": 5}
"""Numbers with the full score, which grows with their logarithm."""
MOST_OF_ONE_QUERY = 2 / 3
"""Largest share of the recalls that one query may have. A text that one query finds day
after day is the best answer to another query once by chance.
"""
_PRECISION = 4


@dataclass(frozen=True, slots=True)
class RecalledText:
    """A recalled text as its file contains it now."""

    total: RecallTotal
    statement: Statement
    source: str
    """Address that `read` opens: `record:<id>`, or path and lines."""
    record: Record
    """The record that is promoted."""
    is_promoted: bool
    """Whether the text, or the record made of it, is already promoted."""


@dataclass(frozen=True, slots=True)
class Scored:
    """One fact with the recalls of all texts that state it."""

    text: RecalledText
    """The record, else the passage, that was recalled most."""
    joined: int
    """Number of the other texts with the same words."""
    is_promoted: bool
    recalls: int
    """Number of strong hits within the days that count."""
    days: int
    queries: int
    """Numbers of different days and queries with a strong hit."""
    newest_day: str
    """Newest day with a strong hit; empty without one."""
    signals: Mapping[str, float]
    """Parts of the score, each from 0 to 1."""
    score: float
    """Mean of the signals, from 0 to 1."""
    fault: str = ""
    """Reason why the fact is not promoted; empty if it is."""


def score_facts(
    texts: Iterable[RecalledText], settings: DreamSettings, today: date
) -> list[Scored]:
    """Return the facts of recalled texts with score and decision, best score first.

    Only recalls of the last days count. The scores depend on the counts and `today`
    alone: no earlier night changes them.
    """
    groups: dict[str, list[RecalledText]] = {}
    for each in sorted(texts, key=_preference):
        groups.setdefault(text_key(each.statement.text), []).append(each)
    facts = [_score(group, settings, today) for group in groups.values()]
    facts.sort(key=lambda fact: (-fact.score, fact.text.total.key))
    chosen = 0
    for at, fact in enumerate(facts):
        chosen += not fact.fault
        if not fact.fault and chosen > settings.max_promotions:
            fault = f"waits: at most {settings.max_promotions:,} promotions in a night"
            facts[at] = replace(fact, fault=fault)
    return facts


def _preference(text: RecalledText) -> tuple[bool, bool, int, str]:
    total = text.total
    return not text.is_promoted, not total.is_record, -len(total.strong), total.key


def _score(
    group: Sequence[RecalledText], settings: DreamSettings, today: date
) -> Scored:
    since = (today - timedelta(days=settings.max_age_days)).isoformat()
    hits = [hit for text in group for hit in text.total.strong]
    recent = [hit for hit in hits if since <= hit.date <= today.isoformat()]
    days = sorted({hit.date for hit in recent})
    queries = Counter(hit.query_key for hit in recent)
    counts = {"frequency": len(recent), "queries": len(queries), "days": len(days)}
    signals = {
        name: min(1.0, math.log1p(count) / math.log1p(_FULL[name]))
        for name, count in counts.items()
    }
    fact = Scored(
        text=group[0],
        joined=len(group) - 1,
        is_promoted=any(each.is_promoted for each in group),
        recalls=len(recent),
        days=len(days),
        queries=len(queries),
        newest_day=days[-1] if days else "",
        signals=signals,
        score=round(sum(signals.values()) / len(signals), _PRECISION),
    )
    share_of_query = max(queries.values(), default=0) / max(1, len(recent))
    return replace(fact, fault=_find_fault(fact, share_of_query, settings))


def _find_fault(fact: Scored, share_of_query: float, settings: DreamSettings) -> str:
    if fact.is_promoted:
        return "already promoted"
    if fact.recalls < settings.min_recalls:
        recalls = f"{fact.recalls} of {settings.min_recalls} recalls"
        return f"{recalls} in {settings.max_age_days} days"
    if fact.days < settings.min_days:
        return f"recalled on {fact.days} of {settings.min_days} days"
    if fact.queries < settings.min_queries:
        return f"recalled by {fact.queries} of {settings.min_queries} queries"
    if settings.min_queries > 1 and share_of_query > MOST_OF_ONE_QUERY:
        return f"{share_of_query:.0%} of the recalls are of one query"
    if fact.score < settings.min_score:
        return f"score {fact.score:.2f} of {settings.min_score:.2f}"
    return ""
