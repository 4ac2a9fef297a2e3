"""Reading of one layer of an address: a card, doc, source, folder or ledger entry, or a
file or folder of the cortex tree.

Reading never fails for want of a layer: it is computed if there is no fresh one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cuedeck.context.search.read_address import read_address
from cuedeck.knowledge.cortex.read_cortex import read_cortex
from cuedeck.knowledge.layers.compute_layers import (
    LayerContext,
    layer_context,
    layers_of_text,
)
from cuedeck.knowledge.layers.layer_file import EXTRACTIVE
from cuedeck.knowledge.layers.layer_values import LayerPair, Level
from cuedeck.knowledge.layers.timeline_layers import text_layers
from cuedeck.knowledge.layers.workspace_layers import (
    binary_layers,
    file_layers,
    workspace_folder_layers,
)
from cuedeck.model.cortex_address import LayerName, is_cortex_address
from cuedeck.model.entry_node import ENTRY_PREFIXES
from cuedeck.model.errors import Invalid

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace


def read_with_layer(
    workspace: Workspace, text: str, layer: LayerName, *, numbers: bool = False
) -> dict[str, Any]:
    """Return the text of an address, or with `L0` or `L1` one of its layers.

    Raises: Invalid for line numbers of a layer; the errors of `read_address`.
    """
    level: Level | None = None
    if layer != "L2":
        level = layer
    if level is not None and numbers:
        raise Invalid("a layer has no line numbers", hint="leave out one of the two")
    if is_cortex_address(text.strip()):
        return read_cortex(workspace, text, layer=level)
    if level is None:
        return read_address(workspace, text, numbers=numbers)
    return read_layer(workspace, text, level)


def read_layer(workspace: Workspace, text: str, level: Level) -> dict[str, Any]:
    """Return one layer of an address of the workspace.

    The answer has the keys of `read_address`, and `layer`, `generated_by` and `whole`
    (whether the layer is the whole text). Raises: the errors of `read_address`.
    """
    context = layer_context(workspace)

    def read() -> tuple[dict[str, Any], LayerPair]:
        answer = read_address(workspace, text)
        return answer, _pair_of(workspace, context, answer)

    answer, pair = workspace.settled(read)
    return _layer_answer(
        answer, pair.text(level), level, context, is_whole=pair.is_whole
    )


def _pair_of(
    workspace: Workspace, context: LayerContext, answer: dict[str, Any]
) -> LayerPair:
    """Return the layers of what `read_address` found; its text is masked."""
    address, path, kind = answer["address"], answer["path"], answer["kind"]
    if address.startswith(ENTRY_PREFIXES):
        return text_layers(address, answer["text"], context.count)
    if kind == "folder":
        return workspace_folder_layers(workspace, context, path.rstrip("/") or ".")
    if kind == "binary":
        return binary_layers(context, path)
    if address == path and workspace.index.file(path) is not None:
        return file_layers(workspace.index, workspace.texts, context, path)
    name = address if kind == "source" else path
    return layers_of_text(context, name, kind, answer["text"])


def _layer_answer(
    answer: dict[str, Any],
    text: str,
    level: Level,
    context: LayerContext,
    *,
    is_whole: bool,
) -> dict[str, Any]:
    """Return the answer for a layer: the keys of `answer`, and those of the layer."""
    shown = f"{text}\n" if text else ""
    return {
        **answer,
        "lines": answer.get("lines", [0, 0]),
        "tokens": context.count.count(shown),
        "text": shown,
        "layer": level,
        "generated_by": EXTRACTIVE,
        "whole": is_whole and level == "L1",
    }
