"""Opening of a workspace whose folder is known.

Hooks import this module instead of `open_workspace`, which also looks for folders that
are no workspace.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from cuedeck.engine.workspace import Workspace

if TYPE_CHECKING:
    from cuedeck.model.ports import EntryLookup
    from cuedeck.store.workspace_paths import WorkspacePaths


def workspace_at(paths: WorkspacePaths, environ: Mapping[str, str]) -> Workspace:
    """Open the workspace with these paths."""
    return Workspace(paths, environ, open_ledgers)


def open_ledgers(workspace: Workspace) -> EntryLookup:
    """Return the access of the index to the ledgers. Their modules are loaded on the
    first address of an entry.
    """
    from cuedeck.context.search.ledger_entries import LedgerEntries

    return LedgerEntries(workspace)
