"""Run of all checks or repairs on one workspace."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

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
from cuedeck.doctor.check_context import CHECKS, Check, open_context
from cuedeck.doctor.repair import Repair, apply, plan_repairs
from cuedeck.model.diagnostic import Level
from cuedeck.model.errors import FINDING_CODES, StorageError
from cuedeck.model.paths import HOME

if TYPE_CHECKING:
    from cuedeck.doctor.check_context import CheckContext
    from cuedeck.engine.workspace import Workspace
    from cuedeck.model.ports import Json, Progress


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


@dataclass(frozen=True, slots=True)
class Report:
    """The state of a workspace."""

    findings: tuple[Finding, ...]
    """Findings, most severe first, then in order of path and line."""
    files: int
    cards: int
    refs: int
    checks: int = len(CHECKS)
    """Number of the checks that ran."""

    def healthy(self, *, strict: bool = False) -> bool:
        """Return whether there are no errors, and with `strict` no warnings either."""
        levels = Counter(finding.level for finding in self.findings)
        return not (levels["error"] or (strict and levels["warning"]))

    def as_json(self, *, strict: bool = False) -> Json:
        """Return the report as the JSON value of the commands."""
        findings = []
        for each in self.findings:
            findings.append({**each._asdict(), "error": FINDING_CODES.get(each.code)})
        return {
            "healthy": self.healthy(strict=strict),
            "files": self.files,
            "cards": self.cards,
            "refs": self.refs,
            "findings": findings,
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
        context.index.close()


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
        steps = tuple(plan_repairs(context))
        if dry_run:
            return _report(context), tuple(Repair(*step[:2]) for step in steps)
        done = tuple(map(apply, steps))
    finally:
        context.index.close()
    return examine(workspace, progress, everything=everything), done


def _report(context: CheckContext) -> Report:
    findings: list[Finding] = []
    unreadable: set[str] = set()
    for check in CHECKS:
        try:
            findings.extend(_findings(context, check))
        except StorageError as error:  # the other checks go on
            if error.message not in unreadable:
                rest = "unreadable", error.message, error.hint
                findings.append(Finding(check.name, "error", HOME, 0, *rest))
            unreadable.add(error.message)
    findings.sort(key=lambda each: (LEVELS.index(each.level), *each[2:]))
    size, links = context.index.size(), context.resolved_links
    return Report(tuple(findings), size, len(context.cards), len(links))


def _findings(context: CheckContext, check: Check) -> Iterator[Finding]:
    """Yield the findings of one check.

    An error of a file that no scene of an open card needs is a warning.
    """
    for path, line, level, *rest in check.run(context):
        is_needed = context.is_needed(path)
        if check.name == "refs":
            is_own = path == "." or path.startswith(f"{HOME}/")
            is_needed = is_own and path not in context.closed_cards
        shown: Level = level if is_needed or level != "error" else "warning"
        yield Finding(check.name, shown, path, line, *rest)
