"""Put own entries into the files of a host."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

from cuedeck.app.setup.check_host import AHEAD, CHECKS, finding_rows, look
from cuedeck.app.setup.checks.host_view import HostView
from cuedeck.app.setup.file_change import Change, State, text_of, write_all
from cuedeck.app.setup.host_parts import Target, next_step, targets_of
from cuedeck.hosts.own_commands import started_program
from cuedeck.model.errors import Invalid, UsageError
from cuedeck.model.file import Diagnostic
from cuedeck.model.host import PROGRAM, Host
from cuedeck.model.prior_entry import Keys, Prior
from cuedeck.parse.text_edit import Cut, Swap, swap, swaps_between
from cuedeck.store.fs.file_lock import locked
from cuedeck.store.fs.host_files import check_folders
from cuedeck.store.ledgers.setup_state import KnownSetup, digest, read_setups

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace

FAMILY = "setup"


def connect(project: Workspace, host: Host, *, dry_run: bool = False, allow_tools: bool = False) -> dict[str, Any]:
    """Connect a host and look whether it can work; twice is the same as once. With `dry_run` nothing is written.

    With `allow_tools` the host runs the tools that change nothing without asking, until it is disconnected.
    Raises: UsageError for a host without a setting for that.
    Invalid for a file that cannot be read or safely changed, with its path and line; no file is written then.
    StorageError, Locked.
    """
    workspace = project.workspace
    if allow_tools and host.allow is None:
        raise UsageError(f"{host.title} has no setting that allows single tools", hint=host.asks)
    with nullcontext() if dry_run else locked(workspace, FAMILY):
        known = read_setups(workspace)
        targets = targets_of(host, workspace, allow_tools=allow_tools)
        changes = [_plan(target, known.get(target.path)) for target in targets]
        if not dry_run:
            write_all(workspace, changes)
    found = look(HostView(host, workspace, targets), _programs(changes), AHEAD if dry_run else CHECKS)
    return {
        "host": host.name,
        "dry_run": dry_run,
        "files": [each.as_json(with_diff=dry_run) for each in changes],
        "next": next_step(host, workspace),
        "findings": finding_rows([*found, *_replaced(host, changes)]),
    }


def _programs(changes: Sequence[Change]) -> Iterator[str]:
    """Yield what own entries start."""
    for change in changes:
        text = text_of(change.target, change.after)
        for part in change.target.parts:
            yield from part.programs(text)


def _replaced(host: Host, changes: Sequence[Change]) -> Iterator[tuple[str, Diagnostic]]:
    hint = f"`cuedeck setup {host.name} --remove` brings it back"
    for change in changes:
        for each in change.prior:
            message = f"replaced: {each.told}"
            yield "replaced", Diagnostic(change.target.path, 0, "info", "replaced-entry", message, hint)


def _plan(target: Target, known: KnownSetup | None) -> Change:
    before = target.read()
    if before is None:
        check_folders(target.place)
    text = text_of(target, before)
    try:
        if before is not None and all(part.is_right(text) for part in target.parts):
            return Change(target, before, before, "unchanged", known or _already_there(target, before, text))
        return _put(target, before, text, known)
    except Invalid as error:
        raise error.in_file(target.path) from error


def _already_there(target: Target, data: bytes, text: str) -> KnownSetup | None:
    """Return what is to be remembered of entries that a person wrote and that do: they outlast the own ones."""
    prior = _prior(target, text)
    return (
        KnownSetup(digest(data), swaps_between(text, _without_own(target, text)), (), False, (), prior)
        if prior
        else None
    )


def _put(target: Target, before: bytes | None, text: str, known: KnownSetup | None) -> Change:
    """Put every part in, or right; what the old bytes were is told unless a person edited what set-up left."""
    held = any(part.holds(text) for part in target.parts)
    is_untouched = held and known is not None and known.is_untouched(before)
    # What is as set-up left it is done anew from the old bytes.
    base = swap(text, known.undo) if is_untouched and known else text
    after = base
    replaced: tuple[Prior, ...] = ()
    undo: tuple[Swap, ...] = ()
    made: tuple[Keys, ...] = ()
    for part in target.parts:
        if not part.holds(after):
            put = part.put(after)
            after, undo, made = put.text, (*map(_as_swap, put.undo), *undo), (*made, *put.made)
        elif not part.is_right(after):
            there = part.prior(after)
            after = part.renew(after)
            left = part.prior(after)
            replaced = (*replaced, *(each for each in there if each not in left))
    prior = _prior(target, base)
    if known and held and not is_untouched:
        prior = tuple(each for each in prior if each in known.prior or not _is_own_edited(each))
        replaced = tuple(each for each in replaced if each in prior)
    if any(part.holds(base) for part in target.parts):
        undo = swaps_between(after, _without_own(target, base))
    data = after.encode("utf-8")
    state: State = "created" if before is None else "replaced" if held else "added"
    told = tuple(each for each in replaced if known is None or each not in known.prior)
    if is_untouched or not held or (known is None and prior):
        created, folders = (known.created, known.folders) if known and held else (before is None, ())
        known = KnownSetup(digest(data), undo, made, created, folders, prior)
    elif known:
        prior = tuple(each for each in (*known.prior, *prior) if each in known.prior or each in replaced)
        known = known._replace(after="", undo=(), made=tuple(dict.fromkeys((*known.made, *made))), prior=_once(prior))
    return Change(target, before, data, state, known, told)


def _prior(target: Target, text: str) -> tuple[Prior, ...]:
    return tuple(each for part in target.parts for each in part.prior(text))


def _without_own(target: Target, text: str) -> str:
    """Return a file as it was before what set-up wrote: what a person wrote stays."""
    for part in target.parts:
        text = part.strip(text, None, part.prior(text))
    return text


def _is_own_edited(prior: Prior) -> bool:
    """Return whether an entry is one that set-up wrote and a person changed since: it starts what set-up starts.

    A rule that allows a tool of the server is one, too.
    """
    return isinstance(prior.value, str) or started_program(prior.value) == PROGRAM


def _as_swap(gone: Cut) -> Swap:
    return Swap(gone.start, gone.end)


def _once(prior: Sequence[Prior]) -> tuple[Prior, ...]:
    return tuple(each for at, each in enumerate(prior) if each not in prior[:at])
