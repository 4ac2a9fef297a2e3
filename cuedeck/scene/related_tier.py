"""The related tier: candidates put on the page within what the budget leaves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from cuedeck.model.ports import Count, Texts
from cuedeck.model.scene_values import Shown, Visit
from cuedeck.ranking.candidates import CandidatePool, build_candidates
from cuedeck.ranking.line_pieces import NODE_TOKENS
from cuedeck.ranking.passages import open_parts
from cuedeck.ranking.rank_files import Ranking
from cuedeck.ranking.signal_scores import RankingContext
from cuedeck.scene.related_node import RelatedRenderer

OPENING = "## Related\n\n> Nobody linked these; words, names, imports and history did. `9…` stands for 9 lines.\n\n"


class RelatedTier:
    """Chooses what of the candidates is shown; made for one scene."""

    def __init__(
        self, ground: RankingContext, ranking: Ranking, texts: Texts, count: Count, page: RelatedRenderer
    ) -> None:
        self._ground = ground
        self.ranking = ranking
        self._texts = texts
        self._count = count
        self._page = page

    @property
    def looked_at(self) -> Sequence[str]:
        """Paths of the candidates, on which the tier depends, in order."""
        return sorted(each.path for each in self.ranking.candidates)

    @property
    def proof(self) -> Sequence[object]:
        """What decided about the tier beside the texts of its candidates, for the receipt."""
        commits = self._ground.commits
        said = [[each.path, each.score, each.why] for each in self.ranking.candidates]
        return [commits[0].id if commits else "", said]

    def opened(self, visit: Visit, tokens: int) -> Visit:
        """Return a visit to a long text with the parts that the query points at, within `tokens`."""
        words = self._ground.corpus.words(visit.path)
        if words is None or tokens <= 0:
            return visit
        lines = self._texts.text(visit.path).split("\n")
        parts = open_parts(self._ground, visit.path, words, self.ranking.past, lines, tokens)
        return replace(visit, parts=tuple(sorted({*visit.parts, *parts})))

    def show(self, room: int) -> tuple[Shown, ...]:
        """Return the related visits for `room` tokens, best first; the section's opening is in the room."""
        room -= self._count.count(OPENING)
        return self._stock().show(self._page, room) if room >= NODE_TOKENS else ()

    def needs(self, most: int) -> int:
        """Return how many of `most` tokens it can fill, the section's opening included."""
        opening = self._count.count(OPENING)
        if most - opening < NODE_TOKENS:
            return 0
        # A page for another room than that of the scene takes the place of the one that is kept.
        if self._stock().is_plenty(most):
            return most
        shown = self.show(most)
        return opening + sum(each.tokens for each in shown) if shown else 0

    def _stock(self) -> CandidatePool:
        warm = self._ground.warm
        warm.stock = build_candidates(self._ground, self.ranking, self._texts, warm.stock)
        return warm.stock
