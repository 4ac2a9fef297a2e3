"""The block of assumptions that no longer hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cuedeck.app.assumptions.reading import failing, faults_of
from cuedeck.app.blocks.decisions import LONGEST
from cuedeck.scene.blocks import Content, Row
from cuedeck.scene.fence import on_one_line, quoted

if TYPE_CHECKING:
    from cuedeck.app.blocks.near import Near
    from cuedeck.app.project import Project
    from cuedeck.scene.mask import Mask


def assumed(project: Project, near: Near, mask: Mask) -> Content | None:
    """Return what was believed and fails, first what is about the files that are visited."""
    far = len(near)
    faults = [each for each in faults_of(project) if each.level == "error"]
    rows = [
        Row(f"- {quoted(f'{where}: {each.message}', LONGEST)}; `cuedeck assumption check`\n", "")
        for each in faults
        for where in [f"{each.path}:{each.line}" if each.line else each.path]
    ]
    ranked = [
        (depth if depth is not None else far, at, each)
        for at, each in enumerate(failing(project))
        for depth in [near.depth(f"assumption:{each.assumption.id}", each.assumption.affects)]
    ]
    if not ranked and not rows:
        return None
    ranked.sort(key=lambda each: each[:2])
    for _, _, each in ranked:
        name = f"(`{on_one_line(mask.plain(each.assumption.id), LONGEST)}`)\n"
        evidence = quoted(each.verdict.evidence, LONGEST)
        rows.append(Row(f"- {quoted(each.message, LONGEST)} {name}", f"- ⚠️ {evidence} {name}"))
    more = "- {} more: `cuedeck assumption check`\n"
    return Content("assumptions", "## Assumptions that no longer hold\n\n", tuple(rows), more)
