"""A memory record: one line of MEMORY.md, of a daily log or of the archive."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

SENSITIVITIES = ("public", "private-user", "operational", "secret")
SECRET = "secret"
DEFAULT_SENSITIVITY = "private-user"
"""Sensitivity of a record without a label; the next rewrite of the record stores it."""

CONFIRMED = "confirmedAt"
"""JSON key of a record: the time at which a person confirmed it."""
COMPACTION = "compaction"
CHECKPOINT_TEXT = "Pre-compaction memory flush checkpoint"


@dataclass(frozen=True, slots=True)
class Category:
    """Treatment of the records of one category. The defaults apply to unknown categories of other programs."""

    title: str = ""
    """Heading of a list of such records; empty for the name of the category."""
    is_protected: bool = False
    """Never merged by a compaction, and shown first if space is short."""
    value: int = 2
    """Value of a merged fact; facts of less value leave MEMORY.md first."""
    ages: bool = True
    """Reported as stale if old. Events do not become stale: compaction merges them."""
    states_claims: bool = True
    """Checked for contradictions. False if records repeat other records."""
    is_turn_report: bool = False
    """Written by an agent about one turn: announcements and sentences about the moment are ignored."""
    becomes_experience: bool = False
    """Source of experiences."""


CATEGORIES: dict[str, Category] = {
    "note": Category("notes", value=3, becomes_experience=True),
    "learned": Category("what was learned", is_protected=True, becomes_experience=True),
    "user-preference": Category("preferences", is_protected=True, becomes_experience=True),
    "decision": Category("decisions", is_protected=True, becomes_experience=True),
    "profile": Category(is_protected=True),
    "turn-summary": Category("turns", ages=False, is_turn_report=True, becomes_experience=True),
    "heartbeat": Category(value=0, ages=False, states_claims=False),
    COMPACTION: Category(ages=False, states_claims=False),
}
"""Categories that CueDeck writes, in the order of lists; records of other programs may have others."""
_UNKNOWN = Category()


def category_of(name: str) -> Category:
    """Return the treatment of records of a category."""
    return CATEGORIES.get(name, _UNKNOWN)


def is_secret(sensitivity: str) -> bool:
    """Return whether a sensitivity label hides its record; an unknown label counts as secret."""
    return sensitivity == SECRET or sensitivity not in SENSITIVITIES


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
        """True for a record of a category that is never merged and is shown first."""
        return category_of(self.category).is_protected

    @property
    def is_secret(self) -> bool:
        """True for a record shown only on explicit request for secrets; an unknown label counts as secret."""
        return is_secret(self.sensitivity)
