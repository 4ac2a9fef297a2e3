"""A decision: what was chosen, why, and what it holds for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

ACCEPTED = "accepted"
SUPERSEDED = "superseded"
REJECTED = "rejected"


@dataclass(frozen=True, slots=True)
class Decision:
    """The state of one decision after all lines of the log."""

    id: str
    timestamp: str
    """Of its first line."""
    decision: str
    subject: str
    """What it is about; the text itself where nothing else was said."""
    rationale: str
    alternatives: tuple[str, ...]
    impact: tuple[str, ...]
    """Free words."""
    affects: tuple[str, ...]
    """Addresses, the `file` of the line first."""
    card: str
    session: str
    status: str
    """`accepted`, `superseded`, `rejected`, or another word a person wrote; what follows from others included."""
    supersedes: str
    superseded_by: str
    """Id of the decision that took its place first; empty when there is none."""
    commit: str
    """HEAD when it was made or last confirmed; empty outside a repository."""
    proof: Mapping[str, str]
    """sha256 (hex) of what each address named then."""
