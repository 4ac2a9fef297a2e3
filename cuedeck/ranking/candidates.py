"""Candidate pool: the text, chunks and priced lines of the ranked files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from cuedeck.model.chunk import Chunk
from cuedeck.model.ports import Texts
from cuedeck.model.scene_values import Shown
from cuedeck.ranking.line_pieces import PricedFile, estimate, pieces, sure_files
from cuedeck.ranking.packing import PriceLevels, Spans, fit
from cuedeck.ranking.passages import order_chunks, telling_line
from cuedeck.ranking.rank_files import Candidate, Ranking
from cuedeck.ranking.signal_scores import RankingContext


class NodeRenderer(Protocol):
    """Renders the chosen lines of a file as a node of the scene."""

    @property
    def depends(self) -> object:
        """All inputs of a node except the file itself; equal values give equal nodes."""
        ...

    def node(self, sized: PricedFile, spans: Spans) -> Shown:
        """Return the node of a file with these lines."""
        ...

    def is_of_one_scene(self, shown: Shown) -> bool:
        """Return whether the node contains a numbered secret, so that no other scene may reuse it."""
        ...


class Item(NamedTuple):
    """A candidate that contains text."""

    text: str
    often: Sequence[int]
    """For each line, the number of candidates that contain it."""
    sized: PricedFile
    chunks: Sequence[Chunk]
    """Chunks, most likely first."""


_PLENTY = 2.0
"""Safety factor, because token costs are estimates: candidates of more than this multiple of the room never fit."""


@dataclass(slots=True)
class CandidatePool:
    """The candidates of one ranking; reusable while the ranking holds and no candidate changes."""

    ranking: Ranking
    items: Mapping[str, Item]
    """Items by path, best first."""
    _ladders: dict[int, PriceLevels] = field(default_factory=dict)
    _page: tuple[object, tuple[Shown, ...]] | None = None

    def show(self, renderer: NodeRenderer, room: int) -> tuple[Shown, ...]:
        """Return the rendered files that fit in `room` tokens."""
        asked = (renderer.depends, room)
        if self._page is not None and self._page[0] == asked:
            return self._page[1]
        shown = fit(self.ladder(room), renderer.node, room)
        self._page = None if any(map(renderer.is_of_one_scene, shown)) else (asked, shown)
        return shown

    def is_plenty(self, room: int) -> bool:
        """Return whether the candidates certainly exceed `room` tokens, without rendering them."""
        return sum(sum(each.sized.costs) for each in self.items.values()) > _PLENTY * room

    def ladder(self, room: int) -> PriceLevels:
        """Return the pieces by price for `room` tokens."""
        sure = sure_files(room)
        if sure not in self._ladders:
            files = [each.sized for each in self.items.values()]
            chunks = {path: each.chunks for path, each in self.items.items()}
            self._ladders[sure] = PriceLevels(files, pieces(files, chunks, sure))
        return self._ladders[sure]


def build_candidates(
    ground: RankingContext, ranking: Ranking, texts: Texts, kept: CandidatePool | None
) -> CandidatePool:
    """Return the pool of candidates that contain text.

    Items of the earlier pool `kept` are reused if their ranking and lines are unchanged.
    """
    known = kept.items if kept is not None and kept.ranking is ranking else {}
    skipped = copies(ground, ranking)
    paths = (each.path for each in ranking.candidates if each.path not in skipped)
    said = {path: texts.text(path) for path in paths if _has_text(ground, path)}
    if kept is not None and known and said == {path: item.text for path, item in known.items()}:
        return kept
    sums = {path: ground.corpus.sums(path) for path in said}
    spread = Counter(sum_ for each in sums.values() for sum_ in dict.fromkeys(each))
    items: dict[str, Item] = {}
    for candidate in ranking.candidates:
        path = candidate.path
        if path not in said:
            continue
        often = [spread[sum_] if sum_ else 0 for sum_ in sums[path]]
        item = known.get(path)
        if item is None or (item.text, item.often) != (said[path], often):
            item = _item(ground, candidate, ranking, said[path], often)
        items[path] = item
    return CandidatePool(ranking, items)


def copies(ground: RankingContext, ranking: Ranking) -> Mapping[str, str]:
    """Return the candidates with the same content as a shown file or a better candidate, each with that file's path.

    Examples are symbolic links and copied files.
    """
    read = (path for path in sorted(ground.query.shown) if ground.lookup.file(path) is not None)
    first: dict[str, str] = {}
    found: dict[str, str] = {}
    for path in (*read, *(each.path for each in ranking.candidates)):
        original = first.setdefault(ground.lookup.hash(path), path)
        if path not in ground.query.shown and original != path:
            found[path] = original
    return found


def _has_text(ground: RankingContext, path: str) -> bool:
    file, words = ground.lookup.file(path), ground.corpus.words(path)
    return file is not None and bool(file.lines) and words is not None and bool(words.chunks)


def _item(ground: RankingContext, candidate: Candidate, ranking: Ranking, text: str, often: Sequence[int]) -> Item:
    file, words = ground.lookup.file(candidate.path), ground.corpus.words(candidate.path)
    assert file is not None
    assert words is not None
    lines = text.split("\n")[: file.lines]
    chunks = [words.chunks[at] for at in order_chunks(ground, candidate.path, words, ranking.past)]
    telling = telling_line(ground, chunks[0], lines, often)
    return Item(
        text, often, PricedFile(candidate, file.kind, lines, [estimate(line) for line in lines], telling), chunks
    )
