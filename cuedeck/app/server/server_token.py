"""The token of a workspace that clients of a server show."""

from __future__ import annotations

from cuedeck.store.fs.access_token import SHORTEST, keep_token
from cuedeck.store.workspace_paths import find_workspace

__all__ = ["SHORTEST", "kept_token"]


def kept_token(start: str) -> tuple[str, str]:
    """Return the token of the workspace at or above `start`, made when there is none, and the file it is in.

    Raises: WorkspaceMissing, StorageError when others can read it or it cannot be kept.
    """
    return keep_token(find_workspace(start))
