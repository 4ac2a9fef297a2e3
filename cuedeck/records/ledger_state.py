"""The state of a ledger: its entries folded by time, whatever the order of its lines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from cuedeck.model.ledger_entry import LedgerEntry
from cuedeck.parse.timestamps import moment_of


def fold(entries: Iterable[LedgerEntry]) -> Mapping[str, Mapping[str, Any]]:
    """Return the fields of every id; a later entry replaces those it names.

    Order: by the time of an id's first entry. Entries of one time count in the order of their
    digests, so that two branches that were merged say the same whichever side came first.
    """
    found: dict[str, dict[str, Any]] = {}
    for entry in sorted(entries, key=_when):
        known = found.setdefault(entry.id, {"id": entry.id, "timestamp": entry.timestamp})
        known |= {key: value for key, value in entry.value.items() if key not in ("id", "timestamp")}
        known["changed"] = entry.timestamp
    return found


def _when(entry: LedgerEntry) -> tuple[bool, float, str]:
    """Order entries by their time; those without one come first."""
    moment = moment_of(entry.timestamp)
    return moment is not None, moment.timestamp() if moment else 0.0, entry.digest
