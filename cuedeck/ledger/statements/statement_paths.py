"""Paths of the files of statements; every search lists them, so this module imports
little.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cuedeck.model.paths import SESSIONS
from cuedeck.store.files.disk import names_in

if TYPE_CHECKING:
    from cuedeck.store.workspace_paths import WorkspacePaths

ENDING = ".statements.jsonl"


def statement_paths(paths: WorkspacePaths) -> list[str]:
    """Return the workspace-relative paths of the files, sorted. Raises:
    StorageError.
    """
    names = names_in(paths.absolute(SESSIONS))
    return [f"{SESSIONS}/{name}" for name in names if name.endswith(ENDING)]
