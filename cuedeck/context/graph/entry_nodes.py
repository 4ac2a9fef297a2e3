"""Ledger entries in the drawing of the workspace, with their edges to files, cards,
sessions and other entries.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.context.search.ledger_entries import LedgerEntries
from cuedeck.ledger.kinds.decision_kind import DECISION, accepted_decisions
from cuedeck.ledger.records.memory_snapshot import load_memory_snapshot
from cuedeck.model.diagram import Arrow
from cuedeck.model.entry_node import ENTRY_KINDS, is_entry_address
from cuedeck.model.paths import CARDS

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.ledger.kinds.decision_kind import Decision
    from cuedeck.ledger.records.memory_snapshot import MemorySnapshot
    from cuedeck.model.entry_node import EntryEdge
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


def find_entries(workspace: Workspace, linked: Collection[str]) -> EntryNodes:
    """Return the decisions in force, attempts and assumptions about a place, the newest
    records, and linked entries.

    `linked` are the addresses of the linked entries. The entries at which an edge of an
    entry ends are drawn too.
    """
    found = accepted_decisions(workspace.ledger.entries(DECISION))
    decisions = {f"decision:{each.id}": each for each in found}
    memory = load_memory_snapshot(workspace)
    lookup = LedgerEntries(workspace)
    records, left_out = _choose_records(memory, set(linked))
    kinds: dict[str, str] = {}
    files: dict[str, File] = {}
    arrows: dict[Arrow, None] = {}
    queue = [*decisions, *records, *_about_places(lookup), *linked]
    for address in queue:
        if address in kinds:
            continue
        kinds[address] = address.partition(":")[0]
        origin = _origin(address, decisions, memory)
        for arrow in _arrows_of(
            workspace.index, lookup.edges(address), address, origin
        ):
            arrows[arrow] = None
            file = workspace.index.file(arrow.target)
            if file is not None:
                files[file.path] = file
            elif is_entry_address(arrow.target):
                queue.append(arrow.target)
    return EntryNodes(kinds, files, tuple(arrows), left_out)


def _origin(
    address: str, decisions: Mapping[str, Decision], memory: MemorySnapshot | None
) -> tuple[str, str, str]:
    """Return the edge from an entry to its origin, and the ids of the card and the
    session in which it was made.
    """
    decision = decisions.get(address)
    if decision is not None:
        return "decided_in", decision.card, decision.session
    identity = address.removeprefix("record:")
    if memory is not None and identity in memory.places:
        record = memory.record(memory.places[identity])
        return "recorded_in", "", record.session
    return "", "", ""


def _arrows_of(
    index: Index,
    edges: Iterable[EntryEdge],
    address: str,
    origin: tuple[str, str, str],
) -> Iterator[Arrow]:
    """Yield the edges of an entry, then those to the card and the stored session in
    which it was made.
    """
    for each in edges:
        target = each.target
        if target.kind in ENTRY_KINDS or index.file(target.path) is not None:
            yield Arrow(address, target.path, each.kind)
    edge, card, session = origin
    path = f"{CARDS}/{card}.md"
    if card and index.file(path) is not None:
        yield Arrow(address, path, edge)
    if session and session in index.entries("session", session):
        yield Arrow(address, f"session:{session}", edge)


def _about_places(lookup: LedgerEntries) -> Iterator[str]:
    """Yield the addresses of the attempts and assumptions that name an existing
    place.
    """
    for kind in ("attempt", "assumption"):
        for identity in lookup.entries(kind):
            address = f"{kind}:{identity}"
            if lookup.edges(address):
                yield address


def _choose_records(
    memory: MemorySnapshot | None, linked: Collection[str]
) -> tuple[list[str], int]:
    """Return the addresses of the linked records and of the newest others that mention
    something, oldest first.

    Also returns the number of those left out.
    """
    if memory is None:
        return [], 0
    mentioning: set[int] = set()
    for name in memory.mentions.names():
        place = memory.resolver.of(name)
        is_entry = place is None and name.form in ("session", "decision")
        is_place = place is not None and place.kind != "folder"
        if is_entry or is_place:
            mentioning.update(each.record for each in memory.mentions.of(name))
    shown = []
    unlinked = []
    for identity, at in sorted(memory.places.items(), key=itemgetter(1)):
        address = f"record:{identity}"
        if address in linked:
            shown.append((at, address))
        elif at in mentioning:
            unlinked.append((at, address))
    shown = sorted([*shown, *unlinked[-_MOST:]])
    return [address for _, address in shown], len(unlinked[:-_MOST])
