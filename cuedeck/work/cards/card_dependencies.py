"""Dependencies between cards (`depends_on`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.engine.active_card import cards, find_card, find_card_file
from cuedeck.graph.neighbourhood import find_cycles
from cuedeck.model.errors import Ambiguous, CueDeckError, CycleFound, NotFound
from cuedeck.model.file import CLOSED
from cuedeck.model.formatting import quoted

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.model.file import Card
    from cuedeck.model.ports import Json
    from cuedeck.store.index import Index


class Dependency(NamedTuple):
    """One entry in `depends_on` of a card."""

    path: str
    name: str
    target: str
    """Path of the named card; empty if no card or several cards match."""
    candidates: tuple[str, ...]
    """The matching cards if there are several."""


def dependencies(workspace: Workspace, text: str, *, reverse: bool = False) -> Json:
    """Return the cards that a card depends on, or with `reverse` the cards that depend
    on it.
    """
    workspace.refresh()
    index = workspace.index
    path = find_card(index, text).path
    edges = depends_on_edges(index)
    if reverse:
        edges = [(target, source) for source, target in edges]
    others = sorted(target for source, target in edges if source == path)
    rows = [_row(index, other) for other in others]
    return {"card": path, "reverse": reverse, "cards": rows}


def _row(index: Index, path: str) -> dict[str, str | None]:
    file = index.file(path)
    assert file is not None and file.card is not None
    card = file.card
    return {"id": card.id, "title": card.title, "status": card.status, "path": path}


class Blockers:
    """Finds the open cards on which a card depends, also through other cards."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._entries: dict[str, list[Dependency]] = {}
        for entry in dependencies_of(index):
            self._entries.setdefault(entry.path, []).append(entry)

    def of(self, path: str) -> list[dict[str, str | None]]:
        """Return a row for each open dependency of the card at a path, nearest first.

        A dependency that names no card, or several, counts as open: its row has the
        name as `id`, the status `missing` or `ambiguous`, and no title or path.
        """
        rows: dict[str, Mapping[str, str | None]] = {}
        waiting = [path]
        seen = {path}
        for each in waiting:
            for entry in self._entries.get(each, ()):
                if not entry.target:
                    status = "ambiguous" if entry.candidates else "missing"
                    row = {"id": entry.name, "title": None, "status": status}
                    rows[entry.name] = {**row, "path": None}
                    continue
                row = _row(self._index, entry.target)
                if row["status"] not in CLOSED:
                    rows[entry.target] = row
                if entry.target not in seen:
                    seen.add(entry.target)
                    waiting.append(entry.target)
        return [dict(row) for row in rows.values()]


def new_dependencies(index: Index, path: str, others: Sequence[str]) -> list[str]:
    """Return the ids of the cards `others`, which become dependencies of the card at
    `path`.

    Raises: NotFound or Ambiguous for one of `others`; CycleFound if the dependencies
    would form a cycle.
    """
    if not others:
        return []
    found = [find_card_file(index, other) for other in others]
    edges = depends_on_edges(index)
    edges += [(path, file.path) for file, _ in found]
    cycles = [cycle for cycle in find_dependency_cycles(edges) if path in cycle]
    if cycles:
        message = f"the dependency would close a cycle: {' → '.join(cycles[0])}"
        hint = (
            "choose another card, or remove a dependency of the cycle: "
            "`cuedeck card deps CARD --drop ID`"
        )
        raise CycleFound(message, hint=hint, candidates=cycles[0])
    return [card.id for _, card in found]


def written_dependencies(index: Index, path: str, card: Card, other: str) -> list[str]:
    """Return the entries of `depends_on` that name the card `other`. Raises: NotFound
    if there is none.
    """
    # Compare also the written text: the entry of a deleted card can be removed by it.
    spellings = {other, _path_of(index, other)} - {""}
    names = [
        name
        for name in card.depends_on
        if not spellings.isdisjoint((name, _path_of(index, name)))
    ]
    if not names:
        hint = f"`cuedeck card deps {quoted(card.id)}` lists its dependencies"
        raise NotFound(
            f"{path} does not depend on `{other}`",
            hint=hint,
            candidates=card.depends_on,
        )
    return names


def dependencies_of(index: Index) -> Iterator[Dependency]:
    """Yield the entries of `depends_on` of every card, in order of path and
    position.
    """
    for file in cards(index):
        if file.card is None:
            continue
        for name in file.card.depends_on:
            found = Dependency(file.path, name, "", ())
            try:
                found = found._replace(target=find_card(index, name).path)
            except Ambiguous as error:
                found = found._replace(candidates=error.candidates)
            except CueDeckError:
                pass
            yield found


def depends_on_edges(index: Index) -> list[tuple[str, str]]:
    """Return (path of a card, path of its dependency); entries that match no card or
    several are left out.
    """
    return [
        (entry.path, entry.target) for entry in dependencies_of(index) if entry.target
    ]


def find_dependency_cycles(edges: Sequence[tuple[str, str]]) -> list[tuple[str, ...]]:
    """Return the cycles of `find_cycles`, and each card that depends on itself, as
    closed paths.
    """
    self_loops = {edge for edge in edges if edge[0] == edge[1]}
    return [*find_cycles(edges), *sorted(self_loops)]


def _path_of(index: Index, name: str) -> str:
    try:
        return find_card(index, name).path
    except CueDeckError:
        return ""
