"""Private memory that a linked worktree of git has from before it shared that of the
main worktree.
"""

from __future__ import annotations

import os

from cuedeck.ledger.statement_files import ENDING
from cuedeck.model.errors import StorageError, failed
from cuedeck.model.paths import CORTEX, HOME, OWN, SESSIONS, is_private_memory
from cuedeck.store.files import nofollow
from cuedeck.store.files.disk import create, read_generated, tree_of
from cuedeck.store.files.file_lock import locked
from cuedeck.store.files.nofollow import PRIVATE
from cuedeck.store.workspace_paths import WorkspacePaths


def left_memory(paths: WorkspacePaths) -> list[str]:
    """Return the workspace-relative paths of the private files in a worktree that
    shares the memory of another one, sorted; none in any other workspace.
    """
    if paths.shared is paths:
        return []
    names = tree_of(os.path.join(paths.root, HOME))
    found = []
    for name in names:
        path = f"{HOME}/{name}"
        if is_private_memory(path):
            found.append(path)
    return found


def move_memory(paths: WorkspacePaths, path: str) -> None:
    """Move a private file of a worktree to the main worktree. Raises: Locked,
    StorageError for a file that differs from the one there; then nothing was changed.
    """
    place = os.path.join(paths.root, *path.split("/"))
    target = paths.absolute(path)
    with locked(paths, _family(path)):
        data = read_generated(place) or b""
        is_new = create(target, data, mode=PRIVATE)
        # Layers and the journal of the cortex tree are made again.
        is_derived = path.startswith(f"{CORTEX}/") and "/." in path[len(CORTEX) :]
        if not is_new and not is_derived and read_generated(target) != data:
            raise StorageError(
                f"{path} of this worktree differs from {target}",
                hint="compare both files, then remove the one in this worktree",
            )
        try:
            nofollow.unlink(place)
        except OSError as error:
            raise failed(f"remove {place}", error, "check the permissions") from error


def _family(path: str) -> str:
    if path.endswith(ENDING):
        return "statements"
    if path.startswith(f"{SESSIONS}/"):
        return "sessions"
    if path.startswith(f"{CORTEX}/"):
        return "cortex"
    return f"memory-{OWN.id}"
