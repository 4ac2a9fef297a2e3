"""Checks of the cache: the index, links in place of generated files, stale temporary
files, held locks.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from cuedeck.doctor.check_context import CheckContext
from cuedeck.model.diagnostic import Diagnostic
from cuedeck.model.paths import CACHE, HOME, SESSIONS
from cuedeck.store.files.disk import tree_of
from cuedeck.store.files.stale_temp_files import leftovers
from cuedeck.store.files.user_cache import find_outside_index
from cuedeck.store.files.workspace_files import held_locks, index_size

_GENERATED = (
    "SCENE.md",
    "active",
    "cache",
    "sessions",
    "decisions.jsonl",
    "attempts.jsonl",
)
LARGEST_INDEX = 500_000_000
"""Size in bytes above which the index is reported."""


def check_index(context: CheckContext) -> Iterator[Diagnostic]:
    """Find an index that is corrupt, cannot be written, is very large, or is not used
    any more.
    """
    index = context.paths.shown(context.paths.index) if context.paths.index else CACHE
    if context.index_fault:
        hint = "`cuedeck doctor --repair` rebuilds it"
        yield Diagnostic(
            index,
            0,
            "error",
            "corrupt-index",
            f"the index is corrupt: {context.index_fault}",
            hint,
        )
        return
    if context.index.is_in_memory:
        message = "the index cannot be written here, so every command reads all files"
        yield Diagnostic(
            CACHE, 0, "warning", "index-in-memory", message, f"make {CACHE} writable"
        )
    size = index_size(context.paths)
    if size > LARGEST_INDEX:
        message = f"the index takes {size / 1e6:,.0f} MB"
        yield Diagnostic(
            index,
            0,
            "info",
            "large-index",
            message,
            "`cuedeck clean` deletes it; ignore large folders to keep it small",
        )
    outside = find_outside_index(context.paths.root)
    if outside is not None:
        message = f"{outside.size / 1e6:,.1f} MB of an index from before `cuedeck init` are not used"
        yield Diagnostic(
            outside.place,
            0,
            "info",
            "unused-index",
            message,
            "`cuedeck clean` deletes it",
        )


def check_links(context: CheckContext) -> Iterator[Diagnostic]:
    """Find symbolic links in place of generated files, which CueDeck neither reads nor
    writes through.
    """
    paths = [HOME]
    paths += [f"{HOME}/{name}" for name in _GENERATED]
    for folder in (CACHE, SESSIONS):
        names = tree_of(context.paths.absolute(folder))
        paths += [f"{folder}/{name}" for name in names]
    for path in paths:
        if os.path.islink(context.paths.absolute(path)):
            message = "a symbolic link is in the place of a file or folder of CueDeck"
            yield Diagnostic(
                path,
                0,
                "error",
                "generated-link",
                message,
                f"remove the link: rm {path}",
            )


def check_leftovers(context: CheckContext) -> Iterator[Diagnostic]:
    """Find temporary files whose writing process is dead."""
    for left in leftovers(context.paths):
        hint = "`cuedeck doctor --repair` removes it; so does `cuedeck clean`"
        yield Diagnostic(
            left.path,
            0,
            "info",
            "leftover",
            "a temporary file of an interrupted command",
            hint,
        )


def check_locks(context: CheckContext) -> Iterator[Diagnostic]:
    """Find locks that a running process holds."""
    for path in held_locks(context.paths):
        yield Diagnostic(
            path,
            0,
            "info",
            "held-lock",
            "a running process holds this lock",
            "this is normal while a watcher or a server runs",
        )
