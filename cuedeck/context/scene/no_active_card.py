"""Scene of the active card or, without one, the idle scene that lists the open
cards.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cuedeck.context.scene.build_scene import (
    BuiltScene,
    Request,
    build,
    make_scene,
    to_made,
)
from cuedeck.model.errors import NoActiveCard

if TYPE_CHECKING:
    from cuedeck.context.scene.ledger_blocks import Front
    from cuedeck.engine.workspace import Workspace
    from cuedeck.model.scene_values import Scene


def make_or_idle(workspace: Workspace) -> BuiltScene:
    """Return the scene or the idle scene of the workspace as it is on disk now.

    Raises: ConfigurationError; StorageError.
    """
    try:
        return make_scene(workspace, Request())
    except NoActiveCard:
        return to_made(workspace, build_idle(workspace))


def build_or_idle(workspace: Workspace) -> tuple[Scene, NoActiveCard | None]:
    """Build the scene from an up-to-date index."""
    try:
        return build(workspace, Request()), None
    except NoActiveCard as error:
        return build_idle(workspace), error


def build_idle(
    workspace: Workspace, budget: int | None = None, front: Front | None = None
) -> Scene:
    """Build the scene of a workspace without an active card; with `front`, a brief.

    `budget` overrides the budget of the settings.
    """
    from cuedeck.context.scene.idle_scene import idle_scene

    return idle_scene(workspace, budget, front)
