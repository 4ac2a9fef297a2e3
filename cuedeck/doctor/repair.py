"""Safe automatic repairs, planned as steps that can be listed before they are applied,
and the deletion of caches (`cuedeck clean`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

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
from cuedeck.store.cache.cache_files import cached, remove_cached
from cuedeck.store.files.disk import read_bytes, user_file, write_atomic
from cuedeck.store.files.stale_temp_files import leftovers, remove
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
    from cuedeck.model.ports import Json


class Repair(NamedTuple):
    """One repair: planned, done, or failed."""

    path: str
    what: str
    done: bool = False
    problem: str = ""
    """Why the repair failed; empty if it succeeded or was only planned."""


class Step(NamedTuple):
    """One planned repair and the function that applies it."""

    path: str
    what: str
    act: Callable[[], None]


def apply(step: Step) -> Repair:
    """Apply one step and return its result; an error is recorded, so that the next
    steps still run.
    """
    try:
        step.act()
    except CueDeckError as error:
        return Repair(step.path, step.what, problem=error.message)
    return Repair(step.path, step.what, done=True)


def plan_repairs(context: CheckContext) -> Iterator[Step]:
    """Yield the repairs to make, in order of application, without changing anything."""
    paths = context.paths
    for folder in (CARDS, DOCS):
        if not presence(paths, folder):
            yield Step(folder, "create the folder", partial(make_folder, paths, folder))
    yield from _plan_gitignore(context)
    rows = (
        (paths.index, "index", context.index_fault),
        (paths.recall_index, "index of recall", find_recall_fault(paths)),
    )
    for place, what, fault in rows:
        if fault:  # the next command rebuilds it
            remove_index = partial(remove_database, place)
            yield Step(paths.shown(place), f"rebuild the {what}", remove_index)
    for left in leftovers(paths):
        yield Step(left.path, "remove the temporary file", partial(remove, left))
    for path in left_memory(paths):
        move = partial(move_memory, paths, path)
        yield Step(path, f"move it to {paths.shared.absolute(HOME)}", move)


def _plan_gitignore(context: CheckContext) -> Iterator[Step]:
    """Add the lines that keep generated files and private memory files out of git."""
    if is_linked(context):
        return
    wanted = [*missing_rules(context), *visible_to_git(context)]
    wanted += visible_memory_rules(context)
    if wanted:
        verb, lines = "add", tuple(dict.fromkeys(wanted))
        if not presence(context.paths, GITIGNORE):
            verb, lines = "write", IGNORE_LINES
        edit = partial(_edit, context.paths, GITIGNORE, lines)
        yield Step(GITIGNORE, f"{verb} {', '.join(lines)}", edit)


def _edit(paths: WorkspacePaths, path: str, lines: Sequence[str]) -> None:
    place = user_file(paths.root, path)
    data = read_bytes(place) or b""
    changed = append_lines(data, lines)
    if changed != data:
        back_up(paths, path)
        write_atomic(place, changed, paths.cache)


def clean(paths: WorkspacePaths, *, dry_run: bool = False) -> Json:
    """Delete the index, the caches and the temporary files of dead processes; user
    files are not touched.

    Of a folder without `.cuedeck/`, and of a workspace that was one, the index in the
    user's cache folder is deleted. The next command rebuilds the index and the caches.
    Raises: StorageError.
    """
    caches = cached(paths) if paths.is_initialised else ()
    folders = tuple(f"{cache.path}/" for cache in caches)
    stale = [
        left for left in leftovers(paths) if not f"{left.path}/".startswith(folders)
    ]
    outside = find_outside_index(paths.root)
    found = [(each.path, each.size) for each in caches]
    found += [(each.path, each.size) for each in stale]
    if outside is not None:
        found.append((outside.place, outside.size))
    if not dry_run:
        for cache in caches:
            remove_cached(paths, cache)
        for left in stale:
            remove(left)
        if outside is not None:
            remove_outside_index(outside)
    return {
        "removed": [path for path, _ in found],
        "bytes": sum(size for _, size in found),
        "dry_run": dry_run,
    }
