"""Addition of own entries to the files of a host."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

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
from cuedeck.agents.setup.disconnect import plan_removal
from cuedeck.agents.setup.file_change import FAMILY, Change, State, text_of, write_all
from cuedeck.agents.setup.host_targets import Target, targets_of
from cuedeck.agents.setup.local_files import check_local, exclude_target
from cuedeck.agents.setup.setup_state import KnownSetup, digest, read_setups
from cuedeck.engine.capture import agree_by_setup, capture_status
from cuedeck.model.diagnostic import Diagnostic
from cuedeck.model.errors import Invalid, UsageError
from cuedeck.model.replaced_entry import Keys, Prior
from cuedeck.parse.text_edit import Swap, swap, swaps_between
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
    everyone else. A server that an earlier version wrote there is removed.

    It is the user's agreement to record sessions, if the host has hooks. With
    `allow_tools` the host runs read-only tools without asking, until it is
    disconnected. Raises: UsageError for a host without a setting for that, or without
    files for the form. Invalid,
    with path and line, for a file that cannot be parsed or safely changed; then no file
    is written. StorageError, Locked.
    """
    if allow_tools and host.setup.allow is None:
        raise UsageError(
            f"{host.title} has no setting to allow individual tools",
            hint=host.setup.asks,
        )
    paths = workspace.paths
    with nullcontext() if dry_run else locked(paths, FAMILY):
        targets = targets_of(host, paths, form, allow_tools=allow_tools)
        changes = list(_plan_all(paths, host, form, targets))
        if not dry_run:
            write_all(paths, changes)
    capture = capture_status(workspace) if dry_run else agree_by_setup(workspace, host)
    active = [target for target in targets if not target.is_retired]
    view = HostView(host, paths, active, form)
    checks = DRY_RUN_CHECKS if dry_run else CHECKS
    findings = list(find_problems(view, _programs(changes), checks))
    findings += _replaced(host, changes)
    return {
        "host": host.name,
        "form": form,
        "dry_run": dry_run,
        "files": [change.as_json(with_diff=dry_run) for change in changes],
        "next": next_step(host, paths, form),
        "capture": capture,
        "findings": finding_rows(findings),
    }


def _plan_all(
    paths: WorkspacePaths, host: Host, form: Form, targets: Sequence[Target]
) -> Iterator[Change]:
    """Yield the change of each file, of `info/exclude` last."""
    known = read_setups(paths)
    if form == "local":
        check_local(host, paths, targets)
    active = []
    for target in targets:
        change = _plan(host, target, known.get(target.path))
        if not target.is_retired:
            active.append(target)
        elif not change.is_change:
            continue
        yield change
    exclude = None
    if form != "user":
        exclude = exclude_target(paths, active)
    if exclude is not None:
        yield from _plan_exclude(exclude, is_local=form == "local")


def _programs(changes: Sequence[Change]) -> Iterator[str]:
    """Yield the programs that own entries start."""
    for change in changes:
        text = text_of(change.target, change.after)
        for part in change.target.parts:
            yield from part.programs(text)


def _replaced(
    host: Host, changes: Sequence[Change]
) -> Iterator[tuple[str, Diagnostic]]:
    """Yield a finding for each entry that an own entry replaced."""
    hint = f"`cuedeck setup {host.name} --remove` restores it"
    for change in changes:
        for entry in change.prior:
            message = f"replaced: {entry.description}"
            path = change.target.path
            found = Diagnostic(
                path,
                0,
                "info",
                "replaced-entry",
                message,
                hint,
            )
            yield "replaced", found


def _plan(host: Host, target: Target, known: KnownSetup | None) -> Change:
    """Return the change of one file, and store the name of a host that is connected by
    its block alone.
    """
    if target.is_retired:
        return plan_removal(host, target, known)
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


def _plan_exclude(target: Target, *, is_local: bool) -> Iterator[Change]:
    """Yield the change of `info/exclude`: add the lines of files for this checkout, or
    remove those of files that now belong to the repository.
    """
    before = target.read()
    text = text_of(target, before)
    part = target.parts[0]
    after = part.renew(text) if is_local else part.strip(text, None)
    if after != text:
        state: State = "added" if is_local else "removed"
        yield Change(target, before, after.encode("utf-8"), state, None)


