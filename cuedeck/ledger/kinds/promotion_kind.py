"""Kind of the promotions: facts that dreaming wrote into MEMORY.md."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass

from cuedeck.ledger.kind import Kind
from cuedeck.ledger.records.memory_files import PROMOTIONS
from cuedeck.model.entry_node import LedgerEntry
from cuedeck.model.memory_record import Record
from cuedeck.model.ports import Json


@dataclass(frozen=True, slots=True)
class Promotion:
    """One promoted fact."""

    record: Record
    """Record as it is added to MEMORY.md if it is not there."""
    source: str
    """Path and lines of the text in a daily log, else the address of the record."""
    score: float
    recalls: int
    days: int
    queries: int
    date: str

    @property
    def id(self) -> str:
        """Id of the record."""
        return self.record.id

    @property
    def mark(self) -> Json:
        """Value of the key `promoted` of the record."""
        return {
            "source": self.source,
            "score": self.score,
            "recalls": self.recalls,
            "days": self.days,
            "queries": self.queries,
            "date": self.date,
        }


class PromotionKind(Kind[Promotion]):
    """Promotions of a memory, by the ids of their records."""

    name = "promotion"

    @property
    def log(self) -> str:
        return PROMOTIONS.removesuffix(".jsonl")

    def format(self, value: Promotion) -> str:
        row = {"id": value.id, "timestamp": value.date, "score": value.score}
        return json.dumps(row, ensure_ascii=False)


PROMOTION = PromotionKind()


def promoted_ids(entries: Iterable[LedgerEntry]) -> frozenset[str]:
    """Return the ids of the promoted records in the lines of the log."""
    return frozenset(entry.id for entry in entries)
