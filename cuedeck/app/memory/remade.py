"""Scenes made anew after something was forgotten: what is kept of older ones goes, SCENE.md is what it would be now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cuedeck.app.idle import make_or_idle
from cuedeck.app.scene import write_scene
from cuedeck.model.places import SCENE
from cuedeck.store.disk import read_bytes
from cuedeck.store.scenes import forget_scenes

if TYPE_CHECKING:
    from cuedeck.app.project import Project


def remake_scenes(project: Project) -> tuple[str, ...]:
    """Drop all scenes that are kept and write SCENE.md anew, if there is one; return the paths that are others now.

    Raises: StorageError.
    """
    forget_scenes(project.index)
    if read_bytes(project.workspace.scene) is None:
        return ()
    return (SCENE,) if write_scene(project, make_or_idle(project).text) else ()
