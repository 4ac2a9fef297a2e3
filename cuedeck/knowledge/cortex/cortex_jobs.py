"""Maintenance of the data derived from the cortex tree: its layers, and its part of the
index of recall.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from cuedeck.knowledge.layers.build_layers import build_layers
from cuedeck.knowledge.recall.open_recall import open_recall
from cuedeck.knowledge.recall.sync_index import with_index
from cuedeck.model.formatting import counted

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace

Job = Literal["prune", "reindex", "ensure-all"]


def maintain_cortex(workspace: Workspace, job: Job, *, dry_run: bool) -> str:
    """Do one job; return a sentence about its result.

    `prune` removes units of deleted files from the index of recall, `reindex` builds
    the index again, and `ensure-all` builds missing and stale layers. With `dry_run`
    nothing is changed. Raises: Locked, StorageError, Stale, ConfigurationError.
    """
    if job == "ensure-all":
        return _build(workspace, dry_run=dry_run)
    if dry_run:
        verb = "pruned" if job == "prune" else "built again"
        return f"the index of recall would be {verb}"
    workspace.refresh()
    if job == "reindex":
        open_recall(workspace).index(workspace).start_over(in_memory=False)
    units = with_index(workspace, lambda index, notes: index.totals()[0])
    return f"the index of recall has {counted(units, 'unit')}"


def _build(workspace: Workspace, *, dry_run: bool) -> str:
    receipt = build_layers(workspace, dry_run=dry_run)
    verb = "would be made" if dry_run else "made"
    made = counted(len(receipt.made), "layer")
    counts = f"{made} {verb}, {receipt.reused:,} fresh, {len(receipt.kept):,} kept"
    return "; ".join([counts, *receipt.notes])
