"""Decision nodes of the workspace graph, with edges to the affected files, the card and the session of each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.app.decisions.decision_repository import decisions_of
from cuedeck.graph.resolve_ref import resolve
from cuedeck.model.diagram import Arrow
from cuedeck.model.file import File, Link
from cuedeck.model.paths import CARDS
from cuedeck.model.scene_values import Target
from cuedeck.records.decision_log import accepted_decisions

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace
    from cuedeck.model.decision import Decision
    from cuedeck.store.index import Index


class DecisionNodes(NamedTuple):
    """Nodes and edges that decisions add to the drawing."""

    addresses: tuple[str, ...]
    """Addresses of the decisions, oldest first."""
    files: dict[str, File]
    """Affected files and the cards in which the decisions were made, by path."""
    arrows: tuple[Arrow, ...]
    sessions: tuple[str, ...]
    """Addresses of the stored sessions in which the decisions were made."""


def find_decisions(workspace: Workspace) -> DecisionNodes:
    """Return the nodes and edges of all decisions that are in force or linked from a file."""
    index = workspace.index
    decisions = decisions_of(workspace)
    in_force = {decision.id for decision in accepted_decisions(decisions)}
    linked = _linked_addresses(index)
    stored_sessions = set(index.entries("session"))
    addresses: list[str] = []
    files: dict[str, File] = {}
    arrows: dict[Arrow, None] = {}
    sessions: dict[str, None] = {}
    for decision in decisions:
        address = f"decision:{decision.id}"
        if decision.id not in in_force and address not in linked:
            continue
        addresses.append(address)
        for file in _affected_files(decision, index):
            files[file.path] = file
            arrows[Arrow(address, file.path, "affects")] = None
        card = index.file(f"{CARDS}/{decision.card}.md") if decision.card else None
        if card is not None:
            files[card.path] = card
            arrows[Arrow(address, card.path, "decided_in")] = None
        if decision.session in stored_sessions:
            session = f"session:{decision.session}"
            sessions[session] = None
            arrows[Arrow(address, session, "decided_in")] = None
    return DecisionNodes(tuple(addresses), files, tuple(arrows), tuple(sessions))


def _affected_files(decision: Decision, index: Index) -> Iterator[File]:
    """Yield the existing files that a decision affects."""
    for address in decision.affects:
        target = resolve(Link(address, 0, "address", "", False), "", index, suggest=False)
        file = index.file(target.path) if isinstance(target, Target) else None
        if file is not None:
            yield file


def _linked_addresses(index: Index) -> set[str]:
    """Return the addresses of the decisions that files link to."""
    addresses: set[str] = set()
    for file in index.files():
        for link in file.links:
            if not link.ref.startswith("decision:"):
                continue
            target = resolve(link, "", index, suggest=False)
            if isinstance(target, Target):
                addresses.add(target.address)
    return addresses
