"""Filters of a search in the index of recall, as conditions in SQL."""

from __future__ import annotations

from typing import NamedTuple

from cuedeck.model.entry_node import CORTEX_KIND
from cuedeck.model.recall_values import UNIT_BITS

_DAY_LENGTH = len("2026-11-23")
_LATEST = "9999-99"
"""Text that sorts after every date."""
# SQLite looks up the first part in an index of dates, which has days among times.
_IN_PERIOD = (
    "units.date BETWEEN ? AND ?"
    " AND CASE length(units.date) WHEN 0 THEN 0"
    f" WHEN {_DAY_LENGTH} THEN units.date BETWEEN ? AND ?"
    " ELSE units.date >= ? AND units.date < ? END"
)
_IN_FOLDER = (
    f"units.number >> {UNIT_BITS} IN"
    " (SELECT number FROM files WHERE path = ? OR substr(path, 1, ?) = ?)"
)


class Period(NamedTuple):
    """A span of time; an empty text means that it has no limit."""

    first: str = ""
    """First local day."""
    last: str = ""
    """Last local day, inclusive."""
    begin: str = ""
    """UTC time at which it begins."""
    end: str = ""
    """UTC time at which it has ended."""


ANY_TIME = Period()


class Filters(NamedTuple):
    """Conditions on units; an empty condition matches every unit."""

    kinds: tuple[str, ...] = ()
    category: str = ""
    session: str = ""
    """Prefix of the id of a session."""
    period: Period = ANY_TIME
    below: str = ""
    """Path of a file, or of a folder above files of the index."""
    without_messages: bool = False
    """Whether messages of timelines are left out."""


def sql_condition(filters: Filters) -> tuple[str, list[str]]:
    """Return the SQL condition of filters, empty for none, and its values."""
    parts: list[str] = []
    values: list[str] = []
    if filters.kinds:
        marks = ", ".join("?" * len(filters.kinds))
        parts.append(f"units.kind IN ({marks})")
        values += filters.kinds
    if filters.category:
        parts.append("units.category = ?")
        values.append(filters.category)
    if filters.session:
        parts.append("substr(units.session, 1, ?) = ?")
        values += [str(len(filters.session)), filters.session]
    if any(filters.period):
        parts.append(_IN_PERIOD)
        period = filters.period
        last = period.last or _LATEST
        end = period.end or _LATEST
        earliest = min(period.first, period.begin)
        latest = max(last, end)
        values += earliest, latest, period.first, last, period.begin, end
    if filters.without_messages:
        parts.append("NOT (units.kind = ? AND units.session <> '')")
        values.append(CORTEX_KIND)
    if filters.below:
        parts.append(_IN_FOLDER)
        folder = f"{filters.below}/"
        values += [filters.below, str(len(folder)), folder]
    return " AND ".join(parts), values
