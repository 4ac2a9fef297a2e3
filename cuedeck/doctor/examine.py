"""Run of all checks or repairs on one workspace."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from cuedeck.doctor import (  # noqa: F401 - they declare checks
    check_cache,
    check_cards,
    check_cortex,
    check_git,
    check_layout,
    check_ledgers,
    check_memory,
    check_refs,
    validate_cards,
)
from cuedeck.doctor.check_context import CHECKS, Check, failure, open_context
from cuedeck.doctor.repair import Repair, apply, planned
from cuedeck.model.diagnostic import Diagnostic, Level
from cuedeck.model.errors import FINDING_CODES, StorageError
from cuedeck.model.paths import HOME

if TYPE_CHECKING:
    from cuedeck.doctor.check_context import CheckContext
    from cuedeck.engine.workspace import Workspace
    from cuedeck.model.ports import Progress


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


def examine(
    workspace: Workspace, progress: Progress | None = None, *, everything: bool = False
) -> Report:
    """Update the index and run every check on CueDeck's files and the targets of their
    links, or on `everything` in the repository.
    """
    context = open_context(workspace, progress, everything=everything)
    try:
        return _report(context)
    finally:
        context.close()


def repair_workspace(
    workspace: Workspace,
    *,
    dry_run: bool = False,
    progress: Progress | None = None,
    everything: bool = False,
) -> tuple[Report, tuple[Repair, ...]]:
    """Apply all safe repairs; return the report after them and the repairs.

    Each user file is backed up to `.cuedeck/cache/backup/` before it is changed. With
    `dry_run` nothing is changed, and the report describes the current state.
    """
    context = open_context(workspace, progress, everything=everything)
    try:
        steps = planned(context)
        if dry_run:
            steps_only = [Repair(step.path, step.what, False, "") for step in steps]
            return _report(context), tuple(steps_only)
        done = tuple(map(apply, steps))
    finally:
        context.close()
    return examine(workspace, progress, everything=everything), done


def _report(context: CheckContext) -> Report:
    findings: list[Finding] = []
    unreadable: set[str] = set()
    for check in CHECKS:
        try:
            findings.extend(_findings(context, check))
        except StorageError as error:  # the other checks go on
            if error.message not in unreadable:
                row = failure(HOME, "unreadable", error.message, error.hint)
                findings.append(_finding(check, row))
            unreadable.add(error.message)
    findings.sort(key=_order)
    return Report(
        tuple(findings),
        context.index.size(),
        len(context.cards),
        len(context.resolved_links),
        tuple(check.name for check in CHECKS),
    )


def _findings(context: CheckContext, check: Check) -> Iterator[Finding]:
    """Yield the findings of one check.

    An error of a file that CueDeck does not need is a warning.
    """
    for row in check.run(context):
        found = _finding(check, row)
        if row.level == "error" and not _is_needed(context, check.name, row.path):
            found = found._replace(level="warning")
        yield found


def _finding(check: Check, row: Diagnostic) -> Finding:
    return Finding(check=check.name, **row._asdict())


def _order(found: Finding) -> tuple[int, str, int, str, str]:
    level = LEVELS.index(found.level)
    return level, found.path, found.line, found.code, found.message


def _is_needed(context: CheckContext, check: str, path: str) -> bool:
    """Return whether a scene of an open card needs the file to be without this
    error.
    """
    if check != "refs":
        return context.is_needed(path)
    if path in context.closed_cards:
        return False
    return path == "." or path.startswith(f"{HOME}/")
