"""Memory record nodes of the workspace graph, with edges to the names they mention and to their sessions."""

from __future__ import annotations

import os
from collections.abc import Collection
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.app.scene.blocks.blocks_fingerprint import MEMORY
from cuedeck.graph.resolve_ref import resolve
from cuedeck.model.diagram import Arrow
from cuedeck.model.file import File
from cuedeck.model.scene_values import Target

if TYPE_CHECKING:
    from cuedeck.app.memory.memory_snapshot import MemorySnapshot
    from cuedeck.app.workspace import Workspace

_MOST = 50
"""Maximum number of records drawn in addition to linked ones; the newest are chosen."""


class Recorded(NamedTuple):
    """Nodes and edges that records add to the drawing."""

    addresses: tuple[str, ...] = ()
    """Addresses of the records, oldest first."""
    files: tuple[File, ...] = ()
    """Files that the records mention."""
    arrows: tuple[Arrow, ...] = ()
    sessions: tuple[str, ...] = ()
    """Addresses of the stored sessions that the records mention or were made in."""
    left_out: int = 0
    """Number of further records that mention something."""


def find_recorded(workspace: Workspace, decisions: Collection[str]) -> Recorded:
    """Return the nodes and edges of the linked records and of the newest records that mention something.

    `decisions` are the addresses of the drawn decisions.
    """
    if not os.path.exists(workspace.paths.absolute(MEMORY)):
        return Recorded()
    from cuedeck.app.memory.memory_snapshot import load_memory_snapshot

    kept = load_memory_snapshot(workspace)
    if kept is None:
        return Recorded()
    meant, linked = _meant(workspace, kept, decisions), _linked(workspace, kept)
    naming = sorted(at for at in meant if at not in linked)
    drawn = sorted((*linked, *naming[-_MOST:]))
    sessions = {f"session:{identity}" for identity in workspace.index.entries("session")}
    arrows: dict[Arrow, None] = {}
    for at in drawn:
        address, own = _address(kept, at), f"session:{kept.records[at].session}"
        arrows.update((Arrow(source, address, "refs"), None) for source in linked.get(at, ()))
        arrows.update((Arrow(address, end, "mentions"), None) for end in meant.get(at, ()))
        arrows.update({Arrow(address, own, "recorded_in"): None} if own in sessions else {})
    ends = dict.fromkeys(arrow.target for arrow in arrows)
    files = (workspace.index.file(end) for end in ends)
    return Recorded(
        tuple(dict.fromkeys(_address(kept, at) for at in drawn)),
        tuple(file for file in files if file is not None),
        tuple(arrows),
        tuple(end for end in ends if end in sessions),
        len(naming[:-_MOST]),
    )


def _address(kept: MemorySnapshot, at: int) -> str:
    return f"record:{kept.records[at].id}"


def _linked(workspace: Workspace, kept: MemorySnapshot) -> dict[int, list[str]]:
    """Return the paths of the files that link to each record, by record position.

    Secret and superseded records are left out.
    """
    found: dict[int, list[str]] = {}
    for file in workspace.index.files():
        for link in file.links:
            if link.ref.startswith("record:"):
                target = resolve(link, file.path, workspace.index, suggest=False)
                identity = target.address.removeprefix("record:") if isinstance(target, Target) else ""
                at = kept.places.get(identity)
                if at is not None and identity not in kept.replaced and not kept.records[at].is_secret:
                    found.setdefault(at, []).append(file.path)
    return found


def _meant(workspace: Workspace, kept: MemorySnapshot, decisions: Collection[str]) -> dict[int, dict[str, None]]:
    """Return the files, sessions and decisions that each record mentions, by record position."""
    entries = {*decisions, *(f"session:{identity}" for identity in workspace.index.entries("session"))}
    found: dict[int, dict[str, None]] = {}
    for name in kept.sayings.names():
        place = kept.meanings.of(name)
        end = place.path if place else f"{name.form}:{name.text}"
        if place.kind != "folder" if place else end in entries:
            for saying in kept.sayings.of(name):
                found.setdefault(saying.record, {})[end] = None
    return found
