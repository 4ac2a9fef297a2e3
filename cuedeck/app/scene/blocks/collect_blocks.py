"""Collects the content of all blocks of a scene."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from cuedeck.app.scene.blocks.assumptions_block import assumptions_block
from cuedeck.app.scene.blocks.blocks_fingerprint import EXPERIENCES, MEMORY
from cuedeck.app.scene.blocks.decisions_block import decisions_block
from cuedeck.app.scene.blocks.proximity import VisitProximity
from cuedeck.app.scene.blocks.session_block import session_block
from cuedeck.model.errors import ConfigurationError

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace
    from cuedeck.model.scene_values import Visit
    from cuedeck.scene.ledger_blocks import Content
    from cuedeck.scene.mask import Mask


def contents(project: Workspace, visits: Sequence[Visit], named: Collection[str], mask: Mask) -> tuple[Content, ...]:
    """Return the content of the blocks of a scene.

    The first visit is the root card. `named` contains the addresses of the ledger entries that refs link to.
    """
    near = VisitProximity(project, visits, named)
    found = [assumptions_block(project, near, mask), decisions_block(project, near, mask), session_block(project, mask)]
    if os.path.exists(project.workspace.absolute(MEMORY)):
        from cuedeck.app.scene.blocks.memory_block import memory_block

        found.append(memory_block(project, near, mask))
    if os.path.exists(project.workspace.absolute(EXPERIENCES)):
        found.append(_experienced(project, visits[0], mask))
    return tuple(content for content in found if content is not None)


def _experienced(project: Workspace, root: Visit, mask: Mask) -> Content | None:
    from cuedeck.app.scene.blocks.experiences_block import experiences_block

    card = project.index.file(root.path)
    if card is None:
        return None
    body = project.texts.text(root.path).split("\n", card.body - 1)[-1]
    with suppress(ConfigurationError):  # the ledger lies outside the workspace; `doctor` reports it
        return experiences_block(project, card.title, body, mask)
    return None
