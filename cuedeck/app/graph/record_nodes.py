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
    from cuedeck.store.index import Index

_MOST = 50
"""Maximum number of records drawn in addition to linked ones; the newest are chosen."""


class RecordNodes(NamedTuple):
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


def find_records(workspace: Workspace, decisions: Collection[str]) -> RecordNodes:
    """Return the nodes and edges of the linked records and of the newest records that mention something.

    `decisions` are the addresses of the drawn decisions.
    """
    if not os.path.exists(workspace.paths.absolute(MEMORY)):
        return RecordNodes()
    from cuedeck.app.memory.memory_snapshot import load_memory_snapshot

    memory = load_memory_snapshot(workspace)
    if memory is None:
        return RecordNodes()
    index = workspace.index
    stored_sessions = {f"session:{identity}" for identity in index.entries("session")}
    mentions = _find_mentions(memory, {*decisions, *stored_sessions})
    linking = _find_linking(index, memory)
    unlinked = sorted(mentions.keys() - linking.keys())
    addresses: dict[str, None] = {}
    arrows: dict[Arrow, None] = {}
    for number in sorted((*linking, *unlinked[-_MOST:])):
        record = memory.records[number]
        address = f"record:{record.id}"
        addresses[address] = None
        for path in linking.get(number, ()):
            arrows[Arrow(path, address, "refs")] = None
        for target in mentions.get(number, ()):
            arrows[Arrow(address, target, "mentions")] = None
        session = f"session:{record.session}"
        if session in stored_sessions:
            arrows[Arrow(address, session, "recorded_in")] = None
    targets = dict.fromkeys(arrow.target for arrow in arrows)
    files = [index.file(target) for target in targets]
    return RecordNodes(
        addresses=tuple(addresses),
        files=tuple(file for file in files if file is not None),
        arrows=tuple(arrows),
        sessions=tuple(target for target in targets if target in stored_sessions),
        left_out=len(unlinked[:-_MOST]),
    )


def _find_linking(index: Index, memory: MemorySnapshot) -> dict[int, list[str]]:
    """Return the paths of the files that link to each record, by record position.

    Secret and superseded records are left out.
    """
    linking: dict[int, list[str]] = {}
    for file in index.files():
        for link in file.links:
            if not link.ref.startswith("record:"):
                continue
            target = resolve(link, file.path, index, suggest=False)
            identity = target.address.removeprefix("record:") if isinstance(target, Target) else ""
            number = memory.places.get(identity)
            if number is None or identity in memory.replaced or memory.records[number].is_secret:
                continue
            linking.setdefault(number, []).append(file.path)
    return linking


def _find_mentions(memory: MemorySnapshot, entries: Collection[str]) -> dict[int, dict[str, None]]:
    """Return the files, sessions and decisions that each record mentions, by record position.

    `entries` are the addresses of the sessions and decisions that count.
    """
    mentions: dict[int, dict[str, None]] = {}
    for name in memory.mentions.names():
        place = memory.resolver.of(name)
        target = place.path if place else f"{name.form}:{name.text}"
        is_drawn = place.kind != "folder" if place else target in entries
        if not is_drawn:
            continue
        for saying in memory.mentions.of(name):
            mentions.setdefault(saying.record, {})[target] = None
    return mentions
