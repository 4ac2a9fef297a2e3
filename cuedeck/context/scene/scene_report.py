"""Documented JSON of a scene."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cuedeck.model.ports import Json
from cuedeck.model.scene_values import TASK
from cuedeck.parse.fence import passages_of
from cuedeck.parse.task_names import task_title

if TYPE_CHECKING:
    from cuedeck.model.file import File
    from cuedeck.model.ports import Lookup
    from cuedeck.model.scene_values import Scene, Shown


def report_of(scene: Scene, lookup: Lookup, task: str = "") -> Json:
    """Return the documented JSON of a scene, with real addresses and the titles of
    cards.

    `task` is the root of a scene without a card.
    """
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
        "visits": [_visit_row(shown, lookup) for shown in scene.visits],
        "blocks": blocks,
        "left_out": [each._asdict() for each in scene.left_out],
        "unresolved": unresolved,
        "title": _title(lookup.file(scene.card)) or task_title(task) or None,
        **({"missing": list(scene.missing)} if scene.missing else {}),
    }


def _visit_row(shown: Shown, lookup: Lookup) -> Json:
    """Return the JSON of a visit."""
    visit = shown.visit
    is_task = visit.path == TASK
    ranks = {"ranks": dict(visit.ranks)} if visit.tier == "related" else {}
    return {
        "address": visit.address,
        "path": None if is_task else visit.path,
        "kind": "task" if is_task else visit.kind,
        "tier": visit.tier,
        "depth": visit.depth,
        "via": visit.via,
        "edge": visit.edge,
        "why": visit.why,
        "view": shown.view,
        "tokens": shown.tokens,
        "lines": list(shown.lines),
        "passages": [list(span) for span in passages_of(shown)],
        **ranks,
        "title": _title(lookup.file(visit.path)) or None,
    }


def _title(file: File | None) -> str:
    """Return the title of a card; empty for any other file."""
    return file.card.title if file is not None and file.card is not None else ""
