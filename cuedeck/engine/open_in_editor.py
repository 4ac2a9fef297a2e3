"""Opening a file of the workspace in the user's editor."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from cuedeck.engine.active_card import find_card
from cuedeck.store.files.external_command import run_editor

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.store.index import Index
    from cuedeck.store.workspace_paths import WorkspacePaths


def edit_card(workspace: Workspace, text: str, environ: Mapping[str, str]) -> None:
    """Open a card in the editor. Raises: NotFound, Ambiguous, UsageError without a
    terminal or an editor.
    """
    workspace.refresh()
    edit_address(
        workspace.index,
        workspace.paths,
        find_card(workspace.index, text).path,
        0,
        environ,
    )


def edit_address(
    index: Index,
    paths: WorkspacePaths,
    address: str,
    line: int,
    environ: Mapping[str, str],
) -> None:
    """Open the file of an address at a line."""
    path = address
    if not index.file(address):
        path = address.partition("#")[0]
    run_editor(paths.absolute(path), line, environ)
