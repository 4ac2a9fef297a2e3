"""Scene block of the experiences that name visited files or match the card."""

from __future__ import annotations

import os
from collections.abc import Iterable
from itertools import islice
from typing import TYPE_CHECKING

from cuedeck.context.blocks.blocks_fingerprint import EXPERIENCES
from cuedeck.context.scene.ledger_blocks import Content, Row
from cuedeck.ledger.experiences.experience_repository import experiences_of
from cuedeck.ledger.mention_parser import Reader
from cuedeck.ledger.named_places import mentioned_edges
from cuedeck.ledger.records.memory_profiles import memory_of
from cuedeck.model.scene_values import Mentioned
from cuedeck.parse.fence import quoted, single_line

if TYPE_CHECKING:
    from cuedeck.context.blocks.proximity import VisitProximity
    from cuedeck.engine.workspace import Workspace
    from cuedeck.model.experience import Experience
    from cuedeck.model.file import File
    from cuedeck.parse.secrets.mask import Mask

MOST_EXPERIENCES = 8
_LONGEST_EXPERIENCE, _SHORTEST_EXPERIENCE = 500, 160
"""Maximum characters of an experience in its full and in its short form."""


def experiences_block(
    workspace: Workspace, card: File, body: str, near: VisitProximity, mask: Mask
) -> Content | None:
    """Return the experiences that name a visit, nearest first, then those whose words
    match the card, best first; None without any.
    """
    if (
        not os.path.exists(workspace.paths.absolute(EXPERIENCES))
        or not workspace.settings.experiences.are_shown
    ):
        return None

    how = workspace.settings.experiences.similarity
    experiences = experiences_of(memory_of(workspace))
    found = _naming(workspace, experiences.shown(), near)
    query = f"{card.title}\n{body}"
    for experience, _ in experiences.rank(query, MOST_EXPERIENCES, how):
        entry = Mentioned(
            address=f"experience:{experience.id}",
            depth=1,
            via=card.path,
            edge="text",
            why=f"its words match {card.path}",
        )
        found.setdefault(experience, entry)
    rows = []
    for experience, entry in islice(found.items(), MOST_EXPERIENCES):
        line = mask.plain(f"[{experience.category}] {experience.text}")
        name = single_line(mask.plain(experience.id), _SHORTEST_EXPERIENCE)
        full, short = (
            f"- {quoted(line, most)} (`experience:{name}`)\n"
            for most in (_LONGEST_EXPERIENCE, _SHORTEST_EXPERIENCE)
        )
        rows.append(Row(full, short, record=experience.record, entry=entry))
    if not rows:
        return None
    more = "- {} more: `cuedeck experience list`\n"
    return Content("experiences", "## Relevant past experiences\n\n", tuple(rows), more)


def _naming(
    workspace: Workspace, experiences: Iterable[Experience], near: VisitProximity
) -> dict[Experience, Mentioned]:
    """Return the experiences that name a visit, the nearest first, then the newest."""

    reader = Reader()
    found: dict[Experience, Mentioned] = {}
    for experience in experiences:
        edges = mentioned_edges(workspace, reader.read(experience.text))
        targets = [edge.target for edge in edges]
        nearest = near.of_targets(f"experience:{experience.id}", targets, "mentions")
        if nearest is not None:
            found[experience] = nearest
    newest_first = reversed(found.items())
    return dict(sorted(newest_first, key=lambda each: each[1].depth))
