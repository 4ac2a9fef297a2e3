"""Scenes made anew after something was forgotten: what is kept of older ones goes, SCENE.md is what it would be now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cuedeck.app.active import NoActiveCard
from cuedeck.app.scene import Request, build_idle, make_scene, write_scene
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
    try:
        text = make_scene(project, Request()).text
    except NoActiveCard:
        text = build_idle(project).text
    return (SCENE,) if write_scene(project, text) else ()
