"""State of a ledger: its entries merged in order of time, regardless of the order of
its lines.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from cuedeck.model.ledger_entry import LedgerEntry
from cuedeck.text.timestamps import moment_of


def fold(entries: Iterable[LedgerEntry]) -> Mapping[str, Mapping[str, Any]]:
    """Return the merged fields of every id; a later entry overrides the fields it
    contains.

    Order: by the time of the first entry of an id. Entries with equal times are ordered
    by their digests, so that the result of merging two git branches does not depend on
    which side comes first.
    """
    found: dict[str, dict[str, Any]] = {}
    for entry in sorted(entries, key=_when):
        first = {"id": entry.id, "timestamp": entry.timestamp}
        fields = found.setdefault(entry.id, first)
        fields |= {key: value for key, value in entry.value.items() if key not in first}
        fields["changed"] = entry.timestamp
    return found


def _when(entry: LedgerEntry) -> tuple[bool, float, str]:
    """Return the sort key of an entry: its time; entries without one come first."""
    moment = moment_of(entry.timestamp)
    seconds = moment.timestamp() if moment else 0.0
    return moment is not None, seconds, entry.digest