def _choose(
    target: Target, before: bytes | None, text: str, known: KnownSetup | None
) -> Change:
    """Return the change that brings a file up to date."""
    if before is not None and all(part.is_right(text) for part in target.parts):
        state = known or _state_of_others(target, before, text, text)
        return Change(target, before, before, "unchanged", state)
    if not any(part.holds(text) for part in target.parts):
        return _insert(target, before, text)
    if known is None:
        edited = _edit(target, text)
        state = _state_of_others(target, edited.data, edited.text, text, edited.made)
        replaced = edited.replaced
        return Change(
            target,
            before,
            edited.data,
            "replaced",
            state,
            replaced,
        )
    if known.is_untouched(before):
        return _reapply(target, before, text, known)
    return _renew(target, before, text, known)


def _state_of_others(
    target: Target, data: bytes, after: str, text: str, made: tuple[Keys, ...] = ()
) -> KnownSetup | None:
    """Return the state of a file in which a person wrote entries, which a removal
    restores; None if there are none.
    """
    prior = _prior(target, text)
    if not prior:
        return None
    undo = swaps_between(after, _without_own(target, text))
    return KnownSetup(digest(data), undo, made, prior=prior)


class _Edited(NamedTuple):
    """A text with all own entries."""

    text: str
    undo: tuple[Swap, ...]
    """Swaps that remove the entries that were added."""
    made: tuple[Keys, ...]
    replaced: tuple[Prior, ...]
    """Entries of others that own entries replaced."""

    @property
    def data(self) -> bytes:
        return self.text.encode("utf-8")


def _edit(target: Target, text: str) -> _Edited:
    """Add each missing part to a text and update each outdated one."""
    undo: tuple[Swap, ...] = ()
    made: tuple[Keys, ...] = ()
    replaced: list[Prior] = []
    for part in target.parts:
        if not part.holds(text):
            put = part.put(text)
            text = put.text
            undo = (*(Swap(*gone) for gone in put.undo), *undo)
            made += put.made
        elif not part.is_right(text):
            before = part.prior(text)
            text = part.renew(text)
            after = part.prior(text)
            replaced += [entry for entry in before if entry not in after]
    return _Edited(text, undo, made, tuple(replaced))


def _insert(target: Target, before: bytes | None, text: str) -> Change:
    """Add own entries to a file without any."""
    edited = _edit(target, text)
    is_new = before is None
    known = KnownSetup(digest(edited.data), edited.undo, edited.made, is_new)
    state: State = "created" if is_new else "added"
    return Change(target, before, edited.data, state, known)


def _reapply(
    target: Target, before: bytes | None, text: str, known: KnownSetup
) -> Change:
    """Update the own entries of a file unchanged since set-up: restore the old text and
    add the entries to it.
    """
    base = swap(text, known.undo)
    edited = _edit(target, base)
    undo = edited.undo
    if any(part.holds(base) for part in target.parts):
        undo = swaps_between(edited.text, _without_own(target, base))
    prior = _prior(target, base)
    after = digest(edited.data)
    state = known._replace(after=after, undo=undo, made=edited.made, prior=prior)
    replaced = tuple(entry for entry in edited.replaced if entry not in known.prior)
    return Change(
        target,
        before,
        edited.data,
        "replaced",
        state,
        replaced,
    )


def _renew(
    target: Target, before: bytes | None, text: str, known: KnownSetup
) -> Change:
    """Update the own entries of a file that a person edited since set-up."""
    edited = _edit(target, text)
    replaced = []
    for entry in _prior(target, text):
        is_of_person = entry in known.prior or not _is_own_edited(entry)
        if is_of_person and entry in edited.replaced:
            replaced.append(entry)
    state = known._replace(
        after="",
        undo=(),
        made=_unique([*known.made, *edited.made]),
        prior=_unique([*known.prior, *replaced]),
    )
    reported = tuple(entry for entry in replaced if entry not in known.prior)
    return Change(
        target,
        before,
        edited.data,
        "replaced",
        state,
        reported,
    )


def _prior(target: Target, text: str) -> tuple[Prior, ...]:
    entries: list[Prior] = []
    for part in target.parts:
        entries += part.prior(text)
    return tuple(entries)


def _without_own(target: Target, text: str) -> str:
    """Return a text without the entries that set-up wrote; entries that a person wrote
    stay.
    """
    for part in target.parts:
        text = part.strip(text, None, part.prior(text))
    return text


def _is_own_edited(prior: Prior) -> bool:
    """Return whether set-up wrote an entry that a person edited since: it starts
    CueDeck or allows one of its tools.
    """
    if isinstance(prior.value, str):
        return True
    return started_program(prior.value) == PROGRAM


def _unique(values: Sequence[T]) -> tuple[T, ...]:
    unique: list[T] = []
    for value in values:
        if value not in unique:
            unique.append(value)
    return tuple(unique)
