"""An experience: what is distilled of a record and can be found again by a question."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from cuedeck.model.memory_record import DEFAULT_SENSITIVITY, is_secret

CATEGORIES = ("note", "learned", "turn-summary", "user-preference", "decision")
"""Of the records that become experiences."""


@dataclass(frozen=True, slots=True)
class Experience:
    """One line of experiences.jsonl."""

    id: str
    text: str
    category: str = "note"
    session: str = ""
    timestamp: str = ""
    """Of the record, as written there."""
    record: str = ""
    """Id of the record it was made of; empty for one that was added by hand."""
    sensitivity: str = DEFAULT_SENSITIVITY
    entities: tuple[str, ...] = ()
    """Addresses, code words and @names of the text, in its order."""
    confidence: float = 1
    sources: tuple[str, ...] = ()
    """Ids of further records that say the same, or less."""
    value: Mapping[str, Any] = field(default_factory=dict, hash=False, compare=False)
    """The JSON object as it was read, with keys that nobody here knows."""
    line: int = 0
    """1-based line of the file; 0 for one that is not written."""

    @property
    def is_secret(self) -> bool:
        """True for one that is never shown; an unknown label counts as secret."""
        return is_secret(self.sensitivity)
