"""Documented JSON of a scene."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cuedeck.model.scene_values import TASK
from cuedeck.parse.task_names import task_title
from cuedeck.scene.passage_text import passages_of

if TYPE_CHECKING:
    from cuedeck.model.file import File
    from cuedeck.model.ports import Lookup
    from cuedeck.model.scene_values import Scene


def report_of(scene: Scene, lookup: Lookup, task: str = "") -> dict[str, Any]:
    """Return the documented JSON of a scene, with real addresses and the titles of cards.

    `task` is the root of a scene without a card.
    """
    visits = [
        {
            "address": shown.visit.address,
            "path": None if shown.visit.path == TASK else shown.visit.path,
            "kind": "task" if shown.visit.path == TASK else shown.visit.kind,
            "tier": shown.visit.tier,
            "depth": shown.visit.depth,
            "via": shown.visit.via,
            "edge": shown.visit.edge,
            "why": shown.visit.why,
            "view": shown.view,
            "tokens": shown.tokens,
            "lines": list(shown.lines),
            "passages": [list(span) for span in passages_of(shown)],
            **({"ranks": dict(shown.visit.ranks)} if shown.visit.tier == "related" else {}),
            "title": _title(lookup.file(shown.visit.path)) or None,
        }
        for shown in scene.visits
    ]
    blocks = []
    for block in scene.blocks:
        entries = [each._asdict() for each in block.entries]
        blocks.append(block._asdict() | {"entries": entries})
    unresolved = [
        {
            "ref": each.ref,
            "from": each.source,
            "line": each.line,
            "reason": each.reason,
            "suggestion": each.suggestion or None,
            "candidates": list(each.candidates),
        }
        for each in scene.unresolved
    ]
    return {
        "card": scene.card or None,
        "budget": scene.budget,
        "tokens": scene.tokens,
        "encoding": scene.encoding,
        "receipt": scene.receipt,
        "visits": visits,
        "blocks": blocks,
        "left_out": [each._asdict() for each in scene.left_out],
        "unresolved": unresolved,
        "title": _title(lookup.file(scene.card)) or task_title(task) or None,
        **({"missing": list(scene.missing)} if scene.missing else {}),
    }


def _title(file: File | None) -> str:
    """Return the title of a card; empty for any other file."""
    return file.card.title if file is not None and file.card is not None else ""
