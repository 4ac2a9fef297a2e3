"""JSON format of a drawing."""

from __future__ import annotations

import json
import re
from typing import Any

from cuedeck.model.diagram import Arrow, Drawing

_SURROGATE = re.compile("[\ud800-\udfff]")


def draw_json(drawing: Drawing) -> str:
    """Return the drawing as indented JSON.

    Shape:
    `{"schema","title","budget","tokens","nodes":[{"address","kind","depth","tokens","state","view","title"}],
    "edges":[{"source","target","edge"}],"cycles":[[address, …]]}`. A derived edge also
    has the `line`, or the number of `commits`, that supports it. `left_out` and
    `records_left_out` count the files and records omitted for lack of room.
    """
    shape: dict[str, Any] = {
        "schema": 1,
        "title": drawing.title,
        "budget": drawing.budget,
        "tokens": drawing.tokens,
        "nodes": [box._asdict() for box in drawing.boxes],
        "edges": [_edge(arrow) for arrow in drawing.arrows],
        "cycles": [list(cycle) for cycle in drawing.cycles],
    }
    if drawing.left_out:
        shape["left_out"] = drawing.left_out
    if drawing.records_left_out:
        shape["records_left_out"] = drawing.records_left_out
    text = json.dumps(shape, indent=2, ensure_ascii=False)
    # A file name that is not valid UTF-8 contains lone surrogates; escaped, they can be
    # encoded and decoded again.
    return _SURROGATE.sub(lambda match: f"\\u{ord(match.group()):04x}", text) + "\n"


def _edge(arrow: Arrow) -> dict[str, Any]:
    fields = arrow._asdict()
    return {
        name: value
        for name, value in fields.items()
        if value or name not in ("line", "commits")
    }
