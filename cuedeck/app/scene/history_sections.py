"""Sections of a scene that git history fills: precedents and companions."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cuedeck.scene.ledger_blocks import Fitted

if TYPE_CHECKING:
    from cuedeck.app.scene.related_files import RelatedFiles
    from cuedeck.model.ports import Count, Lookup, Texts
    from cuedeck.ranking.companions import Companion
    from cuedeck.ranking.precedents import Precedent
    from cuedeck.scene.mask import Mask

_NO_HISTORY = "> No git history: no precedents and no companions.\n\n"


@dataclass(frozen=True, slots=True)
class HistorySections:
    """Precedents and companions of a task; implements `History` of the renderer."""

    found_precedents: Sequence[Precedent]
    found_companions: Sequence[Companion]
    mask: Mask
    count: Count

    def precedents(self, room: int) -> Fitted:
        """Return the section of the precedents for `room` tokens."""
        from cuedeck.scene.precedents_section import fit_precedents

        return fit_precedents(self.found_precedents, room, self.mask, self.count)

    def companions(self, room: int, shown: Collection[str]) -> Fitted:
        """Return the section of the companions that are not `shown`, for `room` tokens."""
        from cuedeck.scene.companions_section import fit_companions

        return fit_companions(self.found_companions, room, self.mask, self.count, shown)

    def fingerprint(self, lookup: Lookup) -> Sequence[object]:
        """Return the inputs of both sections, for the receipt."""
        precedents = [
            [each.id, each.subject, [[file.path, lookup.hash(file.path), file.spans, file.key] for file in each.files]]
            for each in self.found_precedents
        ]
        companions = [
            [each.path, lookup.hash(each.path), each.times, each.scope, each.line] for each in self.found_companions
        ]
        return [precedents, companions]


@dataclass(frozen=True, slots=True)
class NoHistory:
    """The note that replaces both sections where git has no commits; implements `History` of the renderer."""

    count: Count

    def precedents(self, room: int) -> Fitted:
        """Return the note if it fits in `room` tokens."""
        tokens = self.count.count(_NO_HISTORY)
        return Fitted("precedents", _NO_HISTORY, tokens, tokens) if tokens <= room else Fitted("precedents", "", 0, 0)

    def companions(self, room: int, shown: Collection[str]) -> Fitted:
        """Return an empty section."""
        return Fitted("companions", "", 0, 0)

    def fingerprint(self, lookup: Lookup) -> Sequence[object]:
        """Return the inputs of the note, for the receipt."""
        return []


def history_of(ranked: RelatedFiles, texts: Texts, mask: Mask, count: Count) -> HistorySections | NoHistory:
    """Return the precedents and companions of a ranked task."""
    if not ranked.context.commits:
        return NoHistory(count)
    from cuedeck.ranking.companions import find_companions
    from cuedeck.ranking.precedents import find_precedents

    precedents = find_precedents(ranked.context, ranked.ranking, texts)
    companions = find_companions(ranked.context, ranked.ranking, texts)
    return HistorySections(precedents, companions, mask, count)
