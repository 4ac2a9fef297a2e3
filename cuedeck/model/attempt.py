"""A failed attempt: the action, the places it concerned and the failure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Attempt:
    """One line of the log of failed attempts."""

    id: str
    timestamp: str
    on: tuple[str, ...]
    """Addresses."""
    tried: str
    failed: str
    error: str
    """The end of the command output, verbatim except that secrets are masked."""
    card: str
    session: str
    commit: str
    proof: Mapping[str, str]
    """sha256 (hex) of the content of each address at that time."""
