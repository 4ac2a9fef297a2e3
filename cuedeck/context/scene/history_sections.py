"""Sections of a scene that git history fills: precedents and companions."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cuedeck.context.ranking.companions import Companion, find_companions
from cuedeck.context.ranking.precedents import Precedent, find_precedents
from cuedeck.context.scene.companions_section import fit_companions
from cuedeck.context.scene.ledger_blocks import Fitted
from cuedeck.context.scene.precedents_section import fit_precedents

if TYPE_CHECKING:
    from cuedeck.context.scene.related_files import RelatedFiles
    from cuedeck.model.ports import Count, Lookup, Texts
    from cuedeck.parse.secrets.mask import Mask


@dataclass(frozen=True, slots=True)
class HistorySections:
    """Precedents and companions of a task; implements `History` of the renderer."""

    found_precedents: Sequence[Precedent]
    found_companions: Sequence[Companion]
    mask: Mask
    count: Count

    def precedents(self, room: int) -> Fitted:
        """Return the section of the precedents for `room` tokens."""
        return fit_precedents(self.found_precedents, room, self.mask, self.count)

    def reserve(self, room: int) -> int:
        """Return the part of `room` tokens that the companions may need."""
        return room if self.found_companions else 0

    def companions(self, room: int, shown: Collection[str]) -> Fitted:
        """Return the section of the companions that are not `shown`, for `room`
        tokens.
        """
        return fit_companions(self.found_companions, room, self.mask, self.count, shown)

    def fingerprint(self, lookup: Lookup) -> Sequence[object]:
        """Return the inputs of both sections, for the receipt."""
        precedents = [
            [
                each.id,
                each.subject,
                [
                    [file.path, lookup.hash(file.path), file.spans, file.key]
                    for file in each.files
                ],
            ]
            for each in self.found_precedents
        ]
        companions = [
            [each.path, lookup.hash(each.path), each.times, each.scope, each.line]
            for each in self.found_companions
        ]
        return [precedents, companions]


def history_sections(
    ranked: RelatedFiles, texts: Texts, mask: Mask, count: Count
) -> HistorySections:
    """Return the precedents and companions of a ranked task."""
    precedents = find_precedents(ranked.context, ranked.ranking, texts)
    companions = find_companions(ranked.context, ranked.ranking, texts)
    return HistorySections(precedents, companions, mask, count)
