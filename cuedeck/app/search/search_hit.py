"""What is found, whatever found it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from cuedeck.ranking.bm25 import UNIT

LONGEST_SNIPPET = 400
"""Characters of a snippet."""


class Hit(NamedTuple):
    """One thing that answers a question; as JSON its fields are what they are called here."""

    address: str
    """Can be read."""
    path: str
    kind: str
    """`card`, `doc`, `source`, `binary`, `folder`, `section`, `symbol`, `record`, or the word of another ledger."""
    title: str
    lines: tuple[int, int]
    """First and last line, 1-based and inclusive."""
    score: float
    """Comparable within one answer."""
    why: str
    snippet: str


def answer_of(query: str, hits: Sequence[Hit], total: int) -> dict[str, Any]:
    """Return hits as an answer in JSON."""
    return {
        "query": query,
        "hits": [{**hit._asdict(), "lines": list(hit.lines)} for hit in hits],
        "total": total,
    }


def to_score(points: int) -> float:
    """Return whole points as a score."""
    return round(points / UNIT, 3)


def cut(text: str, around: int = 0) -> str:
    """Return a text on one line, of at most so many characters as a snippet has, with what stands at `around`."""
    if len(text) > LONGEST_SNIPPET:
        start = max(0, min(around - LONGEST_SNIPPET // 4, len(text) - LONGEST_SNIPPET))
        end = start + LONGEST_SNIPPET
        text = ("…" if start else "") + text[start:end].strip() + ("…" if end < len(text) else "")
    return " ".join(text.split())
