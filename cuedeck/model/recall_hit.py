"""Recall hits, and their totals for each recalled text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

RECORD = "record:"
"""Prefix of the address of a record."""
STRONG_SCORE = 0.6
"""Score from which a hit counts as the answer to its query: the best hit, or a second
one that is nearly as good.

Weaker hits are counted, but they do not make a text a candidate for promotion: every
answer ends with hits that only share a word with the query.
"""


class RecallHit(NamedTuple):
    """One text in one answer of a recall. It contains no words of text or query."""

    address: str
    """`record:<id>`, or the path and lines of a passage."""
    path: str
    """Workspace-relative path of the file, or `extra:<name>/…`."""
    line: int
    """First line of the text when it was recalled; later edits may move it."""
    text_key: str
    """Hash of the text, from `recall_hits.text_key`."""
    query_key: str
    """Hash of the words of the query, from `count_recalls.query_key`."""
    score: float
    """From 0 to 1: 1 for the best hit of an answer, less for later ones."""
    date: str
    """Day of the recall, as `2026-11-22`."""


@dataclass(frozen=True, slots=True)
class RecallTotal:
    """All hits of one text."""

    address: str
    path: str
    line: int
    text_key: str
    count: int
    """Number of hits."""
    score_sum: float
    """Sum of the scores of all hits."""
    days: tuple[tuple[str, int], ...]
    """Newest days with a strong hit, in order, and their numbers of strong hits. A hit
    is strong from `STRONG_SCORE`.
    """
    queries: tuple[tuple[str, str, int], ...]
    """Newest different queries with a strong hit, in order of the last day of each;
    that day, and their numbers of strong hits.
    """

    @property
    def key(self) -> str:
        """Identity of the text: the address of a record, which stays if its text is
        edited, else the hash of the text, because edits above move a passage.
        """
        return self.address if self.is_record else self.text_key

    @property
    def is_record(self) -> bool:
        """Whether the text is a record."""
        return self.address.startswith(RECORD)

    @property
    def record_id(self) -> str:
        """Id of the record; empty for a passage."""
        return self.address.removeprefix(RECORD) if self.is_record else ""
