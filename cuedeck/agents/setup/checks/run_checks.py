"""Checks of a connected host: own entries, host settings that prevent CueDeck from
working or select another workspace, and the programs that entries start.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from cuedeck.agents.edits.json_document import line_of, look_up
from cuedeck.agents.edits.own_commands import (
    folder_of,
    server_words,
    started_program,
)
from cuedeck.agents.hosts.base import PROGRAM, SERVER, Host
from cuedeck.agents.hosts.setup_types import Form, Switch, Trust
from cuedeck.agents.setup.checks.entry_checks import (
    HostView,
    SettingsFile,
    check_doubles,
    check_files,
    programs_of,
    state_of,
)
from cuedeck.agents.setup.connected_forms import find_forms, server_step
from cuedeck.agents.setup.host_targets import targets_of
from cuedeck.model.diagnostic import Diagnostic, Level
from cuedeck.model.errors import Invalid
from cuedeck.store.files.host_files import (
    find_program,
    folder_of_installed_program,
    is_same_folder,
    read_quietly,
)

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.model.ports import Json


def check_programs(view: HostView) -> Iterator[Diagnostic]:
    """Yield missing programs that own entries start; without entries, check the program
    that they would start.
    """
    for name in sorted(programs_of(view.targets) or {PROGRAM}):
        # The host expands variables.
        if set("$%") & set(name) or find_program(name):
            continue
        problem = (
            f"the program `{name}` is missing, so its hooks or server cannot start"
        )
        hint = f"install it, or remove the entry and run set-up again, which writes `{PROGRAM}`"
        if name == PROGRAM:
            problem = f"`{PROGRAM}` is not found on PATH, so neither hooks nor the server can start"
            hint = (
                "run `pipx install .` in a checkout of CueDeck, and `pipx ensurepath`"
            )
            folder = folder_of_installed_program(PROGRAM)
            if folder:
                hint = f"put {folder} on PATH, or {hint}"
        yield Diagnostic(
            ".",
            0,
            "error",
            "missing-program",
            problem,
            hint,
        )


_OWN_NAME = re.compile(r"cuedeck(?:[-\s]|$)")


def check_switches(view: HostView) -> Iterator[Diagnostic]:
    """Yield settings that switch off hooks, the server or the instructions."""
    for switch in view.host.setup.switches:
        for file in _disabling_files(view, switch):
            line = line_of(file.place, read_quietly(file.place), switch.keys)
            hint = f"change `{'.'.join(switch.keys)}` there"
            yield Diagnostic(
                file.path,
                line,
                "error",
                "switched-off",
                switch.message,
                hint,
            )


def _disabling_files(view: HostView, switch: Switch) -> Iterator[SettingsFile]:
    """Yield the files in which a switch disables CueDeck; for `is`, the file of highest
    precedence decides.
    """
    if switch.test == "is":
        found = view.setting(switch.files, switch.keys)
        if found and found[1] is switch.value:
            yield found[0]
        return
    for file in view.settings_files(switch.files):
        names = look_up(file.value, switch.keys)
        if not names or not isinstance(names, list):
            continue
        texts = (name for name in names if isinstance(name, str))
        if any(map(_OWN_NAME.match, texts)) is (switch.test == "lists"):
            yield file


def check_workspace(view: HostView) -> Iterator[Diagnostic]:
    """Yield server entries that start another program or work in another workspace."""
    server = view.host.setup.server
    if server is None:
        return
    own = (server.table, SERVER)
    paths = [server.path]
    if view.host.setup.user and view.host.setup.user.server:
        paths.append(view.host.setup.user.server.path)
    for file in view.settings_files(paths):
        for keys in (own, ("projects", view.paths.root, *own)):
            entry = look_up(file.value, keys)
            folder = folder_of(entry)
            program = started_program(entry)
            words = server_words(entry)
            if program and (words is None or words[:1] != ("mcp",)):
                code = "other-program"
                command = " ".join((program, *(words or ())))
                message = f"the server `{SERVER}` starts another program: {command}"
            elif folder and not is_same_folder(view.paths, folder):
                code = "other-workspace"
                message = f"the server `{SERVER}` works in another workspace: {folder}"
            else:
                continue
            line = line_of(file.place, read_quietly(file.place), keys)
            hint = "correct or remove the entry"
            yield Diagnostic(
                file.path,
                line,
                "error",
                code,
                message,
                hint,
            )


def check_trust(view: HostView) -> Iterator[Diagnostic]:
    """Yield a finding if the host stores trusted folders and this one is missing."""
    trust = view.host.setup.trust
    if trust is None or view.form == "user":
        return
    folders = _trusted(view, trust, trust.folders)
    key, trusted = trust.level
    above = [view.paths.root]
    while os.path.dirname(above[-1]) != above[-1]:
        above.append(os.path.dirname(above[-1]))
    if trusted not in [look_up(folders, (each, key)) for each in above]:
        message = (
            f"{view.host.title} does not trust this folder yet, so it runs no hooks"
        )
        hint = view.host.setup.next_step.format(folder=above[0])
        yield Diagnostic(
            trust.path,
            0,
            "info",
            "not-trusted",
            message,
            hint,
        )


def check_hook_trust(view: HostView) -> Iterator[Diagnostic]:
    """Yield a finding if the host stores trusted hooks and own hooks are missing.

    Such a host stores a hash for each trusted hook; a hook without an entry does not
    run.
    """
    trust = view.host.setup.trust
    if trust is None or view.hooks is None:
        return
    names = (view.hooks.place.absolute, view.paths.absolute(view.hooks.named))
    trusted = set(_trusted(view, trust, trust.hooks) or ())
    waiting = []
    for hook in view.own_hooks():
        hook_id = trust.hook_id(hook.event, *hook.indexes)
        if trusted.isdisjoint(f"{name}:{hook_id}" for name in names):
            waiting.append(hook.event)
    if waiting:
        message = f"{view.host.title} does not trust these hooks yet and runs none of them: {', '.join(waiting)}"
        yield Diagnostic(
            trust.path,
            0,
            "warning",
            "hooks-not-trusted",
            message,
            trust.hint,
        )


def _trusted(view: HostView, trust: Trust, keys: Sequence[str]) -> Any:
    file = next(view.settings_files((trust.path,)), None)
    return look_up(file.value, keys) if file else None


def check_read_instead(view: HostView) -> Iterator[Diagnostic]:
    """Yield a file that the host reads instead of the instructions."""
    setup = view.host.setup
    name = setup.read_instead
    if name and read_quietly(view.paths.absolute(name)).strip():
        message = f"{view.host.title} reads this file instead of {setup.instructions}"
        yield Diagnostic(
            name,
            0,
            "error",
            "read-instead",
            message,
            f"move its text into {setup.instructions}",
        )


CHECKS: dict[str, Callable[[HostView], Iterator[Diagnostic]]] = {
    "program": check_programs,
    "files": check_files,
    "doubles": check_doubles,
    "switches": check_switches,
    "workspace": check_workspace,
    "trust": check_trust,
    "hook-trust": check_hook_trust,
    "instructions": check_read_instead,
}
"""Checks by name."""
DRY_RUN_CHECKS = ("program", "switches", "trust")
"""Checks whose result set-up does not change; a dry run makes these alone."""
_LEVELS: tuple[Level, ...] = ("error", "warning", "info")
"""Most severe first."""


def examine(workspace: Workspace, host: Host, form: Form | None = None) -> Json:
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
            view = HostView(host, paths, targets_of(host, paths, each), each)
            for target in view.targets:
                files[target.path] = state_of(view, target)
            found.update(dict.fromkeys(find_problems(view)))
    except Invalid as error:
        link = Diagnostic(
            ".",
            0,
            "error",
            "link",
            error.message,
            error.hint,
        )
        found["links", link] = None
    rows = finding_rows(found)
    return {
        "host": host.name,
        "forms": list(forms),
        "healthy": all(row["level"] == "info" for row in rows),
        "findings": rows,
        "files": [{"path": path, "state": state} for path, state in files.items()],
        "next": server_step(host, paths),
    }


def find_problems(
    view: HostView, names: Iterable[str] = tuple(CHECKS)
) -> Iterator[tuple[str, Diagnostic]]:
    """Yield (check, finding) for the named checks."""
    for name in names:
        for finding in CHECKS[name](view):
            yield name, finding


def finding_rows(found: Iterable[tuple[str, Diagnostic]]) -> list[Json]:
    """Return findings as JSON rows with the name of their check; most severe first,
    then by path and line.
    """

    def order(pair: tuple[str, Diagnostic]) -> tuple[Any, ...]:
        level = _LEVELS.index(pair[1].level)
        return level, pair[1].path, pair[1].line, pair[1].code

    rows = []
    for check, finding in sorted(found, key=order):
        rows.append({"check": check, "level": finding.level, **finding._asdict()})
    return rows
