"""Reading of a place of the cortex tree by its address."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cuedeck.graph.anchors import near_anchor
from cuedeck.knowledge.cortex.cortex_layers import read_layer
from cuedeck.knowledge.cortex.cortex_places import (
    CortexFile,
    CortexPlace,
    find_lines,
    find_place,
    read_file,
)
from cuedeck.knowledge.layers.layer_file import Level
from cuedeck.knowledge.recall.mask_units import mask_spans
from cuedeck.model.address import format_lines, join_anchor
from cuedeck.model.cortex_address import LayerName
from cuedeck.model.entry_node import CORTEX_KIND
from cuedeck.model.errors import Invalid, NotFound
from cuedeck.parse.fence import NumberedLine, numbered

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace


def read_cortex(
    workspace: Workspace,
    text: str,
    *,
    numbers: bool = False,
    layer: LayerName | None = None,
) -> dict[str, Any]:
    """Return the masked text of an address in the shape of `read_address`: that of a
    file, of lines of a file, or of a layer. A folder is read as its overview.

    `layer` takes precedence over the query of the address. Raises: CortexAddressError,
    NotFound with the nearest addresses, Invalid for an anchor or line numbers of a
    layer, StorageError.
    """
    place = find_place(workspace.paths, text)
    wanted = layer or place.layer or "L2"
    if wanted != "L2":
        return _layer_answer(workspace, place, wanted, numbers=numbers)
    if place.kind == "folder":
        return _layer_answer(workspace, place, "L1", numbers=numbers)
    file = read_file(workspace, place.address)
    lines = find_lines(file, place.anchor)
    if lines is None:
        raise _no_anchor(place, file)
    masked = mask_spans(file.text, workspace.find_secrets(file.text))
    rows = masked.split("\n")[lines.start - 1 : lines.end]
    if rows and not rows[-1] and not place.anchor:
        rows.pop()  # the text after the last line end
    body = "".join(
        _row(number, row, numbers=numbers)
        for number, row in enumerate(rows, lines.start)
    )
    anchor = lines.name
    return {
        "address": join_anchor(place.address.text, anchor),
        "path": place.address.path,
        "kind": CORTEX_KIND,
        "lines": [lines.start, lines.end],
        "tokens": _count(workspace, body),
        "text": body,
        "layer": "L2",
    }


def _layer_answer(
    workspace: Workspace, place: CortexPlace, layer: Level, *, numbers: bool
) -> dict[str, Any]:
    if place.anchor or numbers:
        raise Invalid(
            f"{place.address.text} is shown as a layer, which has no numbered lines",
            hint="omit `#…` and --numbers to read the layer, or --layer to read the"
            " lines of a file",
        )
    found = read_layer(workspace, place.address, layer)
    return {
        "address": place.address.text,
        "path": place.address.path,
        "kind": CORTEX_KIND,
        "lines": [0, 0],
        "tokens": found.tokens,
        "text": found.text,
        "layer": layer,
        "generated_by": found.generated_by,
        "whole": found.is_whole,
        "status": found.status,
    }


def _no_anchor(place: CortexPlace, file: CortexFile) -> NotFound:
    near = near_anchor(file.parsed, place.anchor)
    hint = f"its lines are #{format_lines(1, max(file.parsed.lines, 1))}"
    candidates: tuple[str, ...] = ()
    if near:
        hint = f"did you mean `{join_anchor(place.address.text, near)}`?"
        candidates = (join_anchor(place.address.text, near),)
    return NotFound(
        f"`{place.address.text}` has no `#{place.anchor}`",
        hint=hint,
        candidates=candidates,
    )


def _row(number: int, row: str, *, numbers: bool) -> str:
    shown = numbered(NumberedLine(number, row)) if numbers else row
    return f"{shown}\n"


def _count(workspace: Workspace, text: str) -> int:
    counter = workspace.counter()
    tokens = counter.count(text)
    counter.save()
    return tokens
