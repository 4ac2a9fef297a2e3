"""All that the blocks of a scene say."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from cuedeck.app.blocks.assumptions import assumed
from cuedeck.app.blocks.decisions import decided
from cuedeck.app.blocks.near import Near
from cuedeck.app.blocks.progress import going_on

if TYPE_CHECKING:
    from cuedeck.app.project import Project
    from cuedeck.model.scene import Visit
    from cuedeck.scene.blocks import Content
    from cuedeck.scene.mask import Mask


def contents(project: Project, visits: Sequence[Visit], named: Collection[str], mask: Mask) -> tuple[Content, ...]:
    """Return what the blocks of a scene say; the first visit is the root card, `named` are entries that are linked."""
    near = Near(project, visits, named)
    found = (assumed(project, near), decided(project, near, mask), going_on(project, mask))
    return tuple(content for content in found if content is not None)
