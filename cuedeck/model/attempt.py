"""A failed attempt: what was tried on which place, and how it failed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Attempt:
    """One line of the log of attempts."""

    id: str
    timestamp: str
    on: tuple[str, ...]
    """Addresses."""
    tried: str
    failed: str
    error: str
    """The end of what was printed, verbatim but masked."""
    card: str
    session: str
    commit: str
    proof: Mapping[str, str]
    """sha256 (hex) of what each address named then."""
