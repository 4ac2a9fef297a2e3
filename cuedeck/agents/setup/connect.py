"""Addition of own entries to the files of a host."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any, TypeVar

from cuedeck.agents.edits.own_commands import started_program
from cuedeck.agents.hosts.base import PROGRAM, Host
from cuedeck.agents.hosts.setup_types import Form
from cuedeck.agents.setup.checks.host_view import HostView
from cuedeck.agents.setup.checks.run_checks import (
    CHECKS,
    DRY_RUN_CHECKS,
    find_problems,
    finding_rows,
)
from cuedeck.agents.setup.connected_forms import next_step
from cuedeck.agents.setup.file_change import (
    FAMILY,
    Change,
    KnownSetup,
    State,
    digest,
    read_setups,
    text_of,
    write_all,
)
from cuedeck.agents.setup.host_targets import Target, targets_of
from cuedeck.agents.setup.local_files import check_local, exclude_target
from cuedeck.engine.capture import agree_by_setup, capture_status
from cuedeck.model.diagnostic import Diagnostic
from cuedeck.model.errors import Invalid, UsageError
from cuedeck.model.replaced_entry import Keys, Prior
from cuedeck.parse.text_edit import swap, swaps_between
from cuedeck.store.files.file_lock import locked
from cuedeck.store.files.host_files import check_folders
from cuedeck.store.workspace_paths import WorkspacePaths

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace

T = TypeVar("T")


def connect(
    workspace: Workspace,
    host: Host,
    form: Form = "project",
    *,
    dry_run: bool = False,
    allow_tools: bool = False,
) -> dict[str, Any]:
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
    with nullcontext() if dry_run else locked(paths, FAMILY):
        targets = targets_of(host, paths, form, allow_tools=allow_tools)
        changes = list(_plan_all(paths, host, form, targets))
        if not dry_run:
            write_all(paths, changes)
    capture = capture_status(workspace) if dry_run else agree_by_setup(workspace, host)
    view = HostView(host, paths, targets, form)
    checks = DRY_RUN_CHECKS if dry_run else CHECKS
    findings = list(find_problems(view, _programs(changes), checks))
    hint = f"`cuedeck setup {host.name} --remove` restores it"
    findings += entry_findings("replaced", "replaced", hint, changes)
    return {
        "host": host.name,
        "form": form,
        "dry_run": dry_run,
        "files": [change.as_json(with_diff=dry_run) for change in changes],
        "next": next_step(host, paths, form),
        "capture": capture,
        "findings": finding_rows(findings),
    }


def entry_findings(
    check: str, what: str, hint: str, changes: Sequence[Change]
) -> Iterator[tuple[str, Diagnostic]]:
    """Yield a finding for each entry of others that changes replace or restore."""
    for change in changes:
        for entry in change.prior:
            path, message = change.target.path, f"{what}: {entry.description}"
            yield (check, Diagnostic(path, 0, "info", f"{check}-entry", message, hint))


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
    text = text_of(exclude, before)
    part = exclude.parts[0]
    after = part.renew(text) if form == "local" else part.strip(text, None)
    if after != text:
        state: State = "added" if form == "local" else "removed"
        yield Change(exclude, before, after.encode("utf-8"), state, None)


def _programs(changes: Sequence[Change]) -> Iterator[str]:
    for change in changes:
        text = text_of(change.target, change.after)
        for part in change.target.parts:
            yield from part.programs(text)


def _plan(host: Host, target: Target, known: KnownSetup | None) -> Change:
    """Return the change of one file, and store the name of a host that is connected by
    its block alone.
    """
    before = target.read()
    if before is None:
        check_folders(target.place)
    text = text_of(target, before)
    try:
        change = _choose(target, before, text, known)
    except Invalid as error:
        raise error.in_file(target.path) from error
    if target.is_of_user and change.known:
        change = change._replace(known=_of_user(change.known, known))
    # Such a host has no entry of its own that shows the connection.
    is_found_by_state = host.hooks is None or host.hooks.is_shared
    if not target.is_shared or not is_found_by_state:
        return change
    state = change.known or KnownSetup()
    hosts = sorted({*state.hosts, host.name})
    return change._replace(known=state._replace(hosts=tuple(hosts)))


def _of_user(known: KnownSetup, before: KnownSetup | None) -> KnownSetup:
    """Return the state of a file in which other forms may have entries: a removal must
    not restore the old bytes.
    """
    state = known._replace(after="", undo=())
    if before is None or before == known:
        return state
    return state._replace(
        made=_unique([*before.made, *known.made]),
        created=before.created or known.created,
        folders=before.folders,
        hosts=before.hosts,
        prior=_unique([*before.prior, *known.prior]),
    )


def _choose(
    target: Target, before: bytes | None, text: str, known: KnownSetup | None
) -> Change:
    has_prior = bool(_prior(target, text))
    if before is not None and all(part.is_right(text) for part in target.parts):
        if known is None and has_prior:
            known = _state(target, KnownSetup(), text, text)
        return Change(target, before, before, "unchanged", known)
    if not any(part.holds(text) for part in target.parts):
        after, made, _ = _edit(target, text)
        added = KnownSetup(made=made, created=before is None)
        state: State = "created" if before is None else "added"
        added = _state(target, added, after, text)
        return Change(target, before, after.encode("utf-8"), state, added)
    if known is not None and not known.is_untouched(before):
        return _renew(target, before, text, known)
    # The entries are added to the old text of a file that is unchanged since set-up.
    earlier = known or KnownSetup()
    base = swap(text, earlier.undo)
    after, made, replaced = _edit(target, base)
    if known or has_prior:
        known = _state(target, earlier._replace(made=made), after, base)
    prior = tuple(entry for entry in replaced if entry not in earlier.prior)
    return Change(target, before, after.encode("utf-8"), "replaced", known, prior)


def _state(target: Target, known: KnownSetup, after: str, base: str) -> KnownSetup:
    """Return the state of a file with the text `after`, whose removal restores `base`
    without the entries that set-up wrote.
    """
    if target.is_of_user:
        return known._replace(prior=_prior(target, base))
    old = base
    for part in target.parts:
        old = part.strip(old, None, part.prior(old))
    return known._replace(
        after=digest(after.encode("utf-8")),
        undo=swaps_between(after, old),
        prior=_prior(target, base),
    )


def _edit(target: Target, text: str) -> tuple[str, tuple[Keys, ...], list[Prior]]:
    """Add each missing part to a text and update each outdated one; return the text,
    the containers that were created, and the entries of others that were replaced.
    """
    made: tuple[Keys, ...] = ()
    replaced: list[Prior] = []
    for part in target.parts:
        if not part.holds(text):
            put = part.put(text)
            text = put.text
            made += put.made
        elif not part.is_right(text):
            before = part.prior(text)
            text = part.renew(text)
            after = part.prior(text)
            replaced += [entry for entry in before if entry not in after]
    return text, made, replaced


def _renew(
    target: Target, before: bytes | None, text: str, known: KnownSetup
) -> Change:
    """Update the own entries of a file that a person edited since set-up."""
    after, made, edited = _edit(target, text)
    replaced = []
    for entry in _prior(target, text):
        is_of_person = entry in known.prior or not _is_own_edited(entry)
        if is_of_person and entry in edited:
            replaced.append(entry)
    state = known._replace(
        after="",
        undo=(),
        made=_unique([*known.made, *made]),
        prior=_unique([*known.prior, *replaced]),
    )
    reported = tuple(entry for entry in replaced if entry not in known.prior)
    data = after.encode("utf-8")
    return Change(target, before, data, "replaced", state, reported)


def _prior(target: Target, text: str) -> tuple[Prior, ...]:
    entries: list[Prior] = []
    for part in target.parts:
        entries += part.prior(text)
    return tuple(entries)


def _is_own_edited(prior: Prior) -> bool:
    """Return whether set-up wrote an entry that a person edited since: it starts
    CueDeck or allows one of its tools.
    """
    return isinstance(prior.value, str) or started_program(prior.value) == PROGRAM


def _unique(values: Sequence[T]) -> tuple[T, ...]:
    unique: list[T] = []
    for value in values:
        if value not in unique:
            unique.append(value)
    return tuple(unique)
