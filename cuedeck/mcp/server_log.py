"""Logging of the server to stderr and to the workspace log, secrets masked; stdout belongs to the protocol."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Mapping
from typing import Any

TOLD = {"told": True}
"""Value of `extra` for messages that the workspace log already contains."""


class _Masked(logging.Formatter):
    """Formatter that masks secrets."""

    def format(self, record: logging.LogRecord) -> str:
        """Return a log record as masked text."""
        from cuedeck.app.mask_answers import mask_value

        return mask_value(super().format(record), None)


class _ToWorkspace(logging.Handler):
    """Handler that writes to the workspace log."""

    def __init__(self, keep: Callable[[Mapping[str, Any]], None]) -> None:
        super().__init__()
        self._keep = keep
        self.setFormatter(_Masked("%(message)s"))

    def emit(self, record: logging.LogRecord) -> None:
        """Write a log record."""
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
    """Also send them to the workspace log."""
    logging.getLogger().addHandler(_ToWorkspace(keep))
