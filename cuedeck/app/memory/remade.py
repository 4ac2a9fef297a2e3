"""Scenes made anew after something was forgotten: what is kept of older ones goes, SCENE.md is what it would be now.

A brief that is kept holds records, too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cuedeck.app.idle import make_or_idle
from cuedeck.app.scene import write_scene
from cuedeck.model.places import SCENE
from cuedeck.store.brief import forget_brief
from cuedeck.store.disk import read_generated
from cuedeck.store.memory.digests import forget_digests
from cuedeck.store.scenes import forget_scenes

if TYPE_CHECKING:
    from cuedeck.app.project import Project


def remake_scenes(project: Project) -> tuple[str, ...]:
    """Drop what is kept of scenes and briefs; write SCENE.md anew, if there is one, and return its path if it changed.

    Raises: StorageError.
    """
    forget_brief(project.workspace)
    forget_scenes(project.index)
    forget_digests(project.index)
    if read_generated(project.workspace.scene) is None:
        return ()
    return (SCENE,) if write_scene(project, make_or_idle(project).text) else ()
