"""Term counts of the source files of a query, limited to the visited lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from cuedeck.model.chunk import NO_WORDS, Words
from cuedeck.model.ports import Corpus, Lookup, Texts
from cuedeck.model.scene_values import Span
from cuedeck.parse.chunking import read_words
from cuedeck.ranking.bm25 import part
from cuedeck.ranking.memo import Memo


class SourceTerms:
    """Term counts of one source; valid while its text and lines are unchanged."""

    def __init__(self, words: Words, spans: Sequence[Span]) -> None:
        self._words = words
        self._inside = _inside(words, spans)
        self.by_chunk: dict[int, dict[str, int]] = {at: {} for at in self._inside}
        """Occurrences of each term in each visited chunk."""
        self.counts: dict[str, int] = {}
        """Occurrences of each term in all visited chunks."""
        self._count()
        self._worths: Mapping[str, float] = {}
        self._points: Mapping[int, int] = {}

    def points(self, worths: Mapping[str, float]) -> Mapping[int, int]:
        """Return the BM25 points of the visited chunks for the words of the card, given the worth of each."""
        if self._worths != worths:
            self._worths, self._points = worths, self._score(worths)
        return self._points

    def _count(self) -> None:
        by_chunk, counts = self.by_chunk, self.counts
        for term, pairs in self._words.counts.items():
            for at, times in zip(pairs[::2], pairs[1::2], strict=True):
                if at in by_chunk:
                    by_chunk[at][term] = times
                    counts[term] = counts.get(term, 0) + times

    def _score(self, worths: Mapping[str, float]) -> Mapping[int, int]:
        mean = max(1.0, self._words.length / max(len(self._words.chunks), 1))
        found: dict[int, int] = {}
        for term, worth in worths.items():
            pairs = self._words.counts.get(term, ())
            for at, times in zip(pairs[::2], pairs[1::2], strict=True):
                if at in self._inside:
                    length = self._words.chunks[at].words
                    found[at] = found.get(at, 0) + part(times, length, worth, mean=mean, slope=0.5)
        return found


def read_source(
    path: str, spans: Sequence[Span], lookup: Lookup, texts: Texts, corpus: Corpus, memo: Memo
) -> SourceTerms:
    """Return the term counts of a file limited to some lines, from the memo if text and lines are unchanged."""
    inputs = (lookup.hash(path), spans)
    return memo.get("source terms", path, inputs, lambda: SourceTerms(_words_of(path, lookup, texts, corpus), spans))


def sum_counts(sources: Iterable[SourceTerms], memo: Memo) -> Mapping[str, int]:
    """Return the summed occurrences of each term in some sources."""
    counts = [each.counts for each in sources]

    def add() -> Mapping[str, int]:
        total: Counter[str] = Counter()
        for each in counts:
            total.update(each)
        return total

    return memo.get("sum of source terms", "", counts, add)


def _words_of(path: str, lookup: Lookup, texts: Texts, corpus: Corpus) -> Words:
    known = corpus.words(path)
    file = lookup.file(path)
    if known is not None or file is None or file.kind == "binary":
        return known or NO_WORDS
    return read_words(file, texts.text(path))


def _inside(words: Words, spans: Iterable[Span]) -> set[int]:
    wanted = list(spans)
    return {
        at
        for at, chunk in enumerate(words.chunks)
        if any(start <= chunk.end and chunk.start <= end for start, end in wanted)
    }
