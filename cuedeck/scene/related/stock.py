"""What may be shown of the candidates of one ranking: their texts, their chunks by likelihood, their pieces."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from cuedeck.model.ports import Texts
from cuedeck.model.words import Chunk
from cuedeck.scene.related.choice import Sized, estimate, order_chunks, pieces, sure_files, telling_line
from cuedeck.scene.related.evidence import Ground
from cuedeck.scene.related.ladder import Ladder
from cuedeck.scene.related.ranking import Candidate, Ranking


@dataclass(slots=True)
class Stock:
    """Kept as long as its ranking: while that holds, no candidate changed."""

    ranking: Ranking
    files: Sequence[Sized]
    chunks: Mapping[str, Sequence[Chunk]]
    """By path; the likeliest first."""
    _ladders: dict[int, Ladder] = field(default_factory=dict)

    def ladder(self, room: int) -> Ladder:
        """Return the pieces from which `room` tokens are filled."""
        sure = sure_files(room)
        if sure not in self._ladders:
            self._ladders[sure] = Ladder(self.files, pieces(self.files, self.chunks, sure))
        return self._ladders[sure]


def take_stock(ground: Ground, ranking: Ranking, texts: Texts) -> Stock:
    """Return what may be shown of the candidates that have any text."""
    sums = {each.path: ground.corpus.sums(each.path) for each in ranking.candidates}
    spread = Counter(sum_ for each in sums.values() for sum_ in dict.fromkeys(each))
    files: list[Sized] = []
    chunks: dict[str, Sequence[Chunk]] = {}
    for candidate in ranking.candidates:
        path = candidate.path
        words = ground.corpus.words(path)
        sized = _size(ground, candidate, texts)
        if words is not None and words.chunks and sized is not None:
            chunks[path] = [words.chunks[at] for at in order_chunks(ground, path, words, ranking.past)]
            often = [spread[sum_] if sum_ else 0 for sum_ in sums[path]]
            files.append(replace(sized, telling=telling_line(ground, chunks[path][0], sized.lines, often)))
    return Stock(ranking, files, chunks)


def _size(ground: Ground, candidate: Candidate, texts: Texts) -> Sized | None:
    file = ground.lookup.file(candidate.path)
    if file is None or not file.lines:
        return None
    lines = texts.text(candidate.path).split("\n")[: file.lines]
    return Sized(candidate, file.kind, lines, [estimate(line) for line in lines])
