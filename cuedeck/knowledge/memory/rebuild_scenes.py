"""Rebuild of scenes after a deletion: drops cached scenes and rewrites SCENE.md."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cuedeck.context.scene.build_scene import make_or_idle, write_scene
from cuedeck.model.paths import SCENE
from cuedeck.store.files.disk import read_generated

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace


def remake_scenes(workspace: Workspace) -> tuple[str, ...]:
    """Drop cached scenes and rewrite an existing SCENE.md; return its path if it
    changed.

    Raises: StorageError.
    """
    workspace.index.wipe("scenes")
    if read_generated(workspace.paths.scene) is None:
        return ()
    if not write_scene(workspace, make_or_idle(workspace).text):
        return ()
    return (SCENE,)
