"""Put own entries into the files of a host."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

from cuedeck.app.setup.change import Change, State, in_file, text_of, write_all
from cuedeck.app.setup.checks.program import check_program
from cuedeck.app.setup.finding import finding_rows
from cuedeck.app.setup.targets import Target, targets_of
from cuedeck.model.errors import Invalid
from cuedeck.model.host import Host
from cuedeck.parse.hosts.edit import Cut, cut
from cuedeck.parse.hosts.part import Keys
from cuedeck.store.lock import locked
from cuedeck.store.setups import Known, digest, read_setups

if TYPE_CHECKING:
    from cuedeck.app.project import Project

FAMILY = "setup"


def connect(project: Project, host: Host, *, dry_run: bool = False) -> dict[str, Any]:
    """Connect a host; twice is the same as once. With `dry_run` nothing is written.

    Raises: Invalid for a file that cannot be read or safely changed, with its path and line; no file is
    written then. StorageError, Locked.
    """
    workspace = project.workspace
    with nullcontext() if dry_run else locked(workspace, FAMILY):
        known = read_setups(workspace)
        changes = [_plan(target, known.get(target.path)) for target in targets_of(host, workspace)]
        if not dry_run:
            write_all(workspace, changes)
    return {
        "host": host.name,
        "dry_run": dry_run,
        "files": [each.as_json(with_diff=dry_run) for each in changes],
        "next": host.next_step,
        "findings": finding_rows(("program", each) for each in check_program()),
    }


def _plan(target: Target, known: Known | None) -> Change:
    before = target.read()
    text = text_of(target, before)
    try:
        if before is not None and all(part.is_right(text) for part in target.parts):
            return Change(target, before, before, "unchanged", known)
        return _put(target, before, text, known)
    except Invalid as error:
        raise in_file(target, error) from error


def _put(target: Target, before: bytes | None, text: str, known: Known | None) -> Change:
    """Put every part in, or right; what the old bytes were is told where own entries were not there before."""
    held = any(part.holds(text) for part in target.parts)
    if held and known and known.is_untouched(before):
        # What is as set-up left it is done anew from the old bytes.
        base, is_first = cut(text, known.cuts), True
    else:
        base, is_first = text, not held
    after = base
    undo: tuple[Cut, ...] = ()
    made: tuple[Keys, ...] = ()
    for part in target.parts:
        if not part.holds(after):
            put = part.put(after)
            after, undo, made = put.text, (*put.undo, *undo), (*made, *put.made)
        elif not part.is_right(after):
            after = part.renew(after)
    data = after.encode("utf-8")
    state: State = "created" if before is None else "replaced" if held else "added"
    created, folders = (before is None, ()) if known is None or not held else (known.created, known.folders)
    if is_first:
        known = Known(digest(data), undo, made, created, folders)
    elif known:
        known = known._replace(after="", cuts=(), made=tuple(dict.fromkeys((*known.made, *made))))
    return Change(target, before, data, state, known)
