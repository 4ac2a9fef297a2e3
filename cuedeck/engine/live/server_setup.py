"""Preparation of a server: settings that decide which tools it offers, its access
token, and its log.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Mapping

from cuedeck.model.errors import CueDeckError
from cuedeck.model.ports import JsonView
from cuedeck.store.files.access_token import SHORTEST, keep_token
from cuedeck.store.workspace_paths import find_workspace

__all__ = [
    "LOGGED",
    "SHORTEST",
    "has_experiences",
    "kept_token",
    "log_to_stderr",
    "log_to_workspace",
]

LOGGED = {"is_logged": True}
"""Value of `extra` for messages that the workspace log already contains."""


def has_experiences(folder: str, environ: Mapping[str, str]) -> bool:
    """Return whether experiences are enabled in the workspace at or above a folder;
    False if it cannot be opened.
    """
    from cuedeck.engine.open_workspace import open_workspace

    try:
        workspace = open_workspace(folder, environ)
        return (
            workspace.may_configure("experiences")
            and workspace.settings.experiences.enabled
        )
    except CueDeckError:
        return False


def kept_token(start: str) -> tuple[str, str]:
    """Return the token of the workspace at or above `start` and the path of its file;
    create a missing token.

    Raises: WorkspaceMissing, StorageError if others can read the token or it cannot be
    stored.
    """
    return keep_token(find_workspace(start))


def log_to_stderr() -> None:
    """Send warnings and errors of the server and its libraries to stderr; stdout
    belongs to the protocol.
    """
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_MaskingFormatter("%(levelname)s %(name)s: %(message)s"))
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(logging.WARNING)


def log_to_workspace(write: Callable[[JsonView], None]) -> None:
    """Also pass them to `write`, which appends to the workspace log."""
    logging.getLogger().addHandler(_WorkspaceHandler(write))


class _MaskingFormatter(logging.Formatter):
    """Formatter that masks secrets."""

    def format(self, record: logging.LogRecord) -> str:
        """Return a log record as masked text."""
        from cuedeck.engine.mask_answers import mask_value

        return mask_value(super().format(record), None)


class _WorkspaceHandler(logging.Handler):
    """Handler that writes to the workspace log."""

    def __init__(self, write: Callable[[JsonView], None]) -> None:
        super().__init__()
        self._write = write
        self.setFormatter(_MaskingFormatter("%(message)s"))

    def emit(self, record: logging.LogRecord) -> None:
        """Write a log record."""
        if getattr(record, "is_logged", False):
            return
        message = self.format(record)
        self._write(
            {
                "event": "log",
                "level": record.levelname.lower(),
                "logger": record.name,
                "message": message,
            }
        )
