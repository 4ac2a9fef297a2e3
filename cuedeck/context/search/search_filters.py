"""Search filters by kind of file and by front-matter fields."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.work.cards.list_cards import same_person

if TYPE_CHECKING:
    from cuedeck.model.file import File
    from cuedeck.store.index import Index

_MOST = 2_000
"""Number of best files whose fields are checked; files of lower rank are dropped."""


class Filters(NamedTuple):
    """Conditions on files; an empty condition matches every file."""

    kinds: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    """A file must have at least one of these tags, ignoring case."""
    priority: str = ""
    assignee: str = ""

    def apply(self, index: Index, paths: Sequence[str]) -> list[str]:
        """Return the paths that match all conditions, in the given order."""
        kept = list(paths)
        if self.kinds:
            of_kinds: set[str] = set()
            for kind in self.kinds:
                of_kinds.update(index.paths_of_kind(kind))
            kept = [path for path in kept if path in of_kinds]
        if self.tags or self.priority or self.assignee:
            best = kept[:_MOST]
            kept = [path for path in best if self.matches_fields(index.file(path))]
        return kept

    def matches_fields(self, file: File | None) -> bool:
        """Return whether a file has one of the tags, the priority and the assignee, as
        far as given.
        """
        card = file.card if file is not None else None
        tags = card.tags if card is not None else file.tags if file is not None else ()
        wanted = {tag.casefold() for tag in self.tags}
        if wanted and wanted.isdisjoint(tag.casefold() for tag in tags):
            return False
        if self.priority and (card is None or card.priority != self.priority):
            return False
        if self.assignee:
            return card is not None and same_person(card.assignee, self.assignee)
        return True
