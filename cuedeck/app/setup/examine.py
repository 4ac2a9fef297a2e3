"""Look whether a connected host can work, against the limits of the host."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from cuedeck.app.setup.checks.doubles import check_blocks, check_doubles
from cuedeck.app.setup.checks.files import check_files, state_of
from cuedeck.app.setup.checks.limits import check_limits, check_read_instead
from cuedeck.app.setup.checks.program import check_program
from cuedeck.app.setup.checks.settings import (
    check_allowed,
    check_hook_trust,
    check_switches,
    check_trust,
    check_workspace,
)
from cuedeck.app.setup.checks.view import View
from cuedeck.app.setup.finding import finding_rows, is_healthy
from cuedeck.app.setup.targets import targets_of
from cuedeck.model.errors import Invalid
from cuedeck.model.host import Host
from cuedeck.model.node import Diagnostic

if TYPE_CHECKING:
    from cuedeck.app.project import Project

CHECKS: dict[str, Callable[[View], Iterator[Diagnostic]]] = {
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


def examine(project: Project, host: Host) -> dict[str, Any]:
    """Return what is wrong with the connection of a host, gravest first; nothing is written."""
    found: list[tuple[str, Diagnostic]] = []
    files: list[dict[str, str]] = []
    try:
        targets = targets_of(host, project.workspace)
        view = View(host, project.workspace, targets)
        files = [{"path": each.path, "state": state_of(host, each)} for each in targets]
        found += look(view, view.programs())
    except Invalid as error:
        found.append(("links", Diagnostic(".", 0, "error", "link", error.message, error.hint)))
    rows = finding_rows(found)
    return {"host": host.name, "healthy": is_healthy(rows), "findings": rows, "files": files}


def look(view: View, programs: Iterable[str], names: Iterable[str] = tuple(CHECKS)) -> Iterator[tuple[str, Diagnostic]]:
    """Yield what the checks of these names find, and which of the programs that entries start are not there."""
    yield from (("program", each) for each in check_program(programs))
    yield from ((name, each) for name in names for each in CHECKS[name](view))
