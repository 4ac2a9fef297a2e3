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
from cuedeck.model.errors import ConfigurationError, StorageError
from cuedeck.model.paths import ASSUMPTIONS, OPEN_SESSION, ledger_path

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace
    from cuedeck.model.scene_values import Visit
    from cuedeck.scene.ledger_blocks import Content
    from cuedeck.scene.mask import Mask


DECISIONS, ATTEMPTS = ledger_path("decisions"), ledger_path("attempts")


def contents(workspace: Workspace, visits: Sequence[Visit], named: Collection[str], mask: Mask) -> tuple[Content, ...]:
    """Return the content of the blocks of a scene.

    The first visit is the root card. `named` contains the addresses of the ledger entries that refs link to.
    """

    def has(path: str) -> bool:
        return os.path.lexists(workspace.paths.absolute(path))

    near = VisitProximity(workspace, visits, named)
    found: list[Content | None] = []
    if has(ASSUMPTIONS):
        found.append(assumptions_block(workspace, near, mask))
    if has(DECISIONS) or has(ATTEMPTS):
        found.append(decisions_block(workspace, near, mask))
    if has(OPEN_SESSION):
        found.append(session_block(workspace, mask))
    if has(MEMORY):
        from cuedeck.app.scene.blocks.memory_block import memory_block

        found.append(memory_block(workspace, near, mask))
    if has(EXPERIENCES):
        found.append(_experienced(workspace, visits[0], mask))
    return tuple(content for content in found if content is not None)


def _experienced(workspace: Workspace, root: Visit, mask: Mask) -> Content | None:
    from cuedeck.app.scene.blocks.experiences_block import experiences_block

    card = workspace.index.file(root.path)
    if card is None:
        return None
    body = workspace.texts.text(root.path).split("\n", card.body - 1)[-1]
    with suppress(ConfigurationError, StorageError):  # outside the workspace or unreadable; `doctor` reports it
        return experiences_block(workspace, card.title, body, mask)
    return None
