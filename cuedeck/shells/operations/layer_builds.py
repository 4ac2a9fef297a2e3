"""Layers: abstracts and overviews of addresses."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any

from cuedeck.knowledge.layers import build_layers as layers
from cuedeck.model.formatting import counted
from cuedeck.shells.call import Answer, Call
from cuedeck.shells.operation import Param, operation, topic
from cuedeck.shells.text_table import table

Folder = Annotated[str, Param("cortex", "[ADDRESS]")]

topic(
    "layers",
    """Build and check layers: abstracts (L0) and overviews (L1).

    A layer is computed from the files alone and written below .cuedeck/cortex/. A text
    that fits the limit of a layer (100 and 2,000 tokens) needs no layer file. `cuedeck
    read ADDRESS --layer L0` reads the layer of any address, also before a build.
    """,
    "cuedeck layers status\ncuedeck layers build",
)
_MOST_ROWS = 50
"""Layers that are printed; `--json` has all."""
_KEPT = "delete a kept layer to have it built again"


def _layer_rows(rows: Sequence[tuple[str, Mapping[str, Any]]]) -> Iterator[str]:
    if not rows:
        return
    cells = []
    for label, row in rows[:_MOST_ROWS]:
        cells.append((label, row["layer"], row["address"], row["reason"]))
    yield table("status,layer,address~,reason~", cells)
    if len(rows) > len(cells):
        yield f"+{len(rows) - len(cells):,} more; `--json` lists all"


def _built(answer: Mapping[str, Any]) -> Iterator[str]:
    verb = "would make" if answer["dry_run"] else "made"
    if answer["outside"] is None:
        made = counted(len(answer["made"]), "layer")
        whole = f"{answer['whole']:,} need no file"
        yield f"{verb} {made}, reused {answer['reused']:,}; {whole}"
    rows = []
    for label in ("removed", "kept"):
        rows += [(label, row) for row in answer[label]]
    yield from _layer_rows(rows)
    yield from answer["notes"]
    if answer["kept"]:
        yield _KEPT


@operation(
    "layers build",
    "cuedeck layers build\ncuedeck layers build cortex://session/default --dry-run",
    _built,
)
def build_layers(
    call: Call,
    address: Folder = "",
    *,
    rebuild: bool = False,
    dry_run: bool = False,
) -> dict[str, Any]:
    """Build the layers that are stale.

    ADDRESS limits the build to the tree below it. A file or folder outside the cortex
    tree needs no build: `cuedeck read ADDRESS --layer L0` computes its layers.

    Layers that were edited by hand or written by another program are kept and listed.

    Args:
        rebuild: Write fresh layers again, for example by a new summariser command.
        dry_run: Print the changes; write no file.
    """
    receipt = layers.build_layers_of(
        call.workspace, address, rebuild=rebuild, dry_run=dry_run
    )
    return {"dry_run": dry_run, **receipt.as_json()}


_STATUSES = ("fresh", "stale", "kept")


def _layer_status(answer: Mapping[str, Any]) -> Iterator[str]:
    files, folders = answer["files"], answer["folders"]
    yield f"{counted(files, 'file')} in {counted(folders, 'folder')}"
    counts = [f"{answer[name]:,} {name}" for name in _STATUSES if answer[name]]
    yield ", ".join([*counts, f"{answer['whole']:,} need no file"])
    yield from _layer_rows([(row["status"], row) for row in answer["layers"]])
    if answer["stale"]:
        yield "`cuedeck layers build` builds stale layers"
    if answer["kept"]:
        yield _KEPT


@operation(
    "layers status",
    "cuedeck layers status\ncuedeck layers status --json",
    _layer_status,
)
def layer_status(call: Call) -> dict[str, Any]:
    """Count the layers by status, and list those that are not fresh.

    A layer is fresh, stale (it is missing, or its text has changed) or kept (edited by
    hand, or written by another program).
    """
    return layers.layer_status(call.workspace)


@operation("layers verify", "cuedeck layers verify", _layer_status)
def verify_layers(call: Call) -> Answer:
    """Compute every layer again and compare it with its file.

    Exit code 1 if a layer is not fresh or differs.
    """
    found = layers.verify_layers(call.workspace)
    return Answer(found, code=int(not found["verified"]))
