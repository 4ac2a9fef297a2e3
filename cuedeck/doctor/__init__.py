"""Use case `cuedeck doctor`: health checks of a workspace and safe automatic repairs.
Checks of a connected host are in `agents.setup.checks`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cuedeck.doctor.check_context import open_context
from cuedeck.doctor.doctor_report import LEVELS, Finding, Repair, Report
from cuedeck.model.errors import StorageError
from cuedeck.model.formatting import format_line
from cuedeck.model.paths import HOME

if TYPE_CHECKING:
    from cuedeck.doctor.check_context import CheckContext
    from cuedeck.engine.workspace import Workspace
    from cuedeck.model.ports import Progress


def examine(
    workspace: Workspace, progress: Progress | None = None, *, everything: bool = False
) -> Report:
    """Update the index and run every check on CueDeck's files and the targets of their
    links, or on `everything` in the repository.
    """
    context = open_context(workspace, progress, everything=everything)
    try:
        return run_checks(context)
    finally:
        context.close()


def run_checks(context: CheckContext) -> Report:
    """Run every check on one context.

    An error of a file that CueDeck does not need is a warning.
    """
    from cuedeck.doctor.doctor_checks import CHECKS

    findings: list[Finding] = []
    unreadable: set[str] = set()
    for check in CHECKS:
        try:
            for path, line, level, code, message, hint in check.run(context):
                if level == "error" and not _is_needed(context, check.name, path):
                    level = "warning"
                findings.append(
                    Finding(
                        check=check.name,
                        level=level,
                        path=path,
                        line=line,
                        code=code,
                        message=message,
                        hint=hint,
                    )
                )
        except StorageError as error:  # the other checks go on
            if error.message not in unreadable:
                findings.append(
                    Finding(
                        check=check.name,
                        level="error",
                        path=HOME,
                        line=0,
                        code="unreadable",
                        message=error.message,
                        hint=error.hint,
                    )
                )
            unreadable.add(error.message)

    def order(found: Finding) -> tuple[int, str, int, str, str]:
        return (
            LEVELS.index(found.level),
            found.path,
            found.line,
            found.code,
            found.message,
        )

    findings = [_with_cell(context, each) for each in findings]
    findings.sort(key=order)
    names = tuple(check.name for check in CHECKS)
    return Report(
        tuple(findings),
        context.index.size(),
        len(context.cards),
        len(context.resolved_links),
        names,
    )


def _with_cell(context: CheckContext, finding: Finding) -> Finding:
    """Return a finding with its place in a notebook."""
    cells = context.index.cells(finding.path) if finding.line else ()
    if not cells:
        return finding
    return finding._replace(cell=format_line(finding.line, cells))


def _is_needed(context: CheckContext, check: str, path: str) -> bool:
    """Return whether a scene of an open card needs the file to be without this
    error.
    """
    if check != "refs":
        return context.is_needed(path)
    if path in context.closed_cards:
        return False
    return path == "." or path.startswith(f"{HOME}/")


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
    from cuedeck.doctor.repair import apply, planned

    context = open_context(workspace, progress, everything=everything)
    try:
        steps = planned(context)
        if dry_run:
            return run_checks(context), tuple(
                Repair(step.path, step.what, False, "") for step in steps
            )
        done = tuple(map(apply, steps))
    finally:
        context.close()
    return examine(workspace, progress, everything=everything), done
