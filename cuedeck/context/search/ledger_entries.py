"""Ledger entries and cortex files as nodes of the graph: the ids of each kind, and the
state, text and edges of one entry.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from cuedeck.context.search.show_entry import entry_text, find_record
from cuedeck.engine.workspace import Workspace
from cuedeck.graph.resolve_ref import whole_file
from cuedeck.knowledge.cortex.cortex_nodes import (
    cortex_ids,
    cortex_node,
    edges_of,
    similar_cortex,
)
from cuedeck.ledger.decisions.attempt_log import read_attempts
from cuedeck.ledger.decisions.decision_log import ancestry, replacement
from cuedeck.ledger.experiences.experience_repository import experiences_in
from cuedeck.ledger.ledger_state import fold
from cuedeck.ledger.mention_index import names_in
from cuedeck.ledger.mention_parser import Reader
from cuedeck.ledger.named_places import address_edges, mentioned_edges
from cuedeck.ledger.records.memory_snapshot import load_memory_snapshot, record_ids
from cuedeck.ledger.statements.statement_files import StatementFiles
from cuedeck.model.assumption import Assumption
from cuedeck.model.decision import REJECTED, SUPERSEDED
from cuedeck.model.entry_node import CORTEX_KIND, EntryEdge, EntryNode, Retired
from cuedeck.model.errors import CueDeckError
from cuedeck.model.memory_record import Record
from cuedeck.model.scene_values import Target
from cuedeck.work.assumptions.load_assumptions import read_assumptions
from cuedeck.work.decisions.decision_repository import decisions_of

Find = Callable[[Workspace, str], Iterable[EntryEdge]]


class LedgerEntries:
    """The ledgers of a workspace; implements `EntryLookup`."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def entries(self, kind: str, start: str = "") -> Sequence[str]:
        """Return the ids of a kind of entry that begin with `start`. Raises:
        StorageError.
        """
        return entry_ids(self._workspace, kind, start)

    def similar_entries(self, address: str) -> Sequence[str]:
        """Return the places of the cortex tree most like one that does not exist."""
        return similar_cortex(self._workspace, address)

    def entry(self, address: str) -> EntryNode | None:
        """Return the entry at an address; None if it cannot be read."""
        return entry_node(self._workspace, address)

    def retired(self, address: str) -> Retired | None:
        """Return why links do not lead to an existing entry; None if they do. Raises:
        StorageError.
        """
        return retired_state(self._workspace, address)


def entry_ids(workspace: Workspace, kind: str, start: str) -> Sequence[str]:
    """Return the ids of a kind of entry that begin with a text, oldest first; none for
    an unknown kind.

    Raises: StorageError.
    """
    if kind == CORTEX_KIND:
        return cortex_ids(workspace, start) if start else ()
    list_ids = _IDS.get(kind)
    if list_ids is None:
        return ()
    ids = list_ids(workspace, start)
    return [each for each in ids if each.startswith(start)]


def retired_state(workspace: Workspace, address: str) -> Retired | None:
    """Return why links do not lead to an existing entry; None if they do. Raises:
    StorageError.
    """
    kind, _, identity = address.partition(":")
    find = _RETIRED.get(kind)
    if find is None:
        return None
    return find(workspace, identity)


def entry_node(workspace: Workspace, address: str) -> EntryNode | None:
    """Return an entry with its text and its edges; None if it cannot be read."""
    kind, _, identity = address.partition(":")
    if kind == CORTEX_KIND:
        return cortex_node(workspace, address)
    try:
        path, line, text = entry_text(workspace, kind, identity)
    except (CueDeckError, LookupError, StopIteration):
        return None
    return EntryNode(path, line, text, entry_edges(workspace, address))


def entry_edges(workspace: Workspace, address: str) -> tuple[EntryEdge, ...]:
    """Return the edges of an existing entry in written order, each target once."""
    kind, _, identity = address.partition(":")
    edges: dict[Target, EntryEdge] = {}
    for edge in _EDGES[kind](workspace, identity):
        edges.setdefault(edge.target, edge)
    return tuple(edges.values())


def _ids_of(ledger: str) -> Callable[[Workspace, str], Iterable[str]]:
    return lambda workspace, start: workspace.ledgers.derive(ledger, fold)


def _assumption_ids(workspace: Workspace, start: str) -> Iterable[str]:
    return [each.id for each in _assumptions(workspace)]


def _experience_ids(workspace: Workspace, start: str) -> Iterable[str]:
    return [each.id for each in experiences_in(workspace)]


def _session_ids(workspace: Workspace, start: str) -> Iterable[str]:
    return workspace.sessions.ids()


def _statement_ids(workspace: Workspace, start: str) -> Iterable[str]:
    return StatementFiles(workspace.paths).ids()


