"""Scene block of the experiences that match the card."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from cuedeck.app.scene.blocks.blocks_fingerprint import EXPERIENCES
from cuedeck.model.scene_values import Mentioned
from cuedeck.scene.fence import quoted, single_line
from cuedeck.scene.ledger_blocks import Content, Row

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace
    from cuedeck.model.file import File
    from cuedeck.scene.mask import Mask

MOST = 8
_LONGEST = 500
_SHORTEST = 160


def experiences_block(
    workspace: Workspace, card: File, body: str, mask: Mask
) -> Content | None:
    """Return the experiences that match a card, best match first; None without any."""
    if (
        not os.path.exists(workspace.paths.absolute(EXPERIENCES))
        or not workspace.settings.experiences.are_shown
    ):
        return None
    from cuedeck.app.experiences.experience_repository import experiences_of
    from cuedeck.app.memory.memory_profiles import memory_of

    how = workspace.settings.experiences.similarity
    rows = []
    for experience, _ in experiences_of(memory_of(workspace)).rank(
        f"{card.title}\n{body}", MOST, how
    ):
        line = mask.plain(f"[{experience.category}] {experience.text}")
        name = single_line(mask.plain(experience.id), _SHORTEST)
        full, short = (
            f"- {quoted(line, most)} (`experience:{name}`)\n"
            for most in (_LONGEST, _SHORTEST)
        )
        entry = Mentioned(
            address=f"experience:{experience.id}",
            depth=1,
            via=card.path,
            edge="text",
            why=f"its words match {card.path}",
        )
        rows.append(Row(full, short, record=experience.record, entry=entry))
    if not rows:
        return None
    more = "- {} more: `cuedeck experience list`\n"
    return Content("experiences", "## Relevant past experiences\n\n", tuple(rows), more)
