"""The related tier of a scene: candidates rendered within the remaining budget."""

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
    """Chooses the text shown of the candidates; built for one scene."""

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
        """Sorted paths of the candidates, on which the tier depends."""
        return sorted(each.path for each in self.ranking.candidates)

    @property
    def proof(self) -> Sequence[object]:
        """Inputs of the tier other than the texts of its candidates, for the receipt."""
        commits = self._ground.commits
        said = [[each.path, each.score, each.why] for each in self.ranking.candidates]
        return [commits[0].id if commits else "", said]

    def opened(self, visit: Visit, tokens: int) -> Visit:
        """Return a visit of a long text with the parts that match the query added, within `tokens`."""
        words = self._ground.corpus.words(visit.path)
        if words is None or tokens <= 0:
            return visit
        lines = self._texts.text(visit.path).split("\n")
        parts = open_parts(self._ground, visit.path, words, self.ranking.past, lines, tokens)
        return replace(visit, parts=tuple(sorted({*visit.parts, *parts})))

    def show(self, room: int) -> tuple[Shown, ...]:
        """Return the related visits for `room` tokens, best first; the room includes the opening of the section."""
        room -= self._count.count(OPENING)
        return self._stock().show(self._page, room) if room >= NODE_TOKENS else ()

    def needs(self, most: int) -> int:
        """Return the part of `most` tokens that the tier can fill, including the opening of the section."""
        opening = self._count.count(OPENING)
        if most - opening < NODE_TOKENS:
            return 0
        # Rendering for another room would replace the cached result, so the estimate is tried first.
        if self._stock().is_plenty(most):
            return most
        shown = self.show(most)
        return opening + sum(each.tokens for each in shown) if shown else 0

    def _stock(self) -> CandidatePool:
        warm = self._ground.warm
        warm.stock = build_candidates(self._ground, self.ranking, self._texts, warm.stock)
        return warm.stock
