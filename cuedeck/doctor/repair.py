"""Safe automatic repairs, planned as steps that can be listed before they are applied,
and the deletion of caches (`cuedeck clean`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from cuedeck.doctor.check_cache import find_recall_fault
from cuedeck.doctor.check_context import CheckContext
from cuedeck.doctor.check_git import (
    GITIGNORE,
    is_linked,
    missing_rules,
    visible_memory_rules,
    visible_to_git,
)
from cuedeck.model.errors import CueDeckError
from cuedeck.model.paths import CARDS, DOCS, HOME
from cuedeck.parse.gitignore import IGNORE_LINES, append_lines
from cuedeck.store.cache.cache_files import Cached, cached, remove_cached
from cuedeck.store.files.disk import read_bytes, user_file, write_atomic
from cuedeck.store.files.stale_temp_files import Leftover, leftovers, remove
from cuedeck.store.files.user_cache import find_outside_index, remove_outside_index
from cuedeck.store.files.workspace_files import (
    back_up,
    make_folder,
    presence,
    remove_database,
)
from cuedeck.store.workspace_paths import WorkspacePaths
from cuedeck.store.worktree_memory import left_memory, move_memory

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace


class Repair(NamedTuple):
    """One repair: planned, done, or failed."""

    path: str
    what: str
    done: bool
    problem: str
    """Why the repair failed; empty if it succeeded or was only planned."""


class Step(NamedTuple):
    """One planned repair and the function that applies it."""

    path: str
    what: str
    act: Callable[[], None]


def planned(context: CheckContext) -> tuple[Step, ...]:
    """Return the repairs to make, in the order of `REPAIRS`, without changing
    anything.
    """
    return tuple(chain.from_iterable(plan(context) for plan in REPAIRS))


def apply(step: Step) -> Repair:
    """Apply one step and return its result; an error is recorded, so that the next
    steps still run.
    """
    try:
        step.act()
    except CueDeckError as error:
        return Repair(step.path, step.what, False, error.message)
    return Repair(step.path, step.what, True, "")


def plan_folders(context: CheckContext) -> Iterator[Step]:
    """Create missing folders."""
    for folder in (CARDS, DOCS):
        if not presence(context.paths, folder):
            yield Step(
                folder, "create the folder", partial(make_folder, context.paths, folder)
            )


def plan_gitignore(context: CheckContext) -> Iterator[Step]:
    """Add the lines that keep generated files and private memory files out of git."""
    if is_linked(context):
        return
    wanted = [
        *missing_rules(context),
        *visible_to_git(context),
        *visible_memory_rules(context),
    ]
    if not wanted:
        return
    verb = "add"
    lines = tuple(dict.fromkeys(wanted))
    if not presence(context.paths, GITIGNORE):
        verb = "write"
        lines = IGNORE_LINES

    listed = ", ".join(lines)
    edit = partial(_edit, context.paths, GITIGNORE, lines)
    yield Step(GITIGNORE, f"{verb} {listed}", edit)


def plan_index(context: CheckContext) -> Iterator[Step]:
    """Delete a corrupt index, which the next command rebuilds."""
    if context.index_fault:
        yield Step(
            context.paths.shown(context.paths.index),
            "rebuild the index",
            partial(remove_database, context.paths.index),
        )


def plan_recall_index(context: CheckContext) -> Iterator[Step]:
    """Delete an index of recall that is corrupt, which the next search rebuilds."""
    if find_recall_fault(context.paths):
        place = context.paths.recall_index
        yield Step(
            context.paths.shown(place),
            "rebuild the index of recall",
            partial(remove_database, place),
        )


def plan_leftovers(context: CheckContext) -> Iterator[Step]:
    """Remove the temporary files of dead processes."""
    for left in leftovers(context.paths):
        yield Step(left.path, "remove the temporary file", partial(remove, left))


def plan_memory(context: CheckContext) -> Iterator[Step]:
    """Move private memory of a linked worktree to the main worktree."""
    home = context.paths.shared.absolute(HOME)
    for path in left_memory(context.paths):
        move = partial(move_memory, context.paths, path)
        yield Step(path, f"move it to {home}", move)


REPAIRS: tuple[Callable[[CheckContext], Iterable[Step]], ...] = (
    plan_folders,
    plan_gitignore,
    plan_index,
    plan_recall_index,
    plan_leftovers,
    plan_memory,
)
"""All repairs, in order of application."""


def _edit(paths: WorkspacePaths, path: str, lines: Sequence[str]) -> None:
    place = user_file(paths.root, path)
    data = read_bytes(place) or b""
    changed = append_lines(data, lines)
    if changed != data:
        back_up(paths, path)
        write_atomic(place, changed, paths.cache)


def clean(workspace: Workspace, *, dry_run: bool = False) -> dict[str, Any]:
    """Delete the index, the caches and the temporary files of dead processes; user
    files are not touched.

    Of a folder without `.cuedeck/`, and of a workspace that was one, the index in the
    user's cache folder is deleted. The next command rebuilds the index and the caches.
    Raises: StorageError.
    """
    caches = cached(workspace.paths) if workspace.paths.is_initialised else ()
    stale = _uncached(leftovers(workspace.paths), caches)
    outside = find_outside_index(workspace.paths.root)
    if not dry_run:
        for cache in caches:
            remove_cached(workspace.paths, cache)
        for file in stale:
            remove(file)
        if outside is not None:
            remove_outside_index(outside)
    found = [
        *((each.path, each.size) for each in caches),
        *((each.path, each.size) for each in stale),
    ]
    if outside is not None:
        found.append((outside.place, outside.size))
    return {
        "removed": [path for path, _ in found],
        "bytes": sum(size for _, size in found),
        "dry_run": dry_run,
    }


def _uncached(files: Sequence[Leftover], caches: Sequence[Cached]) -> list[Leftover]:
    paths = {cache.path for cache in caches}
    folders = tuple(f"{path}/" for path in paths)
    return [
        file
        for file in files
        if file.path not in paths and not file.path.startswith(folders)
    ]
