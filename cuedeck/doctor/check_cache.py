"""Checks of the cache: both indexes, and what recall searches."""

from __future__ import annotations

from collections.abc import Iterator

from cuedeck.doctor.check_context import CheckContext, check, failure, note, warning
from cuedeck.knowledge.recall.recall_sources import extra_root_faults
from cuedeck.model.diagnostic import Diagnostic
from cuedeck.model.formatting import counted
from cuedeck.model.paths import CACHE
from cuedeck.store.cache.recall_index import lost_units
from cuedeck.store.files.qmd_command import is_installed
from cuedeck.store.files.user_cache import find_outside_index
from cuedeck.store.files.workspace_files import database_fault
from cuedeck.store.workspace_paths import WorkspacePaths

_REBUILD = "`cuedeck doctor --repair` rebuilds it"


@check("index", "the index is intact and can be stored")
def check_index(context: CheckContext) -> Iterator[Diagnostic]:
    paths = context.paths
    if context.index_fault:
        message = f"the index is corrupt: {context.index_fault}"
        yield failure(paths.shown(paths.index), "corrupt-index", message, _REBUILD)
        return
    if context.index.is_in_memory:
        message = "the index cannot be written here, so every command reads all files"
        yield warning(CACHE, "index-in-memory", message, f"make {CACHE} writable")
    outside = find_outside_index(paths.root)
    if outside is not None:
        message = f"{outside.size / 1e6:,.1f} MB of an index from before `cuedeck init` are not used"
        yield note(outside.place, "unused-index", message, "`cuedeck clean` deletes it")


def find_recall_fault(paths: WorkspacePaths) -> str:
    """Return how the index of recall is corrupt; empty if it is sound or missing."""
    fault = database_fault(paths.recall_index)
    lost = 0 if fault else lost_units(paths.recall_index)
    return f"it lacks {counted(lost, 'unit')}" if lost else fault


@check("recall-index", "the index of recall is intact")
def check_recall_index(context: CheckContext) -> Iterator[Diagnostic]:
    paths = context.paths
    fault = find_recall_fault(paths)
    if fault:
        message = f"the index of recall is corrupt: {fault}"
        place = paths.shown(paths.recall_index)
        yield failure(place, "corrupt-index", message, _REBUILD)


@check("extra", "each folder outside the workspace that is searched exists")
def check_extra(context: CheckContext) -> Iterator[Diagnostic]:
    hint = "name an existing folder or .md file in CUEDECK_FILES__EXTRA"
    for fault in extra_root_faults(context.paths, context.workspace.settings):
        yield warning(
            ".", "missing-extra", f"{fault}, so recall does not search it", hint
        )


@check("qmd", "qmd is installed if recall uses it")
def check_qmd(context: CheckContext) -> Iterator[Diagnostic]:
    memory = context.workspace.settings.memory
    if memory.backend == "builtin" or is_installed(memory.qmd_command):
        return
    name = " ".join(memory.qmd_command[:1])
    message = f"memory.backend is qmd, but the command `{name}` is not found"
    yield warning(".", "missing-qmd", message, "npm install -g @tobilu/qmd")
