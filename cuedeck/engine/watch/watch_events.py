"""Events that a watcher reports, as JSON objects."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from cuedeck.model.errors import CueDeckError

if TYPE_CHECKING:
    pass


Report = Callable[[dict[str, Any]], None]


def fault(message: str, hint: str = "", code: int = 0) -> dict[str, Any]:
    """Return an error event."""
    return {"event": "error", "code": code, "message": message, "hint": hint}


def fault_of(error: CueDeckError) -> dict[str, Any]:
    """Return the event of a CueDeckError."""
    return fault(error.message, error.hint, error.code)
