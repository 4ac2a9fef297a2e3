"""The progress block of a prompt."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cuedeck.context.blocks.session_block import session_block
from cuedeck.context.scene.ledger_blocks import fit_blocks

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace

_BUDGET = 3_750
"""Token limit of a scene in which the progress block has 150 tokens."""


def progress_block(workspace: Workspace) -> str:
    """Return the progress of the open session; empty without one. Raises:
    StorageError.
    """
    workspace.refresh()
    content = workspace.settled(lambda: session_block(workspace, "", workspace.mask()))
    if content is None:
        return ""
    blocks = fit_blocks((content,), _BUDGET, workspace.counter())
    return "".join(block.text for block in blocks)
