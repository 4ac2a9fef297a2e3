"""Which card waits for which."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from cuedeck.app.cards.active_card import cards, find_card, find_card_file
from cuedeck.graph.cycles import find_cycles
from cuedeck.model.display import quoted
from cuedeck.model.errors import Ambiguous, CueDeckError, CycleFound, NotFound

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace
    from cuedeck.model.file import Card


class Wait(NamedTuple):
    """One name in `depends_on` of a card."""

    path: str
    name: str
    target: str
    """Path of the card that is meant; empty when there is none, or several."""
    candidates: tuple[str, ...]
    """The cards it fits when there are several."""


def dependencies(project: Workspace, text: str, *, reverse: bool = False) -> dict[str, Any]:
    """Return the cards that a card waits for, or with `reverse` those that wait for it."""
    project.refresh()
    path = find_card(project, text).path
    edges = depends_on_edges(project)
    near = (
        [source for source, target in edges if target == path]
        if reverse
        else [target for source, target in edges if source == path]
    )
    found = [project.index.file(each) for each in sorted(near)]
    rows = [
        {"id": each.card.id, "title": each.card.title, "status": each.card.status, "path": each.path}
        for each in found
        if each and each.card
    ]
    return {"card": path, "reverse": reverse, "cards": rows}


def new_dependencies(project: Workspace, path: str, others: Sequence[str]) -> list[str]:
    """Return the ids of the cards that the one at a path is to wait for as well.

    Raises: NotFound or Ambiguous for such a card, CycleFound when cards would wait for each other.
    """
    if not others:
        return []
    found = [find_card_file(project, other) for other in others]
    edges = [*depends_on_edges(project), *((path, file.path) for file, _ in found)]
    cycles = [cycle for cycle in circles(edges) if path in cycle]
    if cycles:
        shown = " → ".join(cycles[0])
        raise CycleFound(
            f"the dependency would close a cycle: {shown}", hint="nothing was changed", candidates=cycles[0]
        )
    return [card.id for _, card in found]


def written_dependencies(project: Workspace, path: str, card: Card, other: str) -> list[str]:
    """Return how a card names another one it waits for. Raises: NotFound when it does not wait for it."""
    # A name that fits no card any more can be dropped as it is written.
    meant = {other, _path_of(project, other)} - {""}
    names = [name for name in card.depends_on if name in meant or _path_of(project, name) in meant]
    if not names:
        hint = f"`cuedeck card deps {quoted(card.id)}` lists its dependencies"
        raise NotFound(f"{path} does not depend on `{other}`", hint=hint, candidates=card.depends_on)
    return names


def waits_of(project: Workspace) -> Iterator[Wait]:
    """Yield what stands in `depends_on` of every card, by path, in written order."""
    for file in cards(project):
        for name in file.card.depends_on if file.card else ():
            try:
                yield Wait(file.path, name, find_card(project, name).path, ())
            except CueDeckError as error:
                several = error.candidates if isinstance(error, Ambiguous) else ()
                yield Wait(file.path, name, "", several)


def depends_on_edges(project: Workspace) -> list[tuple[str, str]]:
    """Return (card, card it waits for) by path; what names no card, or several, is left out."""
    return [(wait.path, wait.target) for wait in waits_of(project) if wait.target]


def circles(edges: Sequence[tuple[str, str]]) -> list[tuple[str, ...]]:
    """Return every circle; for cards, one that waits for itself is one too."""
    return [*find_cycles(edges), *sorted({edge for edge in edges if edge[0] == edge[1]})]


def _path_of(project: Workspace, name: str) -> str:
    try:
        return find_card(project, name).path
    except CueDeckError:
        return ""
