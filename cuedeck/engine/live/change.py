"""Reports of a live workspace, and the events of `cuedeck watch --json`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from cuedeck.engine.mask_answers import mask_value
from cuedeck.model.errors import CueDeckError

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


class Listeners:
    """Functions that are called with every change, in the thread of the engine."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._wants_scene: dict[OnChange, Callable[[], bool]] = {}

    def add(
        self, on_change: OnChange, wants_scene: Callable[[], bool]
    ) -> Callable[[], None]:
        """Add a function; return one that removes it."""
        self._wants_scene[on_change] = wants_scene

        def remove() -> None:
            self._wants_scene.pop(on_change, None)

        return remove

    def clear(self) -> None:
        """Remove all functions."""
        self._wants_scene.clear()

    def wants_scene(self) -> bool:
        """Return whether anyone wants a scene that another process writes."""
        questions = list(self._wants_scene.values())
        return any(wants() for wants in questions)

    def emit(self, event: Mapping[str, Any], text: str = "") -> None:
        """Report an event, whose secrets are masked here, and the text of a scene."""
        masked = mask_value(event, self._workspace)
        self.report(Change(masked, text=text))

    def report(self, change: Change) -> None:
        """Report a change."""
        for on_change in list(self._wants_scene):
            on_change(change)


def error_event(message: str, hint: str = "", code: int = 0) -> dict[str, Any]:
    """Return an error event."""
    return {"event": "error", "code": code, "message": message, "hint": hint}


def event_of(error: CueDeckError) -> dict[str, Any]:
    """Return the event of a CueDeckError."""
    return error_event(error.message, error.hint, error.code)
