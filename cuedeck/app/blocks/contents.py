"""All that the blocks of a scene say."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from cuedeck.app.blocks.assumptions import assumed
from cuedeck.app.blocks.decisions import decided
from cuedeck.app.blocks.near import Near
from cuedeck.app.blocks.progress import going_on
from cuedeck.app.blocks.state import EXPERIENCES, MEMORY
from cuedeck.model.errors import ConfigurationError

if TYPE_CHECKING:
    from cuedeck.app.project import Project
    from cuedeck.model.scene import Visit
    from cuedeck.scene.blocks import Content
    from cuedeck.scene.mask import Mask


def contents(project: Project, visits: Sequence[Visit], named: Collection[str], mask: Mask) -> tuple[Content, ...]:
    """Return what the blocks of a scene say; the first visit is the root card, `named` are entries that are linked."""
    near = Near(project, visits, named)
    found = [assumed(project, near, mask), decided(project, near, mask), going_on(project, mask)]
    if os.path.exists(project.workspace.absolute(MEMORY)):
        from cuedeck.app.blocks.memory import recalled

        found.append(recalled(project, near, mask))
    if os.path.exists(project.workspace.absolute(EXPERIENCES)):
        found.append(_experienced(project, visits[0], mask))
    return tuple(content for content in found if content is not None)


def _experienced(project: Project, root: Visit, mask: Mask) -> Content | None:
    from cuedeck.app.blocks.experiences import relevant

    card = project.index.file(root.path)
    if card is None:
        return None
    body = project.texts.text(root.path).split("\n", card.body - 1)[-1]
    with suppress(ConfigurationError):  # they lie outside the workspace, of which the doctor tells
        return relevant(project, card.title, body, mask)
    return None
