"""Addition of own entries to the files of a host."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any, NamedTuple

from cuedeck.app.setup.check_host import CHECKS, DRY_RUN_CHECKS, find_problems, finding_rows
from cuedeck.app.setup.checks.host_view import HostView
from cuedeck.app.setup.file_change import Change, text_of, write_all
from cuedeck.app.setup.host_parts import Target, next_step, targets_of
from cuedeck.hosts.base import PROGRAM, Host
from cuedeck.hosts.edit.own_commands import started_program
from cuedeck.model.errors import Invalid, UsageError
from cuedeck.model.file import Diagnostic
from cuedeck.model.prior_entry import Keys, Prior
from cuedeck.parse.text_edit import Cut, Swap, swap, swaps_between
from cuedeck.store.fs.file_lock import locked
from cuedeck.store.fs.host_files import check_folders
from cuedeck.store.ledgers.setup_state import KnownSetup, digest, read_setups

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace

FAMILY = "setup"


def connect(workspace: Workspace, host: Host, *, dry_run: bool = False, allow_tools: bool = False) -> dict[str, Any]:
    """Connect a host and check the connection; a second call changes nothing. With `dry_run` nothing is written.

    With `allow_tools` the host runs read-only tools without asking, until it is disconnected.
    Raises: UsageError for a host without a setting for that.
    Invalid, with path and line, for a file that cannot be parsed or safely changed; then no file is written.
    StorageError, Locked.
    """
    if allow_tools and host.setup.allow is None:
        raise UsageError(f"{host.title} has no setting that allows single tools", hint=host.setup.asks)
    with nullcontext() if dry_run else locked(workspace.paths, FAMILY):
        known = read_setups(workspace.paths)
        targets = targets_of(host, workspace.paths, allow_tools=allow_tools)
        changes = [_plan(host, target, known.get(target.path)) for target in targets]
        if not dry_run:
            write_all(workspace.paths, changes)
    found = find_problems(
        HostView(host, workspace.paths, targets), _programs(changes), DRY_RUN_CHECKS if dry_run else CHECKS
    )
    return {
        "host": host.name,
        "dry_run": dry_run,
        "files": [each.as_json(with_diff=dry_run) for each in changes],
        "next": next_step(host, workspace.paths),
        "findings": finding_rows([*found, *_replaced(host, changes)]),
    }


def _programs(changes: Sequence[Change]) -> Iterator[str]:
    """Yield the programs that own entries start."""
    for change in changes:
        text = text_of(change.target, change.after)
        for part in change.target.parts:
            yield from part.programs(text)


def _replaced(host: Host, changes: Sequence[Change]) -> Iterator[tuple[str, Diagnostic]]:
    hint = f"`cuedeck setup {host.name} --remove` brings it back"
    for change in changes:
        for each in change.prior:
            message = f"replaced: {each.description}"
            yield "replaced", Diagnostic(change.target.path, 0, "info", "replaced-entry", message, hint)


def _plan(host: Host, target: Target, known: KnownSetup | None) -> Change:
    """Return the change of one file, and remember a host that is connected by its block alone."""
    before = target.read()
    if before is None:
        check_folders(target.place)
    text = text_of(target, before)
    try:
        change = _choose(target, before, text, known)
    except Invalid as error:
        raise error.in_file(target.path) from error
    if host.hooks is not None or host.setup.server is not None:
        return change
    known = change.known or KnownSetup("", (), (), False, ())
    return change._replace(known=known._replace(hosts=tuple(sorted({*known.hosts, host.name}))))


def _choose(target: Target, before: bytes | None, text: str, known: KnownSetup | None) -> Change:
    """Return the change that brings a file up to date: nothing, `_insert`, `_reapply` or `_renew`."""
    if before is not None and all(part.is_right(text) for part in target.parts):
        return Change(target, before, before, "unchanged", known or _already_there(target, before, text))
    if not any(part.holds(text) for part in target.parts):
        return _insert(target, before, text)
    if known is not None and known.is_untouched(before):
        return _reapply(target, before, text, known)
    return _renew(target, before, text, known)


def _already_there(target: Target, data: bytes, text: str) -> KnownSetup | None:
    """Return the state of a file whose valid entries a person wrote; a removal restores them. None without such."""
    prior = _prior(target, text)
    if not prior:
        return None
    return KnownSetup(digest(data), swaps_between(text, _without_own(target, text)), (), False, (), prior)


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
            undo = (*map(_as_swap, put.undo), *undo)
            made = (*made, *put.made)
        elif not part.is_right(text):
            there = part.prior(text)
            text = part.renew(text)
            left = part.prior(text)
            replaced += [each for each in there if each not in left]
    return _Edited(text, undo, made, tuple(replaced))


def _insert(target: Target, before: bytes | None, text: str) -> Change:
    """Add own entries to a file without any."""
    edited = _edit(target, text)
    known = KnownSetup(digest(edited.data), edited.undo, edited.made, before is None, ())
    return Change(target, before, edited.data, "created" if before is None else "added", known)


def _reapply(target: Target, before: bytes | None, text: str, known: KnownSetup) -> Change:
    """Replace the own entries of a file that is as set-up left it: restore the old text and add them to that."""
    base = swap(text, known.undo)
    edited = _edit(target, base)
    undo = edited.undo
    if any(part.holds(base) for part in target.parts):
        undo = swaps_between(edited.text, _without_own(target, base))
    replaced = tuple(each for each in edited.replaced if each not in known.prior)
    state = known._replace(after=digest(edited.data), undo=undo, made=edited.made, prior=_prior(target, base))
    return Change(target, before, edited.data, "replaced", state, replaced)


def _renew(target: Target, before: bytes | None, text: str, known: KnownSetup | None) -> Change:
    """Update the own entries of a file that a person edited since, or that set-up knows nothing of."""
    edited = _edit(target, text)
    prior = _prior(target, text)
    if known is None:
        undo = swaps_between(edited.text, _without_own(target, text))
        state = KnownSetup(digest(edited.data), undo, edited.made, False, (), prior) if prior else None
        return Change(target, before, edited.data, "replaced", state, edited.replaced)
    theirs = [each for each in prior if each in known.prior or not _is_own_edited(each)]
    replaced = [each for each in edited.replaced if each in theirs]
    remembered = _once([*known.prior, *(each for each in theirs if each in replaced)])
    made = tuple(dict.fromkeys((*known.made, *edited.made)))
    state = known._replace(after="", undo=(), made=made, prior=remembered)
    reported = tuple(each for each in replaced if each not in known.prior)
    return Change(target, before, edited.data, "replaced", state, reported)


def _prior(target: Target, text: str) -> tuple[Prior, ...]:
    return tuple(each for part in target.parts for each in part.prior(text))


def _without_own(target: Target, text: str) -> str:
    """Return a text without the entries that set-up wrote; entries that a person wrote stay."""
    for part in target.parts:
        text = part.strip(text, None, part.prior(text))
    return text


def _is_own_edited(prior: Prior) -> bool:
    """Return whether set-up wrote an entry that a person edited since: it starts CueDeck or allows one of its tools."""
    return isinstance(prior.value, str) or started_program(prior.value) == PROGRAM


def _as_swap(gone: Cut) -> Swap:
    return Swap(gone.start, gone.end)


def _once(prior: Sequence[Prior]) -> tuple[Prior, ...]:
    return tuple(each for at, each in enumerate(prior) if each not in prior[:at])
