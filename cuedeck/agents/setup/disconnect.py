"""Removal of own entries from the files of a host."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING

from cuedeck.agents.edits.json_document import read_json
from cuedeck.agents.edits.managed_part import PluginPart
from cuedeck.agents.hosts.base import Host
from cuedeck.agents.hosts.setup_types import Form
from cuedeck.agents.setup.checks.entry_checks import broken_file
from cuedeck.agents.setup.checks.run_checks import finding_rows
from cuedeck.agents.setup.connected_forms import (
    exclude_target,
    find_forms,
    local_targets,
)
from cuedeck.agents.setup.file_change import (
    Change,
    KnownSetup,
    State,
    read_setups,
    write_all,
)
from cuedeck.agents.setup.host_targets import (
    Refused,
    Target,
    files_of,
    is_shared_part,
    wanted_paths,
    written_targets,
)
from cuedeck.model.diagnostic import Diagnostic
from cuedeck.model.errors import Invalid, StorageError
from cuedeck.parse.text_decoding import BOM
from cuedeck.parse.text_edit import swap
from cuedeck.store.files.file_lock import FILES, locked
from cuedeck.store.workspace_paths import WorkspacePaths

if TYPE_CHECKING:
    from cuedeck.model.ports import Json


def disconnect(
    paths: WorkspacePaths,
    host: Host,
    form: Form | None = None,
    *,
    dry_run: bool = False,
) -> Json:
    """Disconnect a host: files unchanged since set-up get their old bytes back, others
    lose own entries only.

    Without a form, the entries in the repository and of this checkout are removed;
    those in the user's own settings serve other workspaces, too, and become a finding.

    A file that cannot be parsed or safely changed becomes a finding, and the others are
    still changed. Raises: StorageError, with all files unchanged; Locked.
    """
    with nullcontext() if dry_run else locked(paths, FILES):
        planned, refused = _plan_all(host, paths, form)
        wanted = wanted_paths(host, paths, form or "project")
        if not dry_run:
            write_all(paths, planned)
    changes = [each for each in planned if each.is_change or each.target.path in wanted]
    findings = []
    if form is None and "user" in find_forms(host, paths):
        findings.append(("forms", _user_entries(host, paths)))
    findings += [("files", broken_file(path, error)) for path, error in refused]
    files = [change.as_json(with_diff=dry_run) for change in changes]
    diff = {"diff": ""} if dry_run else {}
    files += [{"path": path, "state": "failed", **diff} for path, _ in refused]
    is_changed = any(change.is_change for change in changes)
    next_step = f"restart {host.title} to apply this" if is_changed else ""
    return {
        "host": host.name,
        "form": form,
        "dry_run": dry_run,
        "files": files,
        "next": next_step,
        "findings": finding_rows(findings),
    }


def _plan_all(
    host: Host, paths: WorkspacePaths, form: Form | None
) -> tuple[list[Change], list[Refused]]:
    """Return the change of each file, of `info/exclude` last, and the files that cannot
    be changed.
    """
    known = read_setups(paths)
    forms: list[Form] = [form or "project"]
    if form is None and (host.hooks or host.setup.server):
        forms.append("local")
    targets, unreachable = written_targets(host, paths, forms)
    if form == "local":
        targets = local_targets(host, paths, targets)
    changes = []
    refused = list(unreachable)
    for target in targets:
        try:
            changes.append(plan_removal(host, target, known.get(target.path)))
        except (Invalid, StorageError) as error:
            refused.append(Refused(target.path, error))
    exclude = None
    if form != "user":
        exclude = exclude_target(paths, targets)
    if exclude is not None:
        changes.append(plan_removal(host, exclude, None))
    return changes, refused


def _user_entries(host: Host, paths: WorkspacePaths) -> Diagnostic:
    place = files_of(host, paths, "user")
    path = place.hooks or (place.server.path if place.server else ".")
    message = "your own settings of the host still contain entries of CueDeck"
    hint = f"`cuedeck setup {host.name} --user --remove` removes them"
    return Diagnostic(
        path,
        0,
        "info",
        "user-entries",
        message,
        hint,
    )


def plan_removal(host: Host, target: Target, known: KnownSetup | None) -> Change:
    """Return the change that removes the own entries from a file; one that another
    connected host reads, too, stays. Raises: Invalid, StorageError.
    """
    before = target.read()
    change = Change(
        target,
        before,
        before,
        "unchanged",
        None,
    )
    if before is None:
        return change._replace(state="absent")
    is_shared = all(map(is_shared_part, target.parts))
    others = _without_host(known, host) if known and is_shared else None
    if others:
        return change._replace(state="kept", known=others)
    text = target.text_of(before)
    undo = known.undo if known and known.is_untouched(before) else None
    is_untouched = undo is not None
    try:
        after = target.strip(text) if undo is None else swap(text, undo)
        is_empty = _is_empty(host, target, after)
    except Invalid as error:
        raise error.in_file(target.path) from error
    if is_empty and after != text and _is_created(target, known):
        return change._replace(after=None, state="deleted")
    state = _state_of(is_untouched, is_empty, is_changed=after != text)
    if target.is_of_user and state != "emptied":
        change = change._replace(known=known)
    return change._replace(after=after.encode("utf-8"), state=state)


def _without_host(known: KnownSetup, host: Host) -> KnownSetup | None:
    """Return the state of a file without a host; None if no other host uses it."""
    others = sorted({*known.hosts} - {host.name})
    return known._replace(hosts=tuple(others)) if others else None


def _is_created(target: Target, known: KnownSetup | None) -> bool:
    """Return whether set-up created a file; without a state, whether all of it is."""
    if known:
        return known.created
    return all(isinstance(part, PluginPart) for part in target.parts)


def _state_of(is_untouched: bool, is_empty: bool, *, is_changed: bool) -> State:
    if is_untouched:
        return "restored" if is_changed else "kept"
    if not is_changed:
        return "unchanged"
    return "emptied" if is_empty else "removed"


def _is_empty(host: Host, target: Target, text: str) -> bool:
    """Return whether a file has no content except containers and members that set-up
    adds.
    """
    if not target.path.endswith(".json"):
        return not text.removeprefix(BOM).strip()
    document = read_json(text)
    if document.comments:
        return False
    added = dict(host.hooks.fixed) if host.hooks else {}
    return (document.value or {}) in ({}, added)
