"""The error of a refused disk operation.

Hooks import this module before anything else is loaded, so it imports nothing heavy.
"""

from __future__ import annotations

from cuedeck.model.errors import StorageError
from cuedeck.store.files.nofollow import LinkRefused


def failed(what: str, error: OSError, hint: str) -> StorageError:
    """Return the error for an operation that the system, a link, or a file or folder in
    the place of the other prevented.
    """
    if isinstance(error, LinkRefused):
        hint = "remove the link; nothing was changed"
    elif isinstance(error, IsADirectoryError):
        hint = "rename or remove the folder; nothing was changed"
    elif isinstance(error, NotADirectoryError):
        hint = "a part of the path is a file; nothing was changed"
    return StorageError(f"cannot {what}: {error.strerror}", hint=hint)
