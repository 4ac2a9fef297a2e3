"""Parser of the log of recall hits, and writer of its totals: JSON Lines.

A line with the key `count` is a total that replaces older hits; any other line is one
hit. The order of the lines is the order of time.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any, NamedTuple, TypeGuard

from cuedeck.ledger.records.recall_hit_line import format_line
from cuedeck.model.recall_hit import STRONG_SCORE, RecallHit, RecallTotal

MAX_DAYS = 32
"""Maximum number of days kept for a text; consolidation needs five."""
MAX_QUERIES = 32
"""Maximum number of queries kept for a text; diversity needs five."""
_LONGEST_ADDRESS = 1_000
_LARGEST_NUMBER = 1_000_000_000
"""Largest number in a line. Python reads integers that no `float` can hold."""
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


class RecallLog(NamedTuple):
    """A parsed log."""

    totals: Mapping[str, RecallTotal]
    """Totals by the key of their text; the text that was recalled last is the last."""
    malformed: int
    """Number of lines that are neither a hit nor a total."""


def format_totals(totals: Iterable[RecallTotal]) -> bytes:
    """Return the lines of totals."""
    lines = []
    for total in totals:
        row = {
            "address": total.address,
            "path": total.path,
            "line": total.line,
            "text": total.text_key,
            "count": total.count,
            "score": round(total.score_sum, 4),
            "days": total.days,
            "queries": total.queries,
        }
        lines.append(format_line(row))
    return b"".join(lines)


def parse_recall_log(data: bytes) -> RecallLog:
    """Parse a log. A malformed line loses only the hits of that line."""
    sums: dict[str, _Sum] = {}
    malformed = 0
    for raw in data.split(b"\n"):
        if not raw.strip():
            continue
        found = _parse_line(raw)
        if found is None:
            malformed += 1
            continue
        entry = sums.pop(found.key, None) or _Sum()
        entry.add(found)
        sums[found.key] = entry
    totals = {key: entry.total() for key, entry in sums.items()}
    return RecallLog(totals, malformed)


def is_day(text: str) -> bool:
    """Return whether a text is a valid day such as `2026-11-22`."""
    if not _DAY.fullmatch(text):
        return False
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


@dataclass(slots=True)
class _Sum:
    """Total that is still growing."""

    address: str = ""
    path: str = ""
    line: int = 0
    text_key: str = ""
    count: int = 0
    score_sum: float = 0.0
    days: Counter[str] = field(default_factory=Counter)
    queries: dict[str, str] = field(default_factory=dict)
    """Last day of each query with a strong hit."""
    hits_of_query: Counter[str] = field(default_factory=Counter)

    def add(self, found: RecallHit | RecallTotal) -> None:
        """Add a hit or an earlier total."""
        self.address = found.address
        self.path = found.path
        self.line = found.line
        self.text_key = found.text_key
        if isinstance(found, RecallTotal):
            self.count += found.count
            self.score_sum += found.score_sum
            self._add_strong(found.days, found.queries)
            return
        self.count += 1
        self.score_sum += found.score
        if found.score >= STRONG_SCORE:
            self._add_strong(((found.date, 1),), ((found.query_key, found.date, 1),))

    def _add_strong(
        self, days: Iterable[tuple[str, int]], queries: Iterable[tuple[str, str, int]]
    ) -> None:
        for day, count in days:
            self.days[day] += count
        for query, day, count in queries:
            self.queries[query] = max(day, self.queries.get(query, ""))
            self.hits_of_query[query] += count

    def total(self) -> RecallTotal:
        """Return the total with its newest days and queries."""
        days = sorted(self.days.items())
        newest = sorted(self.queries, key=lambda query: (self.queries[query], query))
        queries = []
        for query in newest:
            row = (query, self.queries[query], self.hits_of_query[query])
            queries.append(row)
        return RecallTotal(
            self.address,
            self.path,
            self.line,
            self.text_key,
            self.count,
            self.score_sum,
            tuple(days[-MAX_DAYS:]),
            tuple(queries[-MAX_QUERIES:]),
        )


def _parse_line(raw: bytes) -> RecallHit | RecallTotal | None:
    try:
        row = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    if not isinstance(row, dict):
        return None
    place = _parse_place(row)
    if place is None:
        return None
    if "count" in row:
        return _parse_total(place, row)
    return _parse_hit(place, row)


class _Place(NamedTuple):
    address: str
    path: str
    line: int
    text_key: str


def _parse_place(row: Mapping[str, Any]) -> _Place | None:
    address = row.get("address")
    path = row.get("path")
    line = row.get("line")
    text = row.get("text")
    if not isinstance(address, str) or not 0 < len(address) <= _LONGEST_ADDRESS:
        return None
    if not isinstance(path, str) or len(path) > _LONGEST_ADDRESS:
        return None
    if type(line) is not int or not 0 <= line <= _LARGEST_NUMBER:
        return None
    if not _is_key(text):
        return None
    return _Place(address, path, line, str(text))


def _parse_hit(place: _Place, row: Mapping[str, Any]) -> RecallHit | None:
    query = row.get("query")
    day = row.get("date")
    score = _number(row.get("score"), 1.0)
    if score is None or not _is_key(query):
        return None
    if not isinstance(day, str) or not is_day(day):
        return None
    return RecallHit(*place, str(query), score, day)


def _parse_total(place: _Place, row: Mapping[str, Any]) -> RecallTotal | None:
    count = row.get("count")
    days = row.get("days")
    queries = row.get("queries")
    if not _is_count(count):
        return None
    score = _number(row.get("score"), count)
    if score is None:
        return None
    if not isinstance(days, list) or not all(map(_is_counted_day, days)):
        return None
    if not isinstance(queries, list) or not all(map(_is_dated_query, queries)):
        return None
    counted_days = tuple((day, number) for day, number in days)
    dated_queries = tuple((query, day, number) for query, day, number in queries)
    return RecallTotal(
        *place,
        count,
        score,
        counted_days,
        dated_queries,
    )


def _is_counted_day(value: object) -> bool:
    match value:
        case [str(day), count]:
            return is_day(day) and _is_count(count)
    return False


def _is_dated_query(value: object) -> bool:
    match value:
        case [query, str(day), count]:
            return _is_key(query) and is_day(day) and _is_count(count)
    return False


def _is_count(value: object) -> TypeGuard[int]:
    return type(value) is int and 0 < value <= _LARGEST_NUMBER


def _is_key(value: object) -> bool:
    return isinstance(value, str) and 0 < len(value) <= 64


def _number(value: object, most: float) -> float | None:
    """Return a number limited to the range from 0 to `most`; None if it is not one."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if not -_LARGEST_NUMBER <= value <= _LARGEST_NUMBER:
        # NaN is not in the range either.
        return None
    return float(min(max(value, 0.0), most))
