"""Scores of recalled facts, and the choice of those that are promoted."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import NamedTuple

from cuedeck.knowledge.experiences.duplicates import DuplicateIndex
from cuedeck.model.recall_values import RecallTotal
from cuedeck.model.settings_schema import DreamSettings
from cuedeck.text.sentences import split_sentences
from cuedeck.text.words import read_words, stop_stems

MAX_CHARS = 600
"""Maximum number of characters of a promoted passage."""
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
    size: int
    """Number of terms without stop words and numbers, where two characters of a script
    without spaces are one.
    """
    fault: str
    """Reason why the text is not a fact; empty if it is one."""


def read_statement(text: str, *, is_claim: bool = False) -> Statement:
    """Return the statement of a text. `is_claim` marks a text that is known to state a
    fact, so that two terms suffice.
    """
    lines = "\n".join(_statement_lines(text))
    joined = " ".join(lines.split())
    size = _count_terms(joined)
    fault = ""
    if joined.endswith(("?", "？")):
        fault = "a question"
    elif size < (_MIN_CLAIM_TERMS if is_claim else _MIN_TERMS):
        fault = "no statement"
    return Statement(joined, lines, size, fault)


def shorten(text: str, limit: int = MAX_CHARS) -> str:
    """Return a text of at most `limit` characters, cut after a sentence if possible."""
    if len(text) <= limit:
        return text
    head = text[: limit - 1]
    whole = " ".join(split_sentences(head)[:-1])
    if len(whole) >= limit // 3:
        return whole
    return head.rsplit(" ", 1)[0].rstrip() + "…"


def _statement_lines(text: str) -> Iterator[str]:
    for line in text.split("\n"):
        content = _MARK.sub("", line).strip()
        is_layout = _LAYOUT.fullmatch(line) or _LAYOUT.fullmatch(content)
        if content and not is_layout:
            yield content


def _count_terms(text: str) -> int:
    words = {stems[-1] for stems in read_words(text)} - stop_stems()
    terms = [word for word in words if not word[0].isdigit()]
    # In scripts without spaces, two characters and their pair count as one term.
    characters = [term for term in terms if len(term) <= 2 and not term.isascii()]
    return len(terms) - len(characters) + len(characters) // 4


THRESHOLD = 0.85
"""Similarity from which two texts are the same fact."""
FULL_RECALLS = 10
"""Recalls with the full score for frequency, which grows with their logarithm."""
FULL_QUERIES = 5
FULL_DAYS = 5
FULL_TERMS = 10
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
    record_id: str
    """Id of the record; empty for a passage."""
    day: str
    """Day of the record or of the daily log; empty if unknown."""
    is_promoted: bool
    """Whether the text, or the record made of it, is already promoted."""


class Signals(NamedTuple):
    """Parts of a score, each from 0 to 1."""

    relevance: float
    frequency: float
    queries: float
    recency: float
    days: float
    terms: float


@dataclass(frozen=True, slots=True)
class Scored:
    """One fact with the recalls of all its near-duplicates."""

    text: RecalledText
    """The record, else the passage, that was recalled most."""
    joined: int
    """Number of its near-duplicates."""
    is_promoted: bool
    recalls: int
    """Number of strong hits within the days that count."""
    days: int
    queries: int
    """Numbers of different days and queries with a strong hit."""
    newest_day: str
    """Newest day with a strong hit; empty without one."""
    signals: Signals
    score: float
    """Weighted mean of the signals, from 0 to 1."""
    fault: str = ""
    """Reason why the fact is not promoted; empty if it is."""


def score_facts(
    texts: Iterable[RecalledText], settings: DreamSettings, today: date
) -> list[Scored]:
    """Return the facts of recalled texts with score and decision, best score first.

    Only recalls of the last days count. The scores depend on the counts and `today`
    alone: no earlier night changes them.
    """
    facts: list[Scored] = []
    for group in _near_duplicates(texts):
        facts.append(_score(group, settings, today))
    facts.sort(key=lambda fact: (-fact.score, fact.text.total.key))
    chosen = 0
    for at, fact in enumerate(facts):
        chosen += not fact.fault
        if not fact.fault and chosen > settings.max_promotions:
            fault = f"waits: at most {settings.max_promotions:,} promotions in a night"
            facts[at] = replace(fact, fault=fault)
    return facts


def _near_duplicates(texts: Iterable[RecalledText]) -> Iterable[list[RecalledText]]:
    index = DuplicateIndex("words", THRESHOLD)
    groups: dict[str, list[RecalledText]] = {}
    for each in sorted(texts, key=_preference):
        near = index.find(each.statement.text)
        if near is not None:
            groups[near.id].append(each)
            continue
        key = each.total.key
        index.add(key, each.statement.text)
        groups[key] = [each]
    return groups.values()


def _preference(text: RecalledText) -> tuple[bool, bool, int, str]:
    strong = sum(number for _, number in text.total.days)
    return not text.is_promoted, not text.record_id, -strong, text.total.key


def _score(
    group: Sequence[RecalledText], settings: DreamSettings, today: date
) -> Scored:
    first = today - timedelta(days=settings.max_age_days)
    first_day, last_day = first.isoformat(), today.isoformat()
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
    newest = max(days, default="")
    recency = 0.0
    if newest:
        age = (today - date.fromisoformat(newest)).days
        recency = 0.5 ** (age / settings.half_life_days)
    several_days = len(days) if len(days) > 1 else 0
    frequency = math.log1p(days.total()) / math.log1p(FULL_RECALLS)
    signals = Signals(
        relevance=min(1.0, score_sum / max(1, count)),
        frequency=min(1.0, frequency),
        queries=_share(len(queries), FULL_QUERIES),
        recency=recency,
        days=_share(several_days, FULL_DAYS),
        terms=_share(group[0].statement.size, FULL_TERMS),
    )
    fact = Scored(
        text=group[0],
        joined=len(group) - 1,
        is_promoted=any(each.is_promoted for each in group),
        recalls=days.total(),
        days=len(days),
        queries=len(queries),
        newest_day=newest,
        signals=signals,
        score=_weigh(signals, settings),
    )
    most = max(queries.values(), default=0)
    share_of_query = most / max(1, queries.total())
    return replace(fact, fault=_find_fault(fact, share_of_query, settings))


def _weigh(signals: Signals, settings: DreamSettings) -> float:
    weights = Signals(
        relevance=settings.weight_relevance,
        frequency=settings.weight_frequency,
        queries=settings.weight_queries,
        recency=settings.weight_recency,
        days=settings.weight_days,
        terms=settings.weight_terms,
    )
    total = sum(weights)
    if not total:
        return 0.0
    pairs = zip(weights, signals, strict=True)
    return round(sum(weight * value for weight, value in pairs) / total, _PRECISION)


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


def _share(count: int, full: int) -> float:
    return min(1.0, count / full)
