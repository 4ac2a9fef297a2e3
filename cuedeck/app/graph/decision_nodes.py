"""The decisions in a picture of the workspace: what each affects, and the card and the session it was made in."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cuedeck.app.decisions.decision_repository import decisions_of
from cuedeck.graph.resolve_ref import resolve
from cuedeck.model.diagram import Arrow
from cuedeck.model.file import File, Link
from cuedeck.model.paths import CARDS
from cuedeck.model.scene_values import Target
from cuedeck.records.decision_log import standing

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace


class Decided(NamedTuple):
    """What decisions add to a picture."""

    addresses: tuple[str, ...]
    """Of the decisions, oldest first."""
    files: dict[str, File]
    """What they affect."""
    arrows: tuple[Arrow, ...]
    sessions: tuple[str, ...]
    """Addresses of the sessions, still kept here, in which they were made."""


def find_decided(project: Workspace) -> Decided:
    """Return the decisions that a picture has: those a link leads to, and those that stand."""
    stands = {each.id for each in standing(decisions_of(project))}
    addresses: list[str] = []
    files: dict[str, File] = {}
    arrows: list[Arrow] = []
    linked = _linked(project)
    kept, sessions = set(project.index.entries("session")), dict[str, None]()
    for decision in decisions_of(project):
        address = f"decision:{decision.id}"
        if decision.id not in stands and address not in linked:
            continue
        addresses.append(address)
        for place in decision.affects:
            found = resolve(Link(place, 0, "address", "", False), "", project.index, suggest=False)
            file = project.index.file(found.path) if isinstance(found, Target) else None
            if file is not None:
                files[file.path] = file
                arrows.append(Arrow(address, file.path, "affects"))
        card = project.index.file(f"{CARDS}/{decision.card}.md") if decision.card else None
        if card is not None:
            files[card.path] = card
            arrows.append(Arrow(address, card.path, "decided_in"))
        if decision.session in kept:
            sessions[f"session:{decision.session}"] = None
            arrows.append(Arrow(address, f"session:{decision.session}", "decided_in"))
    return Decided(tuple(addresses), files, tuple(dict.fromkeys(arrows)), tuple(sessions))


def _linked(project: Workspace) -> set[str]:
    """Return the addresses of decisions that files link."""
    links = (link for file in project.index.files() for link in file.links if link.ref.startswith("decision:"))
    found = (resolve(link, "", project.index, suggest=False) for link in links)
    return {target.address for target in found if isinstance(target, Target)}