_IDS: Mapping[str, Callable[[Workspace, str], Iterable[str]]] = {
    "decision": _ids_of("decisions"),
    "attempt": _ids_of("attempts"),
    "assumption": _assumption_ids,
    "record": record_ids,
    "experience": _experience_ids,
    "session": _session_ids,
    "statement": _statement_ids,
}


def _retired_decision(workspace: Workspace, identity: str) -> Retired | None:
    decisions = decisions_of(workspace.ledgers)
    decision = next((each for each in decisions if each.id == identity), None)
    if decision is None or decision.status not in (REJECTED, SUPERSEDED):
        return None
    successor = replacement(decision, decisions)
    if successor is None:
        return Retired(decision.status)
    return Retired(decision.status, f"decision:{successor.id}")


def _retired_record(workspace: Workspace, identity: str) -> Retired | None:
    snapshot = load_memory_snapshot(workspace)
    if snapshot is None:
        return None
    if identity in snapshot.replaced:
        successor = snapshot.current_id(identity)
        at = snapshot.places.get(successor)
        if at is None or snapshot.record(at).is_secret:
            return Retired(SUPERSEDED)
        return Retired(SUPERSEDED, f"record:{successor}")
    try:
        is_secret = _record(workspace, identity).is_secret
    except LookupError:  # removed since its id was found
        return None
    return Retired("secret") if is_secret else None


def _retired_experience(workspace: Workspace, identity: str) -> Retired | None:
    for each in experiences_in(workspace):
        if each.id == identity and each.is_secret:
            return Retired("secret")
    return None


_RETIRED: Mapping[str, Callable[[Workspace, str], Retired | None]] = {
    "decision": _retired_decision,
    "record": _retired_record,
    "experience": _retired_experience,
}
"""Functions that return why links do not lead to an entry; links lead to every entry of
the other kinds.
"""


def _of_decision(workspace: Workspace, identity: str) -> Iterator[EntryEdge]:
    """Yield the places that a decision affects, then those that it inherits from the
    decisions it superseded.
    """
    decisions = decisions_of(workspace.ledgers)
    decision = next(each for each in decisions if each.id == identity)
    for each in (decision, *ancestry(decisions)[identity]):
        yield from address_edges(workspace, "affects", each.affects)


def _of_attempt(workspace: Workspace, identity: str) -> Iterator[EntryEdge]:
    for each in workspace.ledgers.derive("attempts", read_attempts):
        if each.id == identity:
            yield from address_edges(workspace, "on", each.on)


def _of_assumption(workspace: Workspace, identity: str) -> Iterator[EntryEdge]:
    for each in _assumptions(workspace):
        if each.id == identity:
            yield from address_edges(workspace, "affects", each.affects)


def _of_record(workspace: Workspace, identity: str) -> Iterator[EntryEdge]:
    record = _record(workspace, identity)
    names = (name for name, _ in names_in(record, Reader()))
    yield from mentioned_edges(workspace, names)


def _of_experience(workspace: Workspace, identity: str) -> Iterator[EntryEdge]:
    for each in experiences_in(workspace):
        if each.id == identity:
            yield from mentioned_edges(workspace, Reader().read(each.text))


def _of_session(workspace: Workspace, identity: str) -> Iterator[EntryEdge]:
    """Yield the files that a session used and that still exist, in the order in which
    they were first used.
    """
    session = workspace.sessions.load(identity).session
    if session is None:
        return
    for path, used in session.working_set.items():
        file = workspace.index.file(path)
        if file is None:
            continue
        kind = "read" if used.role == "read" else "wrote"
        yield EntryEdge(kind, whole_file(file))


def _of_statement(workspace: Workspace, identity: str) -> Iterator[EntryEdge]:
    _, row = StatementFiles(workspace.paths).find(identity)
    yield from mentioned_edges(workspace, Reader().read(str(row.value["text"])))


def _of_cortex(workspace: Workspace, identity: str) -> Iterator[EntryEdge]:
    return edges_of(workspace, f"{CORTEX_KIND}:{identity}")


def _assumptions(workspace: Workspace) -> Sequence[Assumption]:
    found = read_assumptions(workspace)
    if found is None:
        return ()
    return found.items


def _record(workspace: Workspace, identity: str) -> Record:
    """Return the first record with an id; MEMORY.md is not parsed as a whole. Raises:
    LookupError if there is none.
    """
    snapshot = load_memory_snapshot(workspace)
    at = None
    if snapshot is not None:
        at = snapshot.places.get(identity)
    if snapshot is not None and at is not None:
        return snapshot.record(at)
    return find_record(workspace, identity)[0]


_EDGES: Mapping[str, Find] = {
    "decision": _of_decision,
    "attempt": _of_attempt,
    "assumption": _of_assumption,
    "record": _of_record,
    "experience": _of_experience,
    "session": _of_session,
    "statement": _of_statement,
    CORTEX_KIND: _of_cortex,
}
