"""Cache file with the last brief of the main session; private (0600), because it
contains memory records.
"""

from __future__ import annotations

import os
import stat

from cuedeck.store.files.atomic_batch import Write, write_all
from cuedeck.store.files.disk import look_at
from cuedeck.store.files.workspace_files import remove_file
from cuedeck.store.workspace_paths import WorkspacePaths


def brief_path(workspace: WorkspacePaths) -> str:
    """Return the workspace-relative path of the brief. Raises: StorageError."""
    return os.path.relpath(
        os.path.join(workspace.private, "brief.md"), workspace.root
    ).replace(os.sep, "/")


def keep_brief(workspace: WorkspacePaths, text: str) -> None:
    """Store a brief in place of the last one. Raises: StorageError."""
    path = brief_path(workspace)
    place, data = workspace.absolute(path), text.encode("utf-8", "replace")
    if not _is_private(place):
        # Replacing would keep the permissions of a public file; a link is refused.
        remove_file(workspace, path)
    elif look_at(place) == data:
        return
    write_all([Write(place, data, private=True)], workspace.cache)


def is_brief_kept(workspace: WorkspacePaths) -> bool:
    """Return whether a brief is stored."""
    return os.path.lexists(workspace.absolute(brief_path(workspace)))


def forget_brief(workspace: WorkspacePaths) -> None:
    """Remove the stored brief; the next session builds a new one. Raises:
    StorageError.
    """
    remove_file(workspace, brief_path(workspace))


def _is_private(place: str) -> bool:
    try:
        mode = os.lstat(place).st_mode
    except OSError:
        return False
    return stat.S_ISREG(mode) and not mode & 0o077
