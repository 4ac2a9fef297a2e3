"""Scenes made anew after something was forgotten: what is kept of older ones goes, SCENE.md is what it would be now.

A brief that is kept holds records, too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cuedeck.app.scene.build_scene import write_scene
from cuedeck.app.scene.no_active_card import make_or_idle
from cuedeck.model.paths import SCENE
from cuedeck.store.cache.kept_brief import forget_brief
from cuedeck.store.cache.kept_scenes import forget_scenes
from cuedeck.store.fs.disk import read_generated
from cuedeck.store.memory.digest_cache import forget_digests

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace


def remake_scenes(project: Workspace) -> tuple[str, ...]:
    """Drop what is kept of scenes and briefs; write SCENE.md anew, if there is one, and return its path if it changed.

    Raises: StorageError.
    """
    forget_brief(project.workspace)
    forget_scenes(project.index)
    forget_digests(project.index)
    if read_generated(project.workspace.scene) is None:
        return ()
    return (SCENE,) if write_scene(project, make_or_idle(project).text) else ()
