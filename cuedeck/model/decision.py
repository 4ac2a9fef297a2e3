"""A decision: the choice, its rationale and the addresses it affects."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

ACCEPTED = "accepted"
SUPERSEDED = "superseded"
REJECTED = "rejected"


@dataclass(frozen=True, slots=True)
class Decision:
    """State of one decision after all lines of the log are applied."""

    id: str
    timestamp: str
    """Time of its first line."""
    decision: str
    subject: str
    """Topic of the decision; the decision text itself if no subject was given."""
    rationale: str
    alternatives: tuple[str, ...]
    impact: tuple[str, ...]
    """Free text."""
    affects: tuple[str, ...]
    """Addresses; the `file` of the log line comes first."""
    card: str
    session: str
    status: str
    """`accepted`, `superseded`, `rejected` or another word a person wrote, after
    applying later decisions.
    """
    supersedes: str
    superseded_by: str
    """Id of the first decision that superseded it; empty if there is none."""
    commit: str
    """HEAD when the decision was made or last confirmed; empty outside a repository."""
    proof: Mapping[str, str]
    """sha256 (hex) of the content of each address at that time."""
