"""Checks of what can be derived again: the index, files a dead process left behind, locks."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from cuedeck.app.doctor.view import View
from cuedeck.model.node import Diagnostic
from cuedeck.store.home import held_locks, index_size, list_folder

CACHE = ".cuedeck/cache"
INDEX = f"{CACHE}/index.sqlite"
LARGEST_INDEX = 500_000_000
"""Bytes."""
STALE_SECONDS = 60
_FOLDERS = (CACHE, ".cuedeck", ".cuedeck/sessions", ".cuedeck/workflows")
"""Where temporary files are made."""
_TEMPORARY = re.compile(r"(\..+|.+\.backup\.json(\.lz4)?)\.\d+\.tmp", re.DOTALL)
"""Names of temporary files of ours; in the cache everything that ends in `.tmp` is one."""


def check_index(view: View) -> Iterator[Diagnostic]:
    """Find an index that is corrupt, cannot be kept, or grew out of proportion."""
    if view.index_fault:
        hint = "`cuedeck doctor --repair` builds it anew"
        yield Diagnostic(INDEX, 0, "error", "corrupt-index", f"the index is corrupt: {view.index_fault}", hint)
        return
    if view.in_memory:
        message = "the index cannot be kept here, so every command reads all files"
        yield Diagnostic(CACHE, 0, "warning", "index-in-memory", message, "make .cuedeck/cache writable")
    size = index_size(view.workspace)
    if size > LARGEST_INDEX:
        message = f"the index takes {size / 1e6:,.0f} MB"
        yield Diagnostic(INDEX, 0, "info", "large-index", message, "`cuedeck clean` drops it; leave out large folders")


def check_leftovers(view: View) -> Iterator[Diagnostic]:
    """Find temporary files whose writer must be dead."""
    for path in leftovers(view):
        hint = "`cuedeck doctor --repair` removes it"
        yield Diagnostic(path, 0, "info", "leftover", "a temporary file that nobody finished", hint)


def leftovers(view: View) -> list[str]:
    """Return the temporary files that are older than a minute."""
    entries = [entry for folder in _FOLDERS for entry in list_folder(view.workspace, folder)]
    stale = (entry for entry in entries if not entry.is_folder and entry.age_seconds > STALE_SECONDS)
    return [entry.path for entry in stale if _is_temporary(entry.path)]


def _is_temporary(path: str) -> bool:
    folder, name = posixpath.split(path)
    return name.endswith(".tmp") if folder == CACHE else _TEMPORARY.fullmatch(name) is not None


def check_locks(view: View) -> Iterator[Diagnostic]:
    """Find locks that are held just now."""
    for path in held_locks(view.workspace):
        yield Diagnostic(path, 0, "info", "held-lock", "a living process holds this lock", "a watcher or a server runs")
