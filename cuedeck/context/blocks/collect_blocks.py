"""The blocks of a scene that ledgers fill: assumptions, decisions, progress, memory and
experiences.
"""

from __future__ import annotations

from collections.abc import Collection, Set
from contextlib import suppress
from typing import TYPE_CHECKING

from cuedeck.context.blocks.blocks_fingerprint import EXPERIENCES, MEMORY
from cuedeck.context.blocks.proximity import VisitProximity
from cuedeck.context.blocks.statement_blocks import (
    assumptions_block,
    decisions_block,
    session_block,
)
from cuedeck.context.scene.ledger_blocks import Content, Fitted, Front, fit_blocks
from cuedeck.model.errors import ConfigurationError, StorageError
from cuedeck.model.paths import ASSUMPTIONS, EXCHANGED, OPEN_SESSION, ledger_path

if TYPE_CHECKING:
    from cuedeck.context.scene.visit_heading import VisitRenderer
    from cuedeck.context.scene.walk import Walked
    from cuedeck.engine.workspace import Workspace
    from cuedeck.parse.secrets.mask import Mask

DECISIONS, ATTEMPTS = ledger_path("decisions"), ledger_path("attempts")
LEDGERS = (
    ASSUMPTIONS,
    DECISIONS,
    ATTEMPTS,
    *EXCHANGED,
    OPEN_SESSION,
    MEMORY,
    EXPERIENCES,
)
"""Files from which the blocks of a scene are built."""


def ledger_blocks(
    workspace: Workspace,
    walked: Walked,
    present: Collection[str],
    renderer: VisitRenderer,
    front: Front | None,
    shown: Set[str],
) -> tuple[Fitted, ...]:
    """Return the blocks of the ledgers that exist, with the entries that concern the
    visits. A brief with a `front` has the memory block of its session.

    `shown` are the addresses of the entries that the scene shows as visits.
    """
    if front is not None:
        present = [path for path in present if path not in (MEMORY, EXPERIENCES)]
    contents = block_contents(
        workspace, walked, present, renderer.mask, is_brief=front is not None
    )
    found = [_without(content, shown) for content in contents]
    kept = [content for content in found if content is not None]
    if front is not None:
        return front.blocks(kept, renderer.mask, renderer.budget, renderer.count)
    return fit_blocks(kept, renderer.budget, renderer.count)


def block_contents(
    workspace: Workspace,
    walked: Walked,
    present: Collection[str],
    mask: Mask,
    *,
    is_brief: bool = False,
) -> tuple[Content, ...]:
    """Return the content of the blocks of the ledgers that exist, before it is
    fitted.
    """
    near = VisitProximity(workspace.index, walked.visits, walked.unresolved)
    found: list[Content | None] = []
    if ASSUMPTIONS in present:
        found.append(assumptions_block(workspace, near, mask))
    if not {DECISIONS, ATTEMPTS, *EXCHANGED}.isdisjoint(present):
        found.append(decisions_block(workspace, near, mask, is_brief=is_brief))
    if OPEN_SESSION in present:
        root = walked.visits[0].path
        found.append(session_block(workspace, root, mask, is_brief=is_brief))
    if MEMORY in present or EXPERIENCES in present:
        from cuedeck.context.blocks.memory_block import experiences_block, memory_block

        if MEMORY in present:
            found.append(memory_block(workspace, near, mask))
        # `doctor` reports experiences that are outside the workspace or unreadable.
        with suppress(ConfigurationError, StorageError):
            if EXPERIENCES in present:
                found.append(experiences_block(workspace, walked.visits[0], near, mask))
    return tuple(content for content in found if content is not None)


def _without(content: Content, shown: Set[str]) -> Content | None:
    """Return a block without the entries that are shown elsewhere; None if nothing is
    left.

    A failing assumption stays, because its row warns of a change that its own text does
    not mention.
    """
    if content.name == "assumptions":
        return content
    rows = []
    for row in content.rows:
        address = row.entry.address if row.entry else ""
        if shown.isdisjoint((address, f"record:{row.record}")):
            rows.append(row)
    is_empty = not rows and not content.further and content.rows
    return None if is_empty else content._replace(rows=tuple(rows))
