"""Scene block of the assumptions that no longer hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cuedeck.app.assumptions.load_assumptions import failing, faults_of
from cuedeck.app.scene.blocks.decisions_block import LONGEST
from cuedeck.scene.fence import quoted, single_line
from cuedeck.scene.ledger_blocks import Content, Row

if TYPE_CHECKING:
    from cuedeck.app.scene.blocks.proximity import VisitProximity
    from cuedeck.app.workspace import Workspace
    from cuedeck.scene.mask import Mask


def assumptions_block(workspace: Workspace, near: VisitProximity, mask: Mask) -> Content | None:
    """Return the block of failing assumptions, those about visited files first; None if all of them hold."""
    far = len(near)
    faults = [each for each in faults_of(workspace) if each.level == "error"]
    rows = [
        Row(f"- {quoted(f'{where}: {each.message}', LONGEST)}; `cuedeck assumption check`\n", "")
        for each in faults
        for where in [f"{each.path}:{each.line}" if each.line else each.path]
    ]
    ranked = [
        (depth if depth is not None else far, at, each)
        for at, each in enumerate(failing(workspace))
        for depth in [near.depth(f"assumption:{each.assumption.id}", each.assumption.affects)]
    ]
    if not ranked and not rows:
        return None
    ranked.sort(key=lambda each: each[:2])
    for _, _, each in ranked:
        name = f"(`{single_line(mask.plain(each.assumption.id), LONGEST)}`)\n"
        evidence = quoted(each.verdict.evidence, LONGEST)
        rows.append(Row(f"- {quoted(each.message, LONGEST)} {name}", f"- ⚠️ {evidence} {name}"))
    more = "- {} more: `cuedeck assumption check`\n"
    return Content("assumptions", "## Assumptions that no longer hold\n\n", tuple(rows), more)
