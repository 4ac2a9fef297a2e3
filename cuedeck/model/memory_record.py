"""A memory record: one line of MEMORY.md, of a daily log or of the archive."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from cuedeck.model.record_categories import category_of

SENSITIVITIES = ("public", "private-user", "operational", "secret")
SECRET = "secret"
_STRICTNESS = {"public": 0, "operational": 1, "private-user": 2, SECRET: 3}
_UNKNOWN_STRICTNESS = 4
DEFAULT_SENSITIVITY = "private-user"
"""Sensitivity of a record without a label; the next rewrite of the record stores it."""

CONFIRMED = "confirmedAt"
"""JSON key of a record: the time at which a person confirmed it."""
PROMOTED = "promoted"
"""JSON key of a record: source, score and date of its promotion by dreaming."""
CHECKPOINT_TEXT = "Pre-compaction memory flush checkpoint"


def is_secret(sensitivity: str) -> bool:
    """Return whether a sensitivity label hides its record; an unknown label counts as
    secret.
    """
    return sensitivity == SECRET or sensitivity not in SENSITIVITIES


def strictest(labels: Iterable[str]) -> str:
    """Return the most restrictive sensitivity; unknown ones count as stricter than all
    known ones.
    """

    def strictness(label: str) -> int:
        return _STRICTNESS.get(label, _UNKNOWN_STRICTNESS)

    return max(labels, key=strictness)


@dataclass(frozen=True, slots=True)
class Record:
    """One memory record."""

    id: str
    text: str
    category: str = "note"
    session: str = ""
    channel: str = "cli"
    """`sourceChannel` of the provenance."""
    confidence: float = 1
    timestamp: str = ""
    """As written; RFC 3339 if written by CueDeck."""
    sensitivity: str = DEFAULT_SENSITIVITY
    value: Mapping[str, Any] = field(default_factory=dict, hash=False, compare=False)
    """The JSON object as read, including unknown keys."""
    line: int = 0
    """1-based line of the file; 0 if not written yet."""

    @property
    def is_protected(self) -> bool:
        """True for a record that is never merged and has priority in the memory block:
        one of a protected category, or a promoted one.
        """
        return category_of(self.category).is_protected or self.is_promoted

    @property
    def is_promoted(self) -> bool:
        """True for a record that dreaming promoted because it was recalled often."""
        return isinstance(self.value.get(PROMOTED), dict)

    @property
    def is_secret(self) -> bool:
        """True for a record shown only on explicit request for secrets; an unknown
        label counts as secret.
        """
        return is_secret(self.sensitivity)
