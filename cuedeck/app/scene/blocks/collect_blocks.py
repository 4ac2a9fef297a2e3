"""The blocks of a scene that ledgers fill: assumptions, decisions, progress, memory and
experiences.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING

from cuedeck.app.scene.blocks.blocks_fingerprint import EXPERIENCES, MEMORY
from cuedeck.app.scene.blocks.proximity import VisitProximity
from cuedeck.app.scene.blocks.session_block import session_block
from cuedeck.app.scene.blocks.statement_blocks import (
    assumptions_block,
    decisions_block,
)
from cuedeck.model.errors import ConfigurationError, StorageError
from cuedeck.model.paths import ASSUMPTIONS, OPEN_SESSION, ledger_path
from cuedeck.model.scene_values import Mentioned, Visit
from cuedeck.scene.fence import quoted, single_line
from cuedeck.scene.ledger_blocks import Content, Fitted, Row, fit_blocks

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace
    from cuedeck.model.experience import Experience
    from cuedeck.model.file import File
    from cuedeck.scene.mask import Mask
    from cuedeck.scene.walk import Walked

DECISIONS, ATTEMPTS = ledger_path("decisions"), ledger_path("attempts")
LEDGERS = (ASSUMPTIONS, DECISIONS, ATTEMPTS, OPEN_SESSION, MEMORY, EXPERIENCES)
"""Files from which the blocks of a scene are built."""
MOST_EXPERIENCES = 8
_LONGEST_EXPERIENCE, _SHORTEST_EXPERIENCE = 500, 160
"""Maximum characters of an experience in its full and in its short form."""


def ledger_blocks(
    workspace: Workspace,
    walked: Walked,
    present: Collection[str],
    mask: Mask,
    budget: int,
    shown: Collection[str],
) -> tuple[Fitted, ...]:
    """Return the blocks of the ledgers that exist, with the entries that concern the
    visits.

    `shown` are the addresses of the entries that the scene shows as visits.
    """
    contents = block_contents(workspace, walked, present, mask)
    kept = [_without(content, shown) for content in contents]
    return fit_blocks(
        [content for content in kept if content is not None],
        budget,
        workspace.counter(),
    )


def block_contents(
    workspace: Workspace, walked: Walked, present: Collection[str], mask: Mask
) -> tuple[Content, ...]:
    """Return the content of the blocks of the ledgers that exist, before it is
    fitted.
    """
    near = VisitProximity(workspace, walked.visits, walked.unresolved)
    found: list[Content | None] = []
    if ASSUMPTIONS in present:
        found.append(assumptions_block(workspace, near, mask))
    if DECISIONS in present or ATTEMPTS in present:
        found.append(decisions_block(workspace, near, mask))
    if OPEN_SESSION in present:
        found.append(session_block(workspace, walked.visits[0].path, mask))
    if MEMORY in present:
        from cuedeck.app.scene.blocks.memory_block import memory_block

        found.append(memory_block(workspace, near, mask))
    if EXPERIENCES in present:
        found.append(_experiences(workspace, walked.visits[0], near, mask))
    return tuple(content for content in found if content is not None)


def _without(content: Content, shown: Collection[str]) -> Content | None:
    """Return a block without the entries that are shown elsewhere; None if nothing is
    left.

    A failing assumption stays, because its row warns of a change that its own text does
    not mention.
    """
    if not shown or content.name == "assumptions":
        return content
    rows = []
    for row in content.rows:
        is_shown = row.entry is not None and row.entry.address in shown
        if not is_shown and f"record:{row.record}" not in shown:
            rows.append(row)
    if content.rows and not rows and not content.further:
        return None
    return content._replace(rows=tuple(rows))


def _experiences(
    workspace: Workspace, root: Visit, near: VisitProximity, mask: Mask
) -> Content | None:
    card = workspace.index.file(root.path)
    if card is None:
        return None
    text = workspace.texts.text(root.path)
    body = text.split("\n", card.body - 1)[-1]
    # `doctor` reports experiences that are outside the workspace or unreadable.
    with suppress(ConfigurationError, StorageError):
        return experiences_block(workspace, card, body, near, mask)
    return None


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
    from cuedeck.app.experiences.experience_repository import experiences_of
    from cuedeck.app.memory.memory_profiles import memory_of

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
    from cuedeck.app.named_places import mentioned_edges
    from cuedeck.records.mention_parser import Reader

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
