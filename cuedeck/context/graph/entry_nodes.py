"""Ledger entries in the drawing of the workspace, with their edges to files, cards,
sessions and other entries.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.context.blocks.blocks_fingerprint import MEMORY
from cuedeck.context.search.ledger_entries import entry_edges
from cuedeck.ledger.kinds.decision_kind import DECISION, accepted_decisions
from cuedeck.ledger.records.memory_snapshot import load_memory_snapshot
from cuedeck.model.diagram import Arrow
from cuedeck.model.entry_node import ENTRY_KINDS, is_entry_address
from cuedeck.model.paths import CARDS

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.ledger.kinds.decision_kind import Decision
    from cuedeck.ledger.records.memory_snapshot import MemorySnapshot
    from cuedeck.model.file import File
    from cuedeck.store.index import Index

_MOST = 50
"""Maximum number of records drawn in addition to linked ones; the newest are chosen."""


class EntryNodes(NamedTuple):
    """Nodes and edges that ledger entries add to the drawing."""

    kinds: Mapping[str, str]
    """Kind of each drawn entry, by address: decisions and records first, oldest first.
    """
    files: Mapping[str, File]
    """Files at which the edges end, by path."""
    arrows: Sequence[Arrow]
    records_left_out: int
    """Number of further records that mention something."""


def find_entries(workspace: Workspace, linked: Iterable[str]) -> EntryNodes:
    """Return the decisions in force, attempts and assumptions about a place, the newest
    records, and linked entries.

    `linked` are the addresses of the linked entries. The entries at which an edge of an
    entry ends are drawn too.
    """
    decisions = {
        f"decision:{each.id}": each
        for each in accepted_decisions(workspace.ledger.entries(DECISION))
    }
    memory = _memory(workspace)
    records, left_out = _choose_records(
        memory, {address for address in linked if address.startswith("record:")}
    )
    kinds: dict[str, str] = {}
    files: dict[str, File] = {}
    arrows: dict[Arrow, None] = {}
    queue = [*decisions, *records, *_about_places(workspace), *linked]
    for address in queue:
        if address in kinds:
            continue
        kinds[address] = address.partition(":")[0]
        for arrow in _arrows_of(workspace, address, decisions, memory):
            arrows[arrow] = None
            file = workspace.index.file(arrow.target)
            if file is not None:
                files[file.path] = file
            elif is_entry_address(arrow.target):
                queue.append(arrow.target)
    return EntryNodes(kinds, files, tuple(arrows), left_out)


def _arrows_of(
    workspace: Workspace,
    address: str,
    decisions: Mapping[str, Decision],
    memory: MemorySnapshot | None,
) -> Iterator[Arrow]:
    """Yield the edges of an entry, then those to the card and the stored session in
    which it was made.
    """
    for edge in entry_edges(workspace, address):
        target = edge.target
        if target.kind in ENTRY_KINDS or workspace.index.file(target.path) is not None:
            yield Arrow(address, target.path, edge.kind)
    decision = decisions.get(address)
    if decision is not None:
        card = f"{CARDS}/{decision.card}.md"
        if decision.card and workspace.index.file(card) is not None:
            yield Arrow(address, card, "decided_in")
        yield from _session_arrow(
            workspace.index, address, decision.session, "decided_in"
        )
    elif memory is not None:
        at = memory.places.get(address.removeprefix("record:"))
        if at is not None:
            yield from _session_arrow(
                workspace.index, address, memory.record(at).session, "recorded_in"
            )


def _session_arrow(
    index: Index, address: str, session: str, edge: str
) -> Iterator[Arrow]:
    """Yield the edge of an entry to the session in which it was made, if that is
    stored.
    """
    if session and session in index.entries("session", session):
        yield Arrow(address, f"session:{session}", edge)


def _about_places(workspace: Workspace) -> Iterator[str]:
    """Yield the addresses of the attempts and assumptions that name an existing
    place.
    """
    for kind in ("attempt", "assumption"):
        for identity in workspace.index.entries(kind):
            address = f"{kind}:{identity}"
            if entry_edges(workspace, address):
                yield address


def _memory(workspace: Workspace) -> MemorySnapshot | None:
    if not os.path.exists(workspace.paths.absolute(MEMORY)):
        return None

    return load_memory_snapshot(workspace)


def _choose_records(
    memory: MemorySnapshot | None, linked: set[str]
) -> tuple[list[str], int]:
    """Return the addresses of the linked records and of the newest others that mention
    something, oldest first.

    Also returns the number of those left out.
    """
    if memory is None:
        return [], 0
    addresses = {at: f"record:{identity}" for identity, at in memory.places.items()}
    unlinked = [
        at
        for at in _mentioning(memory)
        if at in addresses and addresses[at] not in linked
    ]
    chosen = {addresses[at] for at in unlinked[-_MOST:]}
    chosen |= linked
    in_order = [addresses[at] for at in sorted(addresses)]
    shown = [address for address in in_order if address in chosen]
    return shown, len(unlinked[:-_MOST])


def _mentioning(memory: MemorySnapshot) -> list[int]:
    """Return the positions of the records that mention a file, a session or a
    decision.
    """
    found: set[int] = set()
    for name in memory.mentions.names():
        place = memory.resolver.of(name)
        is_entry = place is None and name.form in ("session", "decision")
        is_place = place is not None and place.kind != "folder"
        if is_entry or is_place:
            found.update(mention.record for mention in memory.mentions.of(name))
    return sorted(found)
