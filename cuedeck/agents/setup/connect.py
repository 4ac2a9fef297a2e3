"""Addition of own entries to the files of a host."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from typing import TYPE_CHECKING

from cuedeck.agents.edits.mcp_server import AllowPart
from cuedeck.agents.hosts import all_hosts
from cuedeck.agents.hosts.base import Host
from cuedeck.agents.hosts.setup_types import Form
from cuedeck.agents.setup.checks.entry_checks import HostView
from cuedeck.agents.setup.checks.run_checks import (
    CHECKS,
    DRY_RUN_CHECKS,
    find_problems,
    finding_rows,
)
from cuedeck.agents.setup.connected_forms import check_local, exclude_target, next_step
from cuedeck.agents.setup.file_change import (
    Change,
    KnownSetup,
    State,
    digest,
    read_setups,
    write_all,
)
from cuedeck.agents.setup.host_targets import Target, is_shared_part, targets_of
from cuedeck.engine.capture import agree_by_setup, capture_status
from cuedeck.model.errors import CueDeckError, Invalid, UsageError
from cuedeck.parse.text_edit import swap, swaps_between
from cuedeck.store.files.file_lock import FILES, locked
from cuedeck.store.files.host_files import check_folders, find_program
from cuedeck.store.workspace_paths import WorkspacePaths

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.model.ports import Json


def connect(
    workspace: Workspace,
    host: Host,
    form: Form = "project",
    *,
    dry_run: bool = False,
    allow_tools: bool = False,
) -> Json:
    """Connect a host and check the connection; a second call changes nothing. With
    `dry_run` nothing is written.

    The form `project` writes files that a repository contains, and therefore hooks that
    do nothing without CueDeck, and no server: one that cannot start is an error for
    everyone else.

    It is the user's agreement to record sessions, if the host has hooks. With
    `allow_tools` the host runs read-only tools without asking, until it is
    disconnected. Raises: UsageError for a host without a setting for that, or without
    files for the form. Invalid, with path and line, for a file that cannot be parsed or
    safely changed; then no file is written. StorageError, Locked.
    """
    if allow_tools and host.setup.allow is None:
        message = f"{host.title} has no setting to allow individual tools"
        raise UsageError(message, hint=host.setup.asks)
    paths = workspace.paths
    with nullcontext() if dry_run else locked(paths, FILES):
        targets = targets_of(host, paths, form, allow_tools=allow_tools)
        changes = list(_plan_all(paths, host, form, targets))
        if not dry_run:
            write_all(paths, changes)
    capture = (
        capture_status(workspace.paths) if dry_run else agree_by_setup(workspace, host)
    )
    view = HostView(host, paths, targets, form)
    checks = DRY_RUN_CHECKS if dry_run else CHECKS
    findings = finding_rows(find_problems(view, checks))
    return {
        "host": host.name,
        "form": form,
        "dry_run": dry_run,
        "files": [change.as_json(with_diff=dry_run) for change in changes],
        "next": next_step(host, paths, form),
        "capture": capture,
        "findings": findings,
    }


def connect_installed(workspace: Workspace, *, dry_run: bool) -> list[Json]:
    """Connect each host whose program is on PATH for this checkout alone; return a row
    for each, with the files that are or would be changed.
    """
    return [
        _connected(workspace, host, dry_run=dry_run)
        for host in all_hosts()
        if find_program(host.program or host.name)
    ]


def _connected(workspace: Workspace, host: Host, *, dry_run: bool) -> Json:
    row: Json = {"host": host.name, "title": host.title, "files": [], "next": ""}
    try:
        done = connect(workspace, host, "local", dry_run=dry_run)
    except CueDeckError as error:
        return {**row, "state": "cannot be connected", "problem": error.message}
    errors = [each for each in done["findings"] if each["level"] == "error"]
    row["problem"] = errors[0]["message"] if errors else ""
    row["files"] = [
        each["path"] for each in done["files"] if each["state"] != "unchanged"
    ]
    if row["files"] and dry_run:
        return {**row, "state": "would write"}
    return {**row, "state": "connected", "next": done["next"] if row["files"] else ""}


def _plan_all(
    paths: WorkspacePaths, host: Host, form: Form, targets: Sequence[Target]
) -> Iterator[Change]:
    known = read_setups(paths)
    if form == "local":
        check_local(host, paths, targets)
    for target in targets:
        yield _plan(host, target, known.get(target.path))
    exclude = exclude_target(paths, targets) if form != "user" else None
    if exclude is None:
        return
    # The files of this checkout are added; those that now belong to the repository are
    # removed.
    before = exclude.read()
    text = exclude.text_of(before)
    part = exclude.parts[0]
    after = part.put(text) if form == "local" else part.strip(text)
    if after != text:
        state: State = "added" if form == "local" else "removed"
        yield Change(
            exclude,
            before,
            after.encode("utf-8"),
            state,
            None,
        )


def _plan(host: Host, target: Target, known: KnownSetup | None) -> Change:
    """Return the change of one file, and store the name of a host that uses entries
    which other hosts read, too.
    """
    before = target.read()
    if before is None:
        check_folders(target.place)
    text = target.text_of(before)
    try:
        state: State = "replaced" if target.holds_any(text) else "added"
        after = target.put(text)
        old = _old_text(target, before, text, known)
    except Invalid as error:
        raise error.in_file(target.path) from error
    change = Change(
        target,
        before,
        before,
        "unchanged",
        known,
    )
    if after != text or before is None:
        data = after.encode("utf-8")
        is_created = known.created if known else before is None
        known = KnownSetup(created=is_created, hosts=known.hosts if known else ())
        if not target.is_of_user:  # there, other forms may have entries
            undo = swaps_between(after, old)
            known = known._replace(after=digest(data), undo=undo)
        state = "created" if before is None else state
        change = Change(
            target,
            before,
            data,
            state,
            known,
        )
    if not any(map(is_shared_part, target.parts)):
        return change
    known = known or KnownSetup()
    hosts = sorted({*known.hosts, host.name})
    return change._replace(known=known._replace(hosts=tuple(hosts)))


def _old_text(
    target: Target, before: bytes | None, text: str, known: KnownSetup | None
) -> str:
    """Return the text of a file without the entries of set-up."""
    if known and known.is_untouched(before):
        return swap(text, known.undo)
    for part in target.parts:
        is_of_person = isinstance(part, AllowPart)  # or may be
        # A hook that runs CueDeck among other commands is of a person, too. Only an
        # entry of set-up can be stripped, or one that is damaged since.
        is_own = known is not None or part.strip(text) != text
        if is_own and part.holds(text) and not is_of_person:
            text = part.strip(part.put(text))
    return text
