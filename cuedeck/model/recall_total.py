"""Totals of the recall hits of each recalled text."""

from __future__ import annotations

from dataclasses import dataclass

from cuedeck.model.recall_hit import RECORD, key_of


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
        """Identity of the text: the address of a record, else the hash of the text."""
        return key_of(self.address, self.text_key)

    @property
    def is_record(self) -> bool:
        """Whether the text is a record."""
        return self.address.startswith(RECORD)

    @property
    def record_id(self) -> str:
        """Id of the record; empty for a passage."""
        return self.address.removeprefix(RECORD) if self.is_record else ""
