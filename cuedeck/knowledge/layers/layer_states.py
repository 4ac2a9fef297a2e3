"""States of the layers of a folder, compared with the files that they describe."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

from cuedeck.knowledge.layers.layer_file import EXTRACTIVE, parse_layer_file
from cuedeck.knowledge.layers.layer_hash import folder_hash
from cuedeck.knowledge.layers.layer_values import LEVELS

Status = Literal["fresh", "stale", "missing", "manual", "foreign", "failed"]
STATUSES: tuple[Status, ...] = (
    "fresh",
    "stale",
    "missing",
    "manual",
    "foreign",
    "failed",
)
_GONE = "the file that it describes does not exist"
_SPARE = "the text fits the limit, so it needs no layer file"
_OLDER = "the text has changed"
_EDITED = "its body was edited"
_FOREIGN = "its header is not one of CueDeck"


class LayerRow(NamedTuple):
    """A layer that is not fresh."""

    name: str
    """Name of the file; empty for the layer of the folder itself."""
    level: str
    """`L0` or `L1`; empty for a file that cannot be read."""
    status: Status
    reason: str


class LayerState(NamedTuple):
    """What a layer file says about itself."""

    kind: Literal["own", "edited", "foreign"]
    input_hash: str
    source: str
    generated_by: str


class FileState(NamedTuple):
    """A file of the tree."""

    hash: str
    """Input hash of its layers; empty for an unreadable file."""
    needs: str
    """Levels that need a layer file: empty, `L0`, or `L0L1`."""
    problem: str


def status_of(
    state: LayerState | None, input_hash: str, source: str
) -> tuple[Status, str]:
    """Return the status of a needed layer and the reason if it is not fresh."""
    if state is None:
        return "missing", ""
    if state.kind == "foreign":
        return "foreign", _FOREIGN
    if state.kind == "edited":
        return "manual", _EDITED
    if state.input_hash != input_hash or state.source != source:
        return "stale", _OLDER
    return "fresh", ""


class FileLayers(NamedTuple):
    """The layers of the files of a folder."""

    files_hash: str
    """Hash of the names and hashes of the files."""
    fresh: int
    whole: int
    """Layers that need no file, because the text fits the limit."""
    rows: tuple[LayerRow, ...]
    """Layers that are not fresh."""


def compare_layers(
    files: Mapping[str, FileState],
    layers: Mapping[tuple[str, str], LayerState],
    sources: Mapping[str, str],
) -> FileLayers:
    """Return the statuses of the layers of the files of a folder.

    `files` and `sources`, their addresses, are by name; `layers` are by the name of
    their file and level.
    """
    fresh = whole = 0
    rows: list[LayerRow] = []
    pairs = []
    for name in sorted(files):
        state = files[name]
        pairs.append((name, state.hash))
        if state.problem:
            rows.append(LayerRow(name, "", "failed", state.problem))
            continue
        for level in LEVELS:
            layer = layers.get((name, level))
            if level in state.needs:
                status, reason = status_of(layer, state.hash, sources[name])
            elif layer is None:
                whole += 1
                continue
            else:
                status, reason = _spare_status(layer, _SPARE)
            if status == "fresh":
                fresh += 1
            else:
                rows.append(LayerRow(name, level, status, reason))
    for place in sorted(layers):
        if place[0] not in files:
            status, reason = _spare_status(layers[place], _GONE)
            rows.append(LayerRow(*place, status, reason))
    return FileLayers(folder_hash("", "", pairs), fresh, whole, tuple(rows))


def _spare_status(layer: LayerState, reason: str) -> tuple[Status, str]:
    """Return the status of a layer file that is not needed."""
    if layer.kind == "own":
        return "stale", reason
    return ("manual", _EDITED) if layer.kind == "edited" else ("foreign", _FOREIGN)


def is_extractive(state: LayerState | None) -> bool:
    """Return whether a layer was computed without a command and not edited since."""
    return (
        state is not None and state.kind == "own" and (state.generated_by == EXTRACTIVE)
    )


def read_layer_state(data: bytes, level: str) -> LayerState:
    """Return the state of a layer file."""
    layer = parse_layer_file(data)
    if layer is None or layer.level != level:
        return LayerState("foreign", "", "", "")
    kind: Literal["own", "edited"] = "edited" if layer.is_edited else "own"
    return LayerState(kind, layer.input_hash, layer.source, layer.generated_by)
