"""Search filters by kind of file and by front-matter fields."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.app.cards.list_cards import same_person

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace
    from cuedeck.model.file import File

_MOST = 2_000
"""Number of best files whose fields are checked; files of lower rank are dropped."""


class Filters(NamedTuple):
    """Conditions on files; an empty condition matches every file."""

    kinds: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    """A file must have at least one of these tags, ignoring case."""
    priority: str = ""
    assignee: str = ""

    def let_through(self, workspace: Workspace, paths: Sequence[str]) -> list[str]:
        """Return the paths that match all conditions, in the given order."""
        if self.kinds:
            known = {path for kind in self.kinds for path in workspace.index.paths_of_kind(kind)}
            paths = [path for path in paths if path in known]
        if self.tags or self.priority or self.assignee:
            paths = [path for path in paths[:_MOST] if all(self._conditions(workspace.index.file(path)))]
        return list(paths)

    def _conditions(self, file: File | None) -> Iterator[bool]:
        card = file.card if file is not None else None
        if self.tags:
            carried = card.tags if card else file.tags if file is not None else ()
            yield not {tag.casefold() for tag in self.tags}.isdisjoint(tag.casefold() for tag in carried)
        if self.priority:
            yield card is not None and card.priority == self.priority
        if self.assignee:
            yield card is not None and same_person(card.assignee, self.assignee)
