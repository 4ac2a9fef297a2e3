"""Kind of the experiences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cuedeck.ledger.entry_source import EntrySource, Shown
from cuedeck.ledger.experiences.experience_repository import answer_of, experiences_in
from cuedeck.ledger.mention_parser import Reader
from cuedeck.ledger.named_places import mentioned_edges
from cuedeck.model.entry_node import EntryEdge, Retired
from cuedeck.model.errors import Invalid
from cuedeck.model.experience import Experience
from cuedeck.model.paths import ledger_path
from cuedeck.model.recall_values import Unit


class ExperienceSource(EntrySource[Experience]):
    """Access to the experiences of the primary memory."""

    def entries(self) -> Sequence[Experience]:
        return experiences_in(self.workspace)

    def shown(self, value: Experience) -> Shown:
        if value.is_secret:
            message = f"experience `{value.id}` has the sensitivity secret"
            raise Invalid(message, hint=f"its source is record:{value.record}")
        return Shown(
            ledger_path("experiences"),
            value.line,
            answer_of(value),
        )

    def edges(self, value: Experience) -> Iterator[EntryEdge]:
        return mentioned_edges(self.workspace, Reader().read(value.text))

    def retired(self, identity: str) -> Retired | None:
        return Retired("secret") if self.find(identity).is_secret else None

    def units(self) -> Iterator[Unit]:
        for each in self.entries():
            if not each.is_secret:
                yield Unit(
                    "experience",
                    each.line,
                    each.line,
                    each.text,
                    id=each.id,
                    date=each.timestamp,
                    session=each.session,
                    category=each.category,
                )
