"""What an examination found, and what a repair did."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any, NamedTuple

from cuedeck.model.errors import FINDING_CODES
from cuedeck.model.file import Level

LEVELS: tuple[Level, ...] = ("error", "warning", "info")
"""The gravest first."""


class Finding(NamedTuple):
    """One thing a person may want to mend."""

    check: str
    """Name of the check that found it."""
    level: Level
    path: str
    line: int
    """1-based; 0 when the whole file is meant."""
    code: str
    message: str
    hint: str


class Repair(NamedTuple):
    """One thing a repair does, did, or could not do."""

    path: str
    what: str
    done: bool
    problem: str
    """Why it could not be done; empty when it was, or when nobody tried."""


@dataclass(frozen=True, slots=True)
class Report:
    """The state of a workspace."""

    findings: tuple[Finding, ...]
    """Order: gravest first, then by path and line."""
    files: int
    cards: int
    refs: int
    checks: tuple[str, ...]
    """Names of the checks that ran."""

    def count(self, level: Level) -> int:
        """Return the number of findings of one level."""
        return Counter(finding.level for finding in self.findings)[level]

    def healthy(self, *, strict: bool = False) -> bool:
        """Tell whether there is no error; with `strict` no warning either."""
        return not self.count("error") and not (strict and self.count("warning"))

    def as_json(self, *, strict: bool = False) -> dict[str, Any]:
        """Return the report as commands give it."""
        return {
            "healthy": self.healthy(strict=strict),
            "files": self.files,
            "cards": self.cards,
            "refs": self.refs,
            "findings": [{**each._asdict(), "error": FINDING_CODES.get(each.code)} for each in self.findings],
        }
