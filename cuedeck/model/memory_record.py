"""Memory records, which are lines of MEMORY.md, of a daily log or of the archive, their
categories, and the experiences distilled from them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

COMPACTION = "compaction"


class Category(NamedTuple):
    """Treatment of the records of one category. The defaults apply to unknown
    categories of other programs.
    """

    title: str = ""
    """Heading of a list of such records; empty for the name of the category."""
    is_protected: bool = False
    """Never merged by a compaction, and shown first if space is short."""
    has_content: bool = True
    """False if records report an event without content, which is never promoted."""
    ages: bool = True
    """Reported as stale if old. Events do not become stale: compaction merges them."""
    states_claims: bool = True
    """Checked for contradictions. False if records repeat other records."""
    is_turn_report: bool = False
    """Written by an agent about one turn: announcements and sentences about the moment
    are ignored.
    """
    becomes_experience: bool = False
    """Source of experiences."""


CATEGORIES: dict[str, Category] = {
    "note": Category("notes", becomes_experience=True),
    "learned": Category("lessons", is_protected=True, becomes_experience=True),
    "user-preference": Category(
        "preferences", is_protected=True, becomes_experience=True
    ),
    "decision": Category("decisions", is_protected=True, becomes_experience=True),
    "profile": Category(is_protected=True),
    "turn-summary": Category(
        "turns", ages=False, is_turn_report=True, becomes_experience=True
    ),
    "heartbeat": Category(has_content=False, ages=False, states_claims=False),
    COMPACTION: Category(ages=False, states_claims=False),
}
"""Categories that CueDeck writes, in the order of lists; records of other programs may
have others.
"""
_UNKNOWN = Category()


def category_of(name: str) -> Category:
    """Return the treatment of records of a category."""
    return CATEGORIES.get(name, _UNKNOWN)


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
