"""An experience: a statement distilled from a record, found again by a query."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from cuedeck.model.memory_record import DEFAULT_SENSITIVITY, is_secret


@dataclass(frozen=True, slots=True)
class Experience:
    """One line of experiences.jsonl."""

    id: str
    text: str
    category: str = "note"
    session: str = ""
    timestamp: str = ""
    """Timestamp of the record, as written there."""
    record: str = ""
    """Id of the source record; empty for an experience added by hand."""
    sensitivity: str = DEFAULT_SENSITIVITY
    entities: tuple[str, ...] = ()
    """Addresses, code identifiers and @names in the text, in text order."""
    confidence: float = 1
    sources: tuple[str, ...] = ()
    """Ids of further records with the same or less content."""
    value: Mapping[str, Any] = field(default_factory=dict, hash=False, compare=False)
    """The JSON object as read, including unknown keys."""
    line: int = 0
    """1-based line of the file; 0 if not written yet."""

    @property
    def is_secret(self) -> bool:
        """True for an experience that is never shown; an unknown label counts as
        secret.
        """
        return is_secret(self.sensitivity)
