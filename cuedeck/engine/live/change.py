"""Reports of a live workspace, and the events of `cuedeck watch --json`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from cuedeck.engine.mask_answers import mask_value
from cuedeck.model.errors import CueDeckError
from cuedeck.model.ports import Json

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace


class Change(NamedTuple):
    """Report of changed files, a new scene, an error or other work of an engine."""

    event: Mapping[str, Any] = {}
    """Event of `cuedeck watch --json` with masked secrets; empty if only files
    changed.
    """
    paths: tuple[str, ...] = ()
    """Changed files, sorted; may include files that are not in the index."""
    listing: bool = False
    """Whether files were added, deleted or renamed."""
    text: str = ""
    """Text of a new scene."""

    @property
    def kind(self) -> str:
        """Kind of the event: ready, scene or error; empty without one."""
        return str(self.event.get("event", ""))


OnChange = Callable[[Change], object]


class Reports:
    """Reports of an engine to its subscriber, in the thread of the engine."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self.on_change: OnChange = lambda change: None
        self.wants_scene: Callable[[], bool] = lambda: False
        """Returns whether a scene that another process writes is reported, too."""

    def emit(self, event: Mapping[str, Any], text: str = "") -> None:
        """Report an event, whose secrets are masked here, and the text of a scene."""
        self.on_change(Change(mask_value(event, self._workspace), text=text))


def error_event(message: str, hint: str = "", code: int = 0) -> Json:
    """Return an error event."""
    return {"event": "error", "code": code, "message": message, "hint": hint}


def event_of(error: CueDeckError) -> Json:
    """Return the event of a CueDeckError."""
    return error_event(error.message, error.hint, error.code)
