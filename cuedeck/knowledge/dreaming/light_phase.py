"""Light phase: gathers recalled texts and joins near-duplicates to candidates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cuedeck.knowledge.dreaming.statement_text import Statement
from cuedeck.knowledge.experiences.duplicates import WordIndex
from cuedeck.model.recall_total import RecallTotal

THRESHOLD = 0.85
"""Similarity from which two texts are the same fact."""


@dataclass(frozen=True, slots=True)
class RecalledText:
    """A recalled text as its file contains it now."""

    total: RecallTotal
    statement: Statement
    source: str
    """Address that `read` opens: `record:<id>`, or path and lines."""
    record_id: str
    """Id of the record; empty for a passage."""
    day: str
    """Day of the record or of the daily log; empty if unknown."""
    is_promoted: bool
    """Whether the text, or the record made of it, is already promoted."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """One fact with the recalls of all its near-duplicates."""

    text: RecalledText
    """The record, else the passage, that was recalled most."""
    others: tuple[RecalledText, ...]
    """Near-duplicates of the text."""
    recalls: int
    """Number of strong hits within the days that count."""
    relevance: float
    """Mean score of all hits, from 0 to 1."""
    days: tuple[str, ...]
    """Days with a strong hit, in order."""
    queries: int
    """Number of different queries with a strong hit."""
    share_of_query: float = 0.0
    """Share of the strong hits that one query has at most."""

    @property
    def is_promoted(self) -> bool:
        """Whether the fact is already promoted."""
        return any(each.is_promoted for each in (self.text, *self.others))


def gather(
    texts: Iterable[RecalledText], first_day: str, last_day: str
) -> list[Candidate]:
    """Return the candidates of recalled texts, each text in one of them.

    Only recalls on the given days count, both included: a fact that was recalled often
    long ago is not fresh because of one recall today. Order: most recalls first, then
    by key.
    """
    index = WordIndex(THRESHOLD)
    groups: dict[str, list[RecalledText]] = {}
    for each in sorted(texts, key=_preference):
        key = each.total.key
        text = each.statement.text
        near = index.find(text)
        if near is not None:
            groups[near.id].append(each)
            continue
        index.add(key, text)
        groups[key] = [each]
    candidates = [_join(group, first_day, last_day) for group in groups.values()]
    candidates.sort(key=lambda each: (-each.recalls, each.text.total.key))
    return candidates


def _preference(text: RecalledText) -> tuple[bool, bool, int, str]:
    total = text.total
    strong = sum(number for _, number in total.days)
    return not text.is_promoted, not text.record_id, -strong, total.key


def _join(group: Sequence[RecalledText], first_day: str, last_day: str) -> Candidate:
    """Return the candidate of near-duplicates; the first is its text."""
    count = 0
    score_sum = 0.0
    days: Counter[str] = Counter()
    queries: Counter[str] = Counter()
    for text in group:
        count += text.total.count
        score_sum += text.total.score_sum
        for day, number in text.total.days:
            if first_day <= day <= last_day:
                days[day] += number
        for query, day, number in text.total.queries:
            if first_day <= day <= last_day:
                queries[query] += number
    relevance = score_sum / count if count else 0.0
    return Candidate(
        text=group[0],
        others=tuple(group[1:]),
        recalls=days.total(),
        relevance=min(relevance, 1.0),
        days=tuple(sorted(days)),
        queries=len(queries),
        share_of_query=max(queries.values(), default=0) / max(1, queries.total()),
    )
