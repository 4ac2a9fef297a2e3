"""Access token for the server of a workspace, in a file that only its owner can
read.
"""

from __future__ import annotations

import os
import secrets
import stat

from cuedeck.model.errors import StorageError
from cuedeck.model.formatting import quoted
from cuedeck.store.files import nofollow
from cuedeck.store.files.disk import create
from cuedeck.store.workspace_paths import WorkspacePaths

NAME = "mcp-token"
SHORTEST = 16


def keep_token(paths: WorkspacePaths) -> tuple[str, str]:
    """Return the token of a workspace and its file; create the token if missing.

    Raises: StorageError if other users can read the file, it is too short, or it cannot
    be written.
    """
    place = os.path.join(paths.private, NAME)
    # Created atomically, so that a concurrent reader never sees an empty file.
    create(place, f"{secrets.token_urlsafe(32)}\n".encode("ascii"), mode=0o600)
    try:
        return _read(place), place
    except OSError as error:
        raise StorageError(
            f"cannot read {place}: {error.strerror}",
            hint="delete the file to create a new token",
        ) from error


def _read(place: str) -> str:
    handle = nofollow.open_file(place, os.O_RDONLY)
    with os.fdopen(handle, encoding="ascii", errors="replace") as file:
        state = os.fstat(file.fileno())
        if os.name == "posix" and stat.S_IMODE(state.st_mode) & 0o077:
            raise StorageError(
                f"others may read {place}",
                hint=f"`chmod 600 {quoted(place)}`, or delete the file to create a new token",
            )
        token = file.read().strip()
    if len(token) < SHORTEST:
        raise StorageError(
            f"{place} contains no token", hint="delete the file to create a new token"
        )
    return token
