"""Candidate pool: the text, chunks and priced lines of the ranked files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from cuedeck.context.ranking.chunk_scores import (
    identifier_points,
    order_chunks,
)
from cuedeck.context.ranking.commit_relevance import CommitRelevance
from cuedeck.context.ranking.line_pieces import (
    LONGEST_DEFINITION,
    STOP,
    STOP_WITHOUT_LINKS,
    PricedFile,
    enclosing,
    estimate,
    pieces,
    short_definitions,
)
from cuedeck.context.ranking.packing import PriceLevels
from cuedeck.context.ranking.rank_files import Candidate, Ranking
from cuedeck.context.ranking.signal_scores import RankingContext
from cuedeck.model.file import Chunk
from cuedeck.model.ports import Texts
from cuedeck.model.scene_values import Span
from cuedeck.text.words import terms


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
        named = identifier_points(context, words)
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
                named=frozenset(words.chunks[at].start for at in named),
                definitions=short_definitions(file),
            )
        )
        chunks[path] = ordered
    stop = STOP if context.query.sources else STOP_WITHOUT_LINKS
    levels = PriceLevels(files, pieces(files, chunks), stop)
    return CandidatePool(files, levels)


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


_DISTINCTIVE = (12, 60)
"""Minimum length in characters of a distinctive line, and the length from which longer
lines gain nothing.
"""
_LONG_NAME = 4
"""Minimum length in characters of a word of the card that counts as the name of a
definition.
"""
_WINDOW = 20
_MOST_WINDOWS = 500
"""Lines of a window, and maximum number of windows of a file without indexed words."""


def distinctive_line(
    context: RankingContext, chunk: Chunk, lines: Sequence[str], often: Sequence[int]
) -> int:
    """Return the most distinctive line of a chunk; 0 if there is none.

    Lines found in no other file come first, then lines with the most words of the card,
    then longer lines up to a limit. `often` gives for each line of the file the number
    of files that contain it.
    """
    query = context.query.words
    best, distinctive = (False, 0.0, 0), 0
    for line in range(chunk.start, min(chunk.end, len(lines)) + 1):
        text = lines[line - 1].strip()
        if line == chunk.head or line > len(often) or len(text) < _DISTINCTIVE[0]:
            continue
        points = sum(query.get(term, 0.0) for term in terms(text))
        worth = (
            often[line - 1] == 1,
            round(points, 3),
            min(len(text), _DISTINCTIVE[1]),
        )
        if worth > best and any(worth[:2]):
            best, distinctive = worth, line
    return distinctive


def order_bodies(
    context: RankingContext, path: str, history: CommitRelevance, lines: int
) -> tuple[Span, ...]:
    """Return the parts of a file with a number of `lines`, most valuable first: short
    definitions and chunks of others.

    A file without indexed words has windows of lines in file order.
    """
    words = context.corpus.words(path)
    if words is None or not words.chunks:
        return tuple(_windows((1, min(lines, _WINDOW * _MOST_WINDOWS))))
    card_names = {
        word.casefold()
        for word in context.query.spelled.values()
        if len(word) >= _LONG_NAME
    }
    # Definitions that the card names come first, even if their words match little.
    ordered = sorted(
        order_chunks(context, path, words, history),
        key=lambda at: (
            words.chunks[at].name.rpartition(".")[2].casefold() not in card_names
        ),
    )
    file = context.lookup.file(path)
    definitions = short_definitions(file) if file is not None else ()
    parts = (enclosing(words.chunks[at], definitions) for at in ordered)
    windows = (window for part in parts for window in _windows(part))
    return tuple(dict.fromkeys(windows))


def _windows(part: Span) -> Iterator[Span]:
    """Yield a part in windows of lines if it is longer than any definition."""
    start, end = part
    length = _WINDOW if end - start >= LONGEST_DEFINITION else LONGEST_DEFINITION
    for first in range(start, end + 1, length):
        yield first, min(first + length - 1, end)
