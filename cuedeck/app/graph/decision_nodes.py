"""Decision nodes of the workspace graph, with edges to the affected files, the card and the session of each."""

from __future__ import annotations

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


class Decided(NamedTuple):
    """Nodes and edges that decisions add to the drawing."""

    addresses: tuple[str, ...]
    """Addresses of the decisions, oldest first."""
    files: dict[str, File]
    """Affected files and the cards in which the decisions were made, by path."""
    arrows: tuple[Arrow, ...]
    sessions: tuple[str, ...]
    """Addresses of the stored sessions in which the decisions were made."""


def find_decided(workspace: Workspace) -> Decided:
    """Return the nodes and edges of all decisions that are in force or linked from a file."""
    stands = {each.id for each in accepted_decisions(decisions_of(workspace))}
    addresses: list[str] = []
    files: dict[str, File] = {}
    arrows: list[Arrow] = []
    linked = _linked(workspace)
    kept, sessions = set(workspace.index.entries("session")), dict[str, None]()
    for decision in decisions_of(workspace):
        address = f"decision:{decision.id}"
        if decision.id not in stands and address not in linked:
            continue
        addresses.append(address)
        for place in decision.affects:
            found = resolve(Link(place, 0, "address", "", False), "", workspace.index, suggest=False)
            file = workspace.index.file(found.path) if isinstance(found, Target) else None
            if file is not None:
                files[file.path] = file
                arrows.append(Arrow(address, file.path, "affects"))
        card = workspace.index.file(f"{CARDS}/{decision.card}.md") if decision.card else None
        if card is not None:
            files[card.path] = card
            arrows.append(Arrow(address, card.path, "decided_in"))
        if decision.session in kept:
            sessions[f"session:{decision.session}"] = None
            arrows.append(Arrow(address, f"session:{decision.session}", "decided_in"))
    return Decided(tuple(addresses), files, tuple(dict.fromkeys(arrows)), tuple(sessions))


def _linked(workspace: Workspace) -> set[str]:
    """Return the addresses of the decisions that files link to."""
    links = (link for file in workspace.index.files() for link in file.links if link.ref.startswith("decision:"))
    found = (resolve(link, "", workspace.index, suggest=False) for link in links)
    return {target.address for target in found if isinstance(target, Target)}
