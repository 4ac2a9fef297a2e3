"""Result values of the doctor: findings, repairs, and the report."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any, NamedTuple

from cuedeck.model.diagnostic import Level
from cuedeck.model.errors import FINDING_CODES

LEVELS: tuple[Level, ...] = ("error", "warning", "info")
"""Levels of findings, most severe first."""


class Finding(NamedTuple):
    """One problem found by a check."""

    check: str
    """Name of the check that found it."""
    level: Level
    path: str
    line: int
    """1-based line; 0 for the whole file."""
    code: str
    message: str
    hint: str

    def as_json(self) -> dict[str, Any]:
        """Return the finding as the JSON value of the commands."""
        return {**self._asdict(), "error": FINDING_CODES.get(self.code)}


class Repair(NamedTuple):
    """One repair: planned, done, or failed."""

    path: str
    what: str
    done: bool
    problem: str
    """Why the repair failed; empty if it succeeded or was only planned."""


@dataclass(frozen=True, slots=True)
class Report:
    """The state of a workspace."""

    findings: tuple[Finding, ...]
    """Findings, most severe first, then in order of path and line."""
    files: int
    cards: int
    refs: int
    checks: tuple[str, ...]
    """Names of the checks that ran."""

    def count(self, level: Level) -> int:
        """Return the number of findings of one level."""
        return Counter(finding.level for finding in self.findings)[level]

    def healthy(self, *, strict: bool = False) -> bool:
        """Return whether there are no errors, and with `strict` no warnings either."""
        if self.count("error"):
            return False
        return not (strict and self.count("warning"))

    def as_json(self, *, strict: bool = False) -> dict[str, Any]:
        """Return the report as the JSON value of the commands."""
        return {
            "healthy": self.healthy(strict=strict),
            "files": self.files,
            "cards": self.cards,
            "refs": self.refs,
            "findings": [each.as_json() for each in self.findings],
        }
