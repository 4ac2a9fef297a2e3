"""Checks of the cache: both indexes, what recall searches, links in place of generated
files, stale temporary files, held locks.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from cuedeck.doctor.check_context import CheckContext, check, failure, note, warning
from cuedeck.knowledge.recall.recall_sources import extra_root_faults
from cuedeck.model.diagnostic import Diagnostic
from cuedeck.model.formatting import counted
from cuedeck.model.paths import CACHE, HOME, SESSIONS
from cuedeck.store.cache.recall_index import lost_units
from cuedeck.store.files.disk import tree_of
from cuedeck.store.files.qmd_command import is_installed
from cuedeck.store.files.stale_temp_files import leftovers
from cuedeck.store.files.user_cache import find_outside_index
from cuedeck.store.files.workspace_files import database_fault, held_locks
from cuedeck.store.workspace_paths import WorkspacePaths

_GENERATED = (
    "SCENE.md",
    "active",
    "cache",
    "sessions",
    "decisions.jsonl",
    "attempts.jsonl",
)


@check("index", "the index is intact and can be stored")
def check_index(context: CheckContext) -> Iterator[Diagnostic]:
    index = context.paths.shown(context.paths.index) if context.paths.index else CACHE
    if context.index_fault:
        hint = "`cuedeck doctor --repair` rebuilds it"
        yield failure(
            index, "corrupt-index", f"the index is corrupt: {context.index_fault}", hint
        )
        return
    if context.index.is_in_memory:
        message = "the index cannot be written here, so every command reads all files"
        yield warning(CACHE, "index-in-memory", message, f"make {CACHE} writable")
    outside = find_outside_index(context.paths.root)
    if outside is not None:
        message = f"{outside.size / 1e6:,.1f} MB of an index from before `cuedeck init` are not used"
        yield note(outside.place, "unused-index", message, "`cuedeck clean` deletes it")


@check("links", "no generated file is a symbolic link")
def check_links(context: CheckContext) -> Iterator[Diagnostic]:
    paths = [HOME]
    paths += [f"{HOME}/{name}" for name in _GENERATED]
    for folder in (CACHE, SESSIONS):
        names = tree_of(context.paths.absolute(folder))
        paths += [f"{folder}/{name}" for name in names]
    for path in paths:
        if os.path.islink(context.paths.absolute(path)):
            message = "a symbolic link is in the place of a file or folder of CueDeck"
            yield failure(
                path, "generated-link", message, f"remove the link: rm {path}"
            )


@check("leftovers", "no temporary file of a killed process remains")
def check_leftovers(context: CheckContext) -> Iterator[Diagnostic]:
    for left in leftovers(context.paths):
        hint = "`cuedeck doctor --repair` removes it; so does `cuedeck clean`"
        yield note(
            left.path, "leftover", "a temporary file of an interrupted command", hint
        )


@check("locks", "no lock is held")
def check_locks(context: CheckContext) -> Iterator[Diagnostic]:
    for path in held_locks(context.paths):
        yield note(
            path,
            "held-lock",
            "a running process holds this lock",
            "this is normal while a watcher or a server runs",
        )


def find_recall_fault(paths: WorkspacePaths) -> str:
    """Return how the index of recall is corrupt; empty if it is sound or missing."""
    fault = database_fault(paths.recall_index)
    lost = 0 if fault else lost_units(paths.recall_index)
    if lost:
        fault = f"it lacks {counted(lost, 'unit')}"
    return fault


@check("recall-index", "the index of recall is intact")
def check_recall_index(context: CheckContext) -> Iterator[Diagnostic]:
    fault = find_recall_fault(context.paths)
    if fault:
        yield failure(
            context.paths.shown(context.paths.recall_index),
            "corrupt-index",
            f"the index of recall is corrupt: {fault}",
            "`cuedeck doctor --repair` rebuilds it",
        )


@check("extra", "each folder outside the workspace that is searched exists")
def check_extra(context: CheckContext) -> Iterator[Diagnostic]:
    for fault in extra_root_faults(context.workspace.paths, context.workspace.settings):
        yield warning(
            ".",
            "missing-extra",
            f"{fault}, so recall does not search it",
            "name an existing folder or .md file in CUEDECK_FILES__EXTRA",
        )


@check("qmd", "qmd is installed if recall uses it")
def check_qmd(context: CheckContext) -> Iterator[Diagnostic]:
    memory = context.workspace.settings.memory
    if memory.backend == "builtin" or is_installed(memory.qmd_command):
        return
    name = " ".join(memory.qmd_command[:1])
    yield warning(
        ".",
        "missing-qmd",
        f"memory.backend is qmd, but the command `{name}` is not found",
        "npm install -g @tobilu/qmd",
    )
