"""The log of the server: on stderr and in the log of the workspace, secrets masked; never on stdout."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Mapping
from typing import Any

TOLD = {"told": True}
"""Marks, as `extra`, what the log of the workspace has already."""


class _Masked(logging.Formatter):
    """Lines without secrets."""

    def format(self, record: logging.LogRecord) -> str:
        """Return a record as text, masked."""
        from cuedeck.app.mask_answers import mask_value

        return mask_value(super().format(record), None)


class _ToWorkspace(logging.Handler):
    """Keeps what is logged where the workspace keeps its log."""

    def __init__(self, keep: Callable[[Mapping[str, Any]], None]) -> None:
        super().__init__()
        self._keep = keep
        self.setFormatter(_Masked("%(message)s"))

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a record."""
        if not getattr(record, "told", False):
            said = {"level": record.levelname.lower(), "logger": record.name, "message": self.format(record)}
            self._keep({"event": "log", **said})


def log_to_stderr() -> None:
    """Send warnings and errors of the server and its libraries to stderr."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Masked("%(levelname)s %(name)s: %(message)s"))
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(logging.WARNING)


def log_to_workspace(keep: Callable[[Mapping[str, Any]], None]) -> None:
    """Send them to the log of the workspace, too."""
    logging.getLogger().addHandler(_ToWorkspace(keep))
