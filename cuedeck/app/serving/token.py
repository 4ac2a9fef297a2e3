"""A token of a workspace, kept where only its owner can read it."""

from __future__ import annotations

import contextlib
import os
import secrets
import stat

from cuedeck.model.errors import StorageError
from cuedeck.store.workspace import find_workspace

NAME = "mcp-token"
SHORTEST = 16


def kept_token(start: str) -> tuple[str, str]:
    """Return the token of the workspace at or above `start`, made when there is none, and the file it is in.

    Raises: WorkspaceMissing, StorageError when others can read it or it cannot be kept.
    """
    workspace = find_workspace(start)
    place = os.path.join(workspace.cache, NAME)
    try:
        os.makedirs(workspace.cache, exist_ok=True)
        with contextlib.suppress(FileExistsError):
            _make(place)
        return _read(place), place
    except OSError as error:
        raise StorageError(
            f"cannot keep a token in {place}: {error.strerror}", hint="make its folder writable"
        ) from error


def _make(place: str) -> None:
    """Write a new token; raises FileExistsError when there is one."""
    handle = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w", encoding="ascii") as file:
        file.write(secrets.token_urlsafe(32) + "\n")


def _read(place: str) -> str:
    handle = os.open(place, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
    with os.fdopen(handle, encoding="ascii", errors="replace") as file:
        state = os.fstat(file.fileno())
        if os.name == "posix" and stat.S_IMODE(state.st_mode) & 0o077:
            raise StorageError(f"others may read {place}", hint=f"chmod 600 {place}, or delete it for a new one")
        token = file.read().strip()
    if len(token) < SHORTEST:
        raise StorageError(f"{place} holds no token", hint="delete it for a new one")
    return token
