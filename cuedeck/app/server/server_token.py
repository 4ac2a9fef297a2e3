"""Access token that clients of a server present."""

from __future__ import annotations

from cuedeck.store.fs.access_token import SHORTEST, keep_token
from cuedeck.store.workspace_paths import find_workspace

__all__ = ["SHORTEST", "kept_token"]


def kept_token(start: str) -> tuple[str, str]:
    """Return the token of the workspace at or above `start` and the path of its file; create a missing token.

    Raises: WorkspaceMissing, StorageError if others can read the token or it cannot be stored.
    """
    return keep_token(find_workspace(start))
