"""A record: one line of MEMORY.md, of a daily log, or of the archive."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

SENSITIVITIES = ("public", "private-user", "operational", "secret")
SECRET = "secret"
DEFAULT_SENSITIVITY = "private-user"
"""Of a record that does not say; it is written with it at the next rewrite of its own."""

CONFIRMED = "confirmedAt"
"""Key of a record's JSON: when somebody said that it still holds."""
COMPACTION = "compaction"
CHECKPOINT_TEXT = "Pre-compaction memory flush checkpoint"
CATEGORIES = (
    "note",
    "learned",
    "user-preference",
    "decision",
    "profile",
    "turn-summary",
    "heartbeat",
    COMPACTION,
)
"""Categories of what is written; records that other programs wrote may have others."""
HIGH_VALUE = ("user-preference", "learned", "decision", "profile")
"""Categories that are worth most of the room there is, and that are never merged; all others are when they are old."""


def is_secret(sensitivity: str) -> bool:
    """Tell whether a label hides what bears it; an unknown label counts as secret."""
    return sensitivity == SECRET or sensitivity not in SENSITIVITIES


@dataclass(frozen=True, slots=True)
class Record:
    """One thing that is remembered."""

    id: str
    text: str
    category: str = "note"
    session: str = ""
    channel: str = "cli"
    """`sourceChannel` of the provenance."""
    confidence: float = 1
    timestamp: str = ""
    """As written; RFC 3339 in what is written here."""
    sensitivity: str = DEFAULT_SENSITIVITY
    value: Mapping[str, Any] = field(default_factory=dict, hash=False, compare=False)
    """The JSON object as it was read, with keys that nobody here knows."""
    line: int = 0
    """1-based line of the file; 0 for one that is not written."""

    @property
    def is_secret(self) -> bool:
        """True for a record that is shown to none but those who ask for secrets; an unknown label counts as one."""
        return is_secret(self.sensitivity)
