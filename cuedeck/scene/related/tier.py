"""The related tier: candidates put on the page within what the budget leaves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from cuedeck.model.ports import Count, Texts
from cuedeck.model.scene import Shown, Visit
from cuedeck.model.words import Chunk
from cuedeck.scene.related.choice import NODE_TOKENS, Sized, estimate, open_parts, order_chunks, pieces, telling_line
from cuedeck.scene.related.evidence import Ground
from cuedeck.scene.related.fitting import fit
from cuedeck.scene.related.page import Page
from cuedeck.scene.related.ranking import Candidate, Ranking

OPENING = "## Related\n\n> Nobody linked these; words, names, imports and history did. `…9` stands for 9 lines.\n\n"


class RelatedTier:
    """Chooses what of the candidates is shown; made for one scene."""

    def __init__(self, ground: Ground, ranking: Ranking, texts: Texts, count: Count, page: Page) -> None:
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
        parts = open_parts(self._ground, visit.path, words, self.ranking.lines, lines, tokens)
        return replace(visit, parts=tuple(sorted({*visit.parts, *parts})))

    def show(self, room: int) -> tuple[Shown, ...]:
        """Return the related visits for `room` tokens, best first; the section's opening is in the room."""
        room -= self._count.count(OPENING)
        if room < NODE_TOKENS:
            return ()
        files: list[Sized] = []
        chunks: dict[str, Sequence[Chunk]] = {}
        orders: dict[str, Sequence[int]] = {}
        for candidate in self.ranking.candidates:
            words = self._ground.corpus.words(candidate.path)
            sized = self._size(candidate)
            if words is not None and words.chunks and sized is not None:
                order = order_chunks(self._ground, candidate.path, words, self.ranking.lines)
                telling = telling_line(self._ground, words.chunks[order[0]], sized.lines)
                files.append(replace(sized, telling=telling))
                chunks[candidate.path], orders[candidate.path] = words.chunks, order
        return fit(files, pieces(files, orders, chunks, room), self._page.node, room)

    def _size(self, candidate: Candidate) -> Sized | None:
        file = self._ground.lookup.file(candidate.path)
        if file is None or not file.lines:
            return None
        lines = self._texts.text(candidate.path).split("\n")[: file.lines]
        return Sized(candidate, file.kind, lines, [estimate(line) for line in lines])
