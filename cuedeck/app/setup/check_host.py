"""Look whether a connected host can work, against the limits of the host."""

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
from cuedeck.app.setup.checks.instruction_limits import check_limits, check_program, check_read_instead
from cuedeck.app.setup.checks.own_entries import check_files, state_of
from cuedeck.app.setup.host_parts import targets_of
from cuedeck.model.errors import Invalid
from cuedeck.model.file import Diagnostic, Level
from cuedeck.model.host import Host

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
"""Name of each check and what it finds."""
AHEAD = ("read-instead", "switches", "trust")
"""Those that set-up changes nothing about, so that they can be made before it."""


def examine(project: Workspace, host: Host) -> dict[str, Any]:
    """Return what is wrong with the connection of a host, gravest first; nothing is written."""
    found: list[tuple[str, Diagnostic]] = []
    files: list[dict[str, str]] = []
    try:
        targets = targets_of(host, project.workspace)
        view = HostView(host, project.workspace, targets)
        files = [{"path": each.path, "state": state_of(host, each)} for each in targets]
        found += look(view, view.programs())
    except Invalid as error:
        found.append(("links", Diagnostic(".", 0, "error", "link", error.message, error.hint)))
    rows = finding_rows(found)
    return {"host": host.name, "healthy": is_healthy(rows), "findings": rows, "files": files}


def look(
    view: HostView, programs: Iterable[str], names: Iterable[str] = tuple(CHECKS)
) -> Iterator[tuple[str, Diagnostic]]:
    """Yield what the checks of these names find, and which of the programs that entries start are not there."""
    yield from (("program", each) for each in check_program(programs))
    yield from ((name, each) for name in names for each in CHECKS[name](view))


_LEVELS: tuple[Level, ...] = ("error", "warning", "info")
"""The gravest first."""


def finding_rows(found: Iterable[tuple[str, Diagnostic]]) -> list[dict[str, Any]]:
    """Return findings, each with the name of its check; gravest first, then by place."""
    ordered = sorted(found, key=lambda pair: (_LEVELS.index(pair[1].level), pair[1].path, pair[1].line, pair[1].code))
    return [_row(check, each) for check, each in ordered]


def is_healthy(rows: Iterable[dict[str, Any]]) -> bool:
    """Tell whether nothing is wrong; what is only worth knowing is not."""
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
