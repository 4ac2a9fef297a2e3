"""Scene block of the assumptions that no longer hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cuedeck.app.assumptions.load_assumptions import failing, faults_of
from cuedeck.scene.fence import quoted, single_line
from cuedeck.scene.ledger_blocks import LONGEST_TEXT, Content, Row

if TYPE_CHECKING:
    from cuedeck.app.assumptions.evaluate_checks import Judged
    from cuedeck.app.scene.blocks.proximity import VisitProximity
    from cuedeck.app.workspace import Workspace
    from cuedeck.model.scene_values import Mentioned
    from cuedeck.scene.mask import Mask


def assumptions_block(
    workspace: Workspace, near: VisitProximity, mask: Mask
) -> Content | None:
    """Return the block of failing assumptions, those about visited files first; None if
    all of them hold.
    """
    far = len(near)
    rows = []
    for fault in faults_of(workspace):
        if fault.level == "error":
            where = f"{fault.path}:{fault.line}" if fault.line else fault.path
            rows.append(
                Row(
                    f"- {quoted(f'{where}: {fault.message}', LONGEST_TEXT)}; `cuedeck assumption check`\n",
                    "",
                )
            )
    ranked: list[tuple[int, int, Judged, Mentioned]] = []
    for at, each in enumerate(failing(workspace)):
        address = f"assumption:{each.assumption.id}"
        found = near.of_entry(address, each.assumption.affects, "affects")
        ranked.append(
            (
                found.depth if found else far,
                at,
                each,
                found or near.of_root(address, "check"),
            )
        )
    if not ranked and not rows:
        return None
    for _, _, each, found in sorted(ranked, key=lambda each: each[:2]):
        name = f"(`{single_line(mask.plain(each.assumption.id), LONGEST_TEXT)}`)\n"
        evidence = quoted(each.verdict.evidence, LONGEST_TEXT)
        rows.append(
            Row(
                f"- {quoted(each.message, LONGEST_TEXT)} {name}",
                f"- ⚠️ {evidence} {name}",
                entry=found,
            )
        )
    more = "- {} more: `cuedeck assumption check`\n"
    return Content(
        "assumptions", "## Assumptions that no longer hold\n\n", tuple(rows), more
    )
