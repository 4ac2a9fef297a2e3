"""Files and folders of the cortex tree as answers of `read`, and as nodes of the
reference graph.

The tree is not indexed, so a node is read when a link leads to it. The addresses that
were looked up are noted: `store_inputs` stores them, and a cached scene is valid only
while these files are unchanged.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from cuedeck.graph.anchors import Place, near_anchor
from cuedeck.graph.resolve_ref import resolve
from cuedeck.knowledge.cortex.cortex_places import (
    CortexFile,
    CortexInputs,
    CortexPlace,
    cut_lines,
    find_lines,
    find_place,
    near_addresses,
    read_file,
)
from cuedeck.knowledge.layers.tree_layers import TreeLayers
from cuedeck.ledger.entry_source import address_edges, mentioned_edges
from cuedeck.ledger.mention_parser import Reader
from cuedeck.model.address import format_lines, join_anchor, split_anchor
from cuedeck.model.cortex_address import (
    CortexAddressError,
    LayerName,
    Level,
    parse_layer_address,
)
from cuedeck.model.entry_node import CORTEX_KIND, EntryEdge, EntryNode
from cuedeck.model.errors import CueDeckError, Invalid, NotFound
from cuedeck.model.paths import CORTEX
from cuedeck.model.scene_values import Target
from cuedeck.parse.fence import NumberedLine, numbered

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cuedeck.engine.workspace import Workspace
    from cuedeck.model.ports import Count
    from cuedeck.model.settings_schema import Settings
    from cuedeck.store.workspace_paths import WorkspacePaths

LARGE_SHARE = 0.25
"""Share of the budget of the settings above which the node of a file has its overview
as a smaller view.
"""
_BYTES_PER_TOKEN = 8
"""Estimate for texts that are large beyond doubt, whose tokens are not counted."""
_ADDRESS = re.compile(r"cortex://[^\s<>()\[\]{}`\"'|]+")
"""An address in running text; `_TRAILING` punctuation does not belong to it."""
_TRAILING = ".,;:!?*_~…"


def cortex_ids(workspace: Workspace, wanted: str) -> Sequence[str]:
    """Return the canonical id of the place that an id or a path names; none if it does
    not exist. Raises: StorageError.
    """
    text = _address_text(wanted)
    _note(workspace, text)
    try:
        place = find_place(workspace.paths, text)
        if place.anchor and not _has_anchor(workspace.paths, place):
            return ()
    except (CortexAddressError, NotFound):
        return ()
    return (place.text.partition(":")[2],)


def similar_cortex(paths: WorkspacePaths, address: str) -> Sequence[str]:
    """Return the places most like one that does not exist, nearest first."""
    kind, _, wanted = address.partition(":")
    if kind != CORTEX_KIND:
        return ()
    try:
        written = split_anchor(_address_text(wanted))[0]
        missing = parse_layer_address(written).address
        return near_addresses(paths, missing)
    except CueDeckError:
        return ()


def cortex_node(workspace: Workspace, address: str) -> EntryNode | None:
    """Return the node of an address; None if it cannot be read."""
    try:
        place = find_place(workspace.paths, address)
        if place.kind == "folder":
            level: Level = "L0" if place.layer == "L0" else "L1"
            text = TreeLayers(workspace).text(place.address, level).text
            return EntryNode(place.address.path, 1, text, ())
        file = read_file(workspace.paths, place.address, has_history=False)
        lines = find_lines(file, place.anchor)
    except CueDeckError:
        return None
    if lines is None:
        return None
    text, overview = _node_texts(workspace, place, file, lines)
    edges = tuple(cortex_edges(workspace, place, file, lines))
    return EntryNode(place.address.path, lines.start, text, edges, overview)


def cortex_edges(
    workspace: Workspace,
    place: CortexPlace,
    file: CortexFile,
    lines: Place,
) -> Iterator[EntryEdge]:
    """Yield an edge to each place that the refs and the text of a file name, in written
    order, each target once.
    """
    known: set[Target] = set()
    for link in file.parsed.links:
        is_inside = lines.start <= link.line <= lines.end
        if link.ref.startswith("#") or not (is_inside or link.form == "refs"):
            continue
        target = resolve(link, place.address.path, workspace.index, suggest=False)
        is_place = isinstance(target, Target) and target.kind not in (
            "folder",
            "binary",
        )
        if isinstance(target, Target) and is_place and target not in known:
            known.add(target)
            yield EntryEdge("mentions", target)
    body = cut_lines(file.text, max(lines.start, file.parsed.body), lines.end)
    written = [each.rstrip(_TRAILING) for each in _ADDRESS.findall(body)]
    for edge in (
        *address_edges(workspace.index, "mentions", written),
        *mentioned_edges(workspace, Reader().read(body)),
    ):
        if edge.target not in known:
            known.add(edge.target)
            yield edge


def _node_texts(
    workspace: Workspace,
    place: CortexPlace,
    file: CortexFile,
    lines: Place,
) -> tuple[str, str]:
    """Return the text of a node (a layer, the lines of the anchor, or the whole file)
    and the overview of a large file, which is its smaller view.
    """
    if place.layer and place.layer != "L2" and not place.anchor:
        return TreeLayers(workspace).text(place.address, place.layer).text, ""
    text = cut_lines(file.text, lines.start, lines.end)
    if place.layer == "L2" or not _is_large(
        workspace.settings, workspace.counter(), text
    ):
        return text, ""
    return text, TreeLayers(workspace).text(place.address, "L1").text


def _is_large(settings: Settings, count: Count, text: str) -> bool:
    most = int(settings.scene.budget * LARGE_SHARE)
    if len(text) <= most:
        return False
    if len(text) > most * _BYTES_PER_TOKEN:
        return True
    return count.count(text) > most


def _has_anchor(paths: WorkspacePaths, place: CortexPlace) -> bool:
    if place.kind != "file":
        return False
    return find_lines(read_file(paths, place.address), place.anchor) is not None


def _address_text(wanted: str) -> str:
    if wanted.startswith(f"{CORTEX}/"):
        return wanted
    return f"{CORTEX_KIND}:{wanted}"


def _note(workspace: Workspace, text: str) -> None:
    """Note an address that was looked up; `.md` may be omitted in it."""
    try:
        address = parse_layer_address(split_anchor(text)[0]).address
    except CortexAddressError:
        return
    workspace.cached(CortexInputs).note(address)


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
    file = read_file(workspace.paths, place.address)
    lines = find_lines(file, place.anchor)
    if lines is None:
        raise _no_anchor(place, file)
    rows = workspace.masked(file.text).split("\n")[lines.start - 1 : lines.end]
    if rows and not rows[-1] and not place.anchor:
        rows.pop()  # the text after the last line end
    body = "".join(
        _row(number, row, numbers=numbers)
        for number, row in enumerate(rows, lines.start)
    )
    anchor = lines.name
    counter = workspace.counter()
    tokens = counter.count(body)
    counter.save()
    return {
        "address": join_anchor(place.address.text, anchor),
        "path": place.address.path,
        "kind": CORTEX_KIND,
        "lines": [lines.start, lines.end],
        "tokens": tokens,
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
    found = TreeLayers(workspace).text(place.address, layer)
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
