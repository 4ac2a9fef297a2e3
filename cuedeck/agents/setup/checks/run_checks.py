"""Checks of a connected host: own entries, host settings and limits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from cuedeck.agents.hosts.base import Host
from cuedeck.agents.hosts.setup_types import Form
from cuedeck.agents.setup.checks.entry_checks import (
    HostView,
    check_blocks,
    check_doubles,
    check_files,
    state_of,
)
from cuedeck.agents.setup.checks.setting_checks import (
    check_allowed,
    check_hook_trust,
    check_limits,
    check_program,
    check_read_instead,
    check_switches,
    check_trust,
    check_workspace,
)
from cuedeck.agents.setup.connected_forms import (
    exclude_target,
    find_forms,
    local_targets,
    server_step,
)
from cuedeck.agents.setup.host_targets import Target, targets_of
from cuedeck.model.diagnostic import Diagnostic, Level
from cuedeck.model.errors import Invalid
from cuedeck.store.files.host_files import read_quietly
from cuedeck.store.workspace_paths import WorkspacePaths

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace

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


def examine(
    workspace: Workspace, host: Host, form: Form | None = None
) -> dict[str, Any]:
    """Return the findings about the connection of a host, most severe first; nothing is
    written.

    Without a form, each form in which the host is connected is examined, or else the
    files of the repository. Raises: UsageError if the host has no files for the form.
    """
    paths = workspace.paths
    forms = (form,) if form else find_forms(host, paths) or ("project",)
    found: dict[tuple[str, Diagnostic], None] = {}
    files: dict[str, str] = {}
    try:
        for each in forms:
            targets = targets_of(host, paths, each)
            view = HostView(host, paths, targets, each)
            for target in targets:
                files[target.path] = state_of(view, target)
            found.update(dict.fromkeys(find_problems(view, view.programs())))
            if each == "local":
                own = local_targets(host, paths, targets)
                found.update(dict.fromkeys(_visible_files(host, paths, own)))
    except Invalid as error:
        link = Diagnostic(".", 0, "error", "link", error.message, error.hint)
        found["links", link] = None
    rows = finding_rows(found)
    return {
        "host": host.name,
        "forms": list(forms),
        "healthy": is_healthy(rows),
        "findings": rows,
        "files": [{"path": path, "state": state} for path, state in files.items()],
        "next": server_step(host, paths),
    }


def _visible_files(
    host: Host, paths: WorkspacePaths, targets: Sequence[Target]
) -> Iterator[tuple[str, Diagnostic]]:
    exclude = exclude_target(paths, targets)
    if exclude is None:
        return
    missing = exclude.parts[0]
    if missing.is_right(read_quietly(exclude.place.absolute)):
        return
    message = "git does not ignore the files of this checkout"
    hint = f"`cuedeck setup {host.name} --local` adds them to it"
    yield (
        "files",
        Diagnostic(exclude.path, 0, "warning", "not-ignored", message, hint),
    )


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
