"""Checks of recall: its index, the folders outside the workspace, and qmd."""

from __future__ import annotations

from collections.abc import Iterator

from cuedeck.doctor.check_context import CheckContext
from cuedeck.knowledge.recall.recall_sources import EXTRA, extra_root_faults
from cuedeck.model.cortex_address import parse_cortex_address
from cuedeck.model.diagnostic import Diagnostic
from cuedeck.model.formatting import counted
from cuedeck.store.cache.recall_integrity import lost_units, stale_files
from cuedeck.store.cortex.cortex_tree import CortexTree
from cuedeck.store.cortex.recall_state import is_day_changed
from cuedeck.store.files.file_growth import Known, is_changed_in_place
from cuedeck.store.files.qmd_command import is_installed
from cuedeck.store.files.workspace_files import database_fault
from cuedeck.store.workspace_paths import WorkspacePaths


def find_recall_faults(paths: WorkspacePaths) -> list[str]:
    """Return the faults of the index of recall; none if it does not exist."""
    fault = database_fault(paths.recall_index)
    if fault:
        return [f"the index of recall is corrupt: {fault}"]

    lost = lost_units(paths.recall_index)
    if lost:
        return [f"the index of recall is corrupt: it lacks {counted(lost, 'unit')}"]

    tree = CortexTree(paths)

    def is_changed(path: str, reader: str, known: Known) -> bool:
        if reader == "timeline":
            return is_day_changed(tree, parse_cortex_address(path), known)
        place = "" if path.startswith(EXTRA) else paths.absolute(path)
        return is_changed_in_place(place, known)

    stale = stale_files(paths.recall_index, is_changed)
    return [f"the index of recall differs from {path}" for path in stale]


def check_recall_index(context: CheckContext) -> Iterator[Diagnostic]:
    """Find an index of recall that is corrupt or differs from its files."""
    for fault in find_recall_faults(context.paths):
        yield Diagnostic(
            context.paths.shown(context.paths.recall_index),
            0,
            "error",
            "corrupt-index",
            fault,
            "`cuedeck doctor --repair` rebuilds it",
        )


def check_extra(context: CheckContext) -> Iterator[Diagnostic]:
    """Find paths of `files.extra` that recall cannot search."""
    for fault in extra_root_faults(context.workspace.paths, context.workspace.settings):
        yield Diagnostic(
            ".",
            0,
            "warning",
            "missing-extra",
            f"{fault}, so recall does not search it",
            "name an existing folder or .md file in CUEDECK_FILES__EXTRA",
        )


def check_qmd(context: CheckContext) -> Iterator[Diagnostic]:
    """Find a missing command of the backend qmd."""
    memory = context.workspace.settings.memory
    if memory.backend == "builtin" or is_installed(memory.qmd_command):
        return
    name = " ".join(memory.qmd_command[:1])
    yield Diagnostic(
        ".",
        0,
        "warning",
        "missing-qmd",
        f"memory.backend is qmd, but the command `{name}` is not found",
        "npm install -g @tobilu/qmd",
    )
