"""What a watcher tells: one event, as JSON, for everything that happens."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from cuedeck.model.errors import CueDeckError

if TYPE_CHECKING:
    pass


Tell = Callable[[dict[str, Any]], None]


def fault(message: str, hint: str = "", code: int = 0) -> dict[str, Any]:
    """Return the event of something that went wrong."""
    return {"event": "error", "code": code, "message": message, "hint": hint}


def fault_of(error: CueDeckError) -> dict[str, Any]:
    """Return the event of an error."""
    return fault(error.message, error.hint, error.code)
