"""Candidate pool: the text, chunks and priced lines of the ranked files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from cuedeck.context.ranking.chunk_scores import (
    distinctive_line,
    identifier_points,
    order_chunks,
)
from cuedeck.context.ranking.line_pieces import (
    STOP,
    STOP_WITHOUT_LINKS,
    PricedFile,
    estimate,
    pieces,
    short_definitions,
)
from cuedeck.context.ranking.packing import PriceLevels
from cuedeck.context.ranking.rank_files import Candidate, Ranking
from cuedeck.context.ranking.signal_scores import RankingContext
from cuedeck.model.file import Chunk, Words
from cuedeck.model.ports import Texts


@dataclass(frozen=True, slots=True, eq=False)
class CandidatePool:
    """The candidates of one ranking that contain text, best first."""

    files: Sequence[PricedFile]
    levels: PriceLevels
    """The pieces of all files by price."""

    def listed(self, shown: Collection[str], most: int) -> Sequence[PricedFile]:
        """Return the best `most` files that are not in `shown`."""
        return [each for each in self.files if each.candidate.path not in shown][:most]


def candidate_pool(
    context: RankingContext, ranking: Ranking, texts: Texts
) -> CandidatePool:
    """Return the candidates that contain text, from the memo if neither the ranking nor
    a candidate changed.
    """
    skipped = copies(context, ranking)
    shown = [
        each
        for each in ranking.candidates
        if each.path not in skipped and _has_text(context, each.path)
    ]
    inputs = (ranking, [(each.path, context.lookup.hash(each.path)) for each in shown])
    return context.memo.get(
        "candidates",
        "",
        inputs,
        lambda: _read_candidates(context, ranking, shown, texts),
    )


def _read_candidates(
    context: RankingContext, ranking: Ranking, shown: Sequence[Candidate], texts: Texts
) -> CandidatePool:
    sums = {each.path: context.corpus.sums(each.path) for each in shown}
    spread = Counter(sum_ for each in sums.values() for sum_ in dict.fromkeys(each))
    files: list[PricedFile] = []
    chunks: dict[str, Sequence[Chunk]] = {}
    for candidate in shown:
        path = candidate.path
        file, words = context.lookup.file(path), context.corpus.words(path)
        assert file is not None
        assert words is not None
        lines = texts.text(path).split("\n")[: file.lines]
        ordered = [
            words.chunks[at]
            for at in order_chunks(context, path, words, ranking.history)
        ]
        often = [spread[sum_] if sum_ else 0 for sum_ in sums[path]]
        distinctive = distinctive_line(context, ordered[0], lines, often)
        costs = [estimate(line) for line in lines]
        line = distinctive or _likely_line(lines, ordered)
        content = context.lookup.hash(path)
        files.append(
            PricedFile(
                candidate,
                file.kind,
                content,
                lines,
                costs,
                line,
                named=_named_chunks(context, words),
                definitions=short_definitions(file),
            )
        )
        chunks[path] = ordered
    stop = STOP if context.query.sources else STOP_WITHOUT_LINKS
    levels = PriceLevels(files, pieces(files, chunks), stop)
    return CandidatePool(files, levels)


def _named_chunks(context: RankingContext, words: Words) -> frozenset[int]:
    """Return the first lines of the chunks that contain a rare identifier of the
    task.
    """
    points = identifier_points(context, words)
    return frozenset(words.chunks[at].start for at in points)


def _likely_line(lines: Sequence[str], ordered: Sequence[Chunk]) -> int:
    """Return the signature or the first text of the likeliest chunk that is not
    blank.
    """
    for chunk in ordered:
        numbers = range(chunk.start, min(chunk.end, len(lines)) + 1)
        line = chunk.head or next(
            (number for number in numbers if lines[number - 1].strip()), 0
        )
        if line:
            return line
    return 1


def copies(context: RankingContext, ranking: Ranking) -> Mapping[str, str]:
    """Return the candidates with the same content as a shown file or a better
    candidate, each with that file's path.

    Examples are symbolic links and copied files.
    """
    read = (
        path
        for path in sorted(context.query.shown)
        if context.lookup.file(path) is not None
    )
    first: dict[str, str] = {}
    found: dict[str, str] = {}
    for path in (*read, *(each.path for each in ranking.candidates)):
        original = first.setdefault(context.lookup.hash(path), path)
        if path not in context.query.shown and original != path:
            found[path] = original
    return found


def _has_text(context: RankingContext, path: str) -> bool:
    file, words = context.lookup.file(path), context.corpus.words(path)
    return (
        file is not None
        and bool(file.lines)
        and words is not None
        and bool(words.chunks)
    )
