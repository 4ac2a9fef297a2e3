"""Opening of a workspace: at or above a folder, or with known paths."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING

from cuedeck.engine.workspace import Workspace
from cuedeck.store.files.nofollow import is_below
from cuedeck.store.files.user_cache import find_workspace_or_folder
from cuedeck.store.workspace_paths import find_workspace

if TYPE_CHECKING:
    from cuedeck.model.ports import EntryLookup
    from cuedeck.store.workspace_paths import WorkspacePaths


def open_workspace(
    start: str, environ: Mapping[str, str], *, or_folder: bool = False
) -> Workspace:
    """Open the workspace at or above `start`; with `or_folder`, the project folder if
    there is none.

    Raises: WorkspaceMissing.
    """
    find = find_workspace_or_folder if or_folder else find_workspace
    return workspace_at(find(start), environ)


def address_from(start: str, text: str) -> str:
    """Return an address of the workspace; one that begins with `./` or `../` is
    relative to the folder `start`.

    An address outside the workspace, or outside the project folder without one, is
    returned unchanged. Raises: WorkspaceMissing.
    """
    if not text.startswith(("./", "../")):
        return text
    path, mark, anchor = text.partition("#")
    root = find_workspace_or_folder(start).root
    absolute = os.path.normpath(os.path.join(os.path.realpath(start), path))
    if not is_below(absolute, root):
        return text
    relative = os.path.relpath(absolute, root).replace(os.sep, "/")
    if path.endswith("/"):
        relative += "/"
    return relative + mark + anchor


def workspace_at(paths: WorkspacePaths, environ: Mapping[str, str]) -> Workspace:
    """Open the workspace with these paths."""
    return Workspace(paths, environ, open_ledgers)


def open_ledgers(workspace: Workspace) -> EntryLookup:
    """Return the access of the index to the ledgers. Their modules are loaded on the
    first address of an entry.
    """
    from cuedeck.context.search.ledger_entries import LedgerEntries

    return LedgerEntries(workspace)
