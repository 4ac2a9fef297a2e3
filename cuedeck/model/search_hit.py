"""Search result values shared by all searches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from cuedeck.model.ports import Json

LONGEST_SNIPPET = 500
"""Maximum length of a snippet in characters."""


class Hit(NamedTuple):
    """One search result; the JSON keys equal the field names."""

    address: str
    """Address that `read_address` accepts."""
    path: str
    kind: str
    """`card`, `doc`, `source`, `binary`, `folder`, `section`, `symbol`, `record`, or
    another kind of ledger entry.
    """
    title: str
    lines: tuple[int, int]
    """First and last line, 1-based and inclusive."""
    score: float
    """Relevance, comparable only within one result list."""
    why: str
    snippet: str

    def as_json(self) -> Json:
        """Return the JSON value of the hit."""
        return {**self._asdict(), "lines": list(self.lines)}


def answer_of(query: str, hits: Sequence[Hit], total: int) -> Json:
    """Return the JSON value of a search result."""
    return {"query": query, "hits": [hit.as_json() for hit in hits], "total": total}


def cut(text: str, around: int = 0, longest: int = LONGEST_SNIPPET) -> str:
    """Return a text on one line, shortened to `longest` characters that include
    position `around`.
    """
    if len(text) > longest:
        start = max(0, min(around - longest // 4, len(text) - longest))
        end = start + longest
        before = "…" if start else ""
        after = "…" if end < len(text) else ""
        text = f"{before}{text[start:end].strip()}{after}"
    return " ".join(text.split())
