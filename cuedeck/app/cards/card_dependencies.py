"""Dependencies between cards (`depends_on`)."""

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
    """One entry in `depends_on` of a card."""

    path: str
    name: str
    target: str
    """Path of the named card; empty if no card or several cards match."""
    candidates: tuple[str, ...]
    """The matching cards if there are several."""


def dependencies(workspace: Workspace, text: str, *, reverse: bool = False) -> dict[str, Any]:
    """Return the cards that a card depends on, or with `reverse` the cards that depend on it."""
    workspace.refresh()
    path = find_card(workspace, text).path
    edges = depends_on_edges(workspace)
    near = (
        [source for source, target in edges if target == path]
        if reverse
        else [target for source, target in edges if source == path]
    )
    found = [workspace.index.file(each) for each in sorted(near)]
    rows = [
        {"id": each.card.id, "title": each.card.title, "status": each.card.status, "path": each.path}
        for each in found
        if each and each.card
    ]
    return {"card": path, "reverse": reverse, "cards": rows}


def new_dependencies(workspace: Workspace, path: str, others: Sequence[str]) -> list[str]:
    """Return the ids of the cards `others`, which become dependencies of the card at `path`.

    Raises: NotFound or Ambiguous for one of `others`; CycleFound if the dependencies would form a cycle.
    """
    if not others:
        return []
    found = [find_card_file(workspace, other) for other in others]
    edges = [*depends_on_edges(workspace), *((path, file.path) for file, _ in found)]
    cycles = [cycle for cycle in circles(edges) if path in cycle]
    if cycles:
        shown = " → ".join(cycles[0])
        raise CycleFound(
            f"the dependency would close a cycle: {shown}", hint="nothing was changed", candidates=cycles[0]
        )
    return [card.id for _, card in found]


def written_dependencies(workspace: Workspace, path: str, card: Card, other: str) -> list[str]:
    """Return the entries of `depends_on` that name the card `other`. Raises: NotFound if there is none."""
    # Compare also the written text: the entry of a deleted card can be removed by it.
    meant = {other, _path_of(workspace, other)} - {""}
    names = [name for name in card.depends_on if name in meant or _path_of(workspace, name) in meant]
    if not names:
        hint = f"`cuedeck card deps {quoted(card.id)}` lists its dependencies"
        raise NotFound(f"{path} does not depend on `{other}`", hint=hint, candidates=card.depends_on)
    return names


def waits_of(workspace: Workspace) -> Iterator[Wait]:
    """Yield the entries of `depends_on` of every card, in order of path and position."""
    for file in cards(workspace):
        for name in file.card.depends_on if file.card else ():
            try:
                yield Wait(file.path, name, find_card(workspace, name).path, ())
            except CueDeckError as error:
                several = error.candidates if isinstance(error, Ambiguous) else ()
                yield Wait(file.path, name, "", several)


def depends_on_edges(workspace: Workspace) -> list[tuple[str, str]]:
    """Return (path of a card, path of its dependency); entries that match no card or several are left out."""
    return [(wait.path, wait.target) for wait in waits_of(workspace) if wait.target]


def circles(edges: Sequence[tuple[str, str]]) -> list[tuple[str, ...]]:
    """Return the cycles of `find_cycles`, and each card that depends on itself."""
    return [*find_cycles(edges), *sorted({edge for edge in edges if edge[0] == edge[1]})]


def _path_of(workspace: Workspace, name: str) -> str:
    try:
        return find_card(workspace, name).path
    except CueDeckError:
        return ""
