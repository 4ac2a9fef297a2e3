"""Checks of a connected host: own entries, host settings and limits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from cuedeck.app.setup.checks.duplicate_entries import check_blocks, check_doubles
from cuedeck.app.setup.checks.host_settings import (
    check_allowed,
    check_hook_trust,
    check_switches,
    check_trust,
    check_workspace,
)
from cuedeck.app.setup.checks.host_view import HostView
from cuedeck.app.setup.checks.instruction_limits import (
    check_limits,
    check_program,
    check_read_instead,
)
from cuedeck.app.setup.checks.own_entries import check_files, state_of
from cuedeck.app.setup.host_targets import targets_of
from cuedeck.hosts.base import Host
from cuedeck.model.diagnostic import Diagnostic, Level
from cuedeck.model.errors import Invalid

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace

CHECKS: dict[str, Callable[[HostView], Iterator[Diagnostic]]] = {
    "files": check_files,
    "doubles": check_doubles,
    "blocks": check_blocks,
    "limits": check_limits,
    "read-instead": check_read_instead,
    "switches": check_switches,
    "workspace": check_workspace,
    "trust": check_trust,
    "hook-trust": check_hook_trust,
    "allowed": check_allowed,
}
"""Checks by name."""
DRY_RUN_CHECKS = ("read-instead", "switches", "trust")
"""Checks whose result set-up does not change; a dry run makes these alone."""


def examine(workspace: Workspace, host: Host) -> dict[str, Any]:
    """Return the findings about the connection of a host, most severe first; nothing is
    written.
    """
    found: list[tuple[str, Diagnostic]] = []
    files: list[dict[str, str]] = []
    try:
        targets = targets_of(host, workspace.paths)
        view = HostView(host, workspace.paths, targets)
        files = [{"path": each.path, "state": state_of(host, each)} for each in targets]
        found += find_problems(view, view.programs())
    except Invalid as error:
        found.append(
            ("links", Diagnostic(".", 0, "error", "link", error.message, error.hint))
        )
    rows = finding_rows(found)
    return {
        "host": host.name,
        "healthy": is_healthy(rows),
        "findings": rows,
        "files": files,
    }


def find_problems(
    view: HostView, programs: Iterable[str], names: Iterable[str] = tuple(CHECKS)
) -> Iterator[tuple[str, Diagnostic]]:
    """Yield (check, finding) for missing programs and for the named checks."""
    for finding in check_program(programs):
        yield "program", finding
    for name in names:
        for finding in CHECKS[name](view):
            yield name, finding


_LEVELS: tuple[Level, ...] = ("error", "warning", "info")
"""Most severe first."""


def finding_rows(found: Iterable[tuple[str, Diagnostic]]) -> list[dict[str, Any]]:
    """Return findings as JSON rows with the name of their check; most severe first,
    then by path and line.
    """
    return [_row(check, finding) for check, finding in sorted(found, key=_order)]


def _order(pair: tuple[str, Diagnostic]) -> tuple[int, str, int, str]:
    finding = pair[1]
    return _LEVELS.index(finding.level), finding.path, finding.line, finding.code


def is_healthy(rows: Iterable[dict[str, Any]]) -> bool:
    """Return whether all findings are of level `info`."""
    return all(row["level"] == "info" for row in rows)


def _row(check: str, found: Diagnostic) -> dict[str, Any]:
    return {
        "check": check,
        "level": found.level,
        "path": found.path,
        "line": found.line,
        "code": found.code,
        "message": found.message,
        "hint": found.hint,
    }
