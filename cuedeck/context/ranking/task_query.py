"""Query of the related tier: weighted terms of the card and of the files that it
links.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from cuedeck.context.ranking.memo import Memo
from cuedeck.model.file import NO_WORDS, Words
from cuedeck.model.ports import Corpus, Lookup, Texts
from cuedeck.model.scene_values import Span, Visit
from cuedeck.parse.index_terms import read_words
from cuedeck.text.bm25 import UNIT, best_first, part, rarity
from cuedeck.text.words import terms, word_terms

_MOST_TEXT = 4_000
"""Maximum characters of the card's title and of its body that are used."""
_LONG_BODY = 40
"""Number of terms from which the body has half weight."""
_MOST_SOURCES = 12
_OWN_TERMS = 60
_FOCUS_TERMS = 40
_FOCUS_CHUNKS = 6
_FOCUS_SHARE = 0.4
"""Minimum points of a focus chunk, as a share of the best chunk."""
_WIDEST = 0.3
"""Share of all files from which a term is too common to distinguish files."""

_ADDRESS = re.compile(r"https?://\S+")
_PATH = re.compile(r"(?<![\w./-])(?:[\w.-]+/)+([\w-]+)\.[A-Za-z]\w{0,4}(?![\w/])")
"""Path of a file; its group is the name without suffix."""
_TRAILER = re.compile(
    r"^[ \t]*(?:[A-Z][a-z]+(?:-[a-z]+)*-by|cc|refs|see-also)[ \t]*:.*$",
    re.IGNORECASE | re.MULTILINE,
)
# The pattern is anchored at word boundaries, because otherwise a long word would be
# rescanned from each of its letters.
_CODE = re.compile(
    r"`([^`\n]+)`|(--?[a-z][\w-]+|\b(?:[A-Za-z]\w*(?:[.:]+\w+)+|\w*_\w+|[a-z]+[A-Z]\w*|[A-Z][a-z]+[A-Z]\w*"
    r"|[A-Z]{2,}\w*|\w+(?=\()))"
)
_NAME = re.compile(r"[^\W\d]\w+")
_WHOLE = re.compile(r"[^\W\d][\w-]+")
_ACRONYM = re.compile(r"[A-Z]+s?")


class Source(NamedTuple):
    """An explicit visit whose words are part of the query."""

    path: str
    spans: tuple[Span, ...]
    depth: int


@dataclass(frozen=True, slots=True)
class Query:
    """Query of the related tier; terms with their weights."""

    words: Mapping[str, float]
    """Terms of the card's title and body."""
    spelled: Mapping[str, str]
    """Spelling of each term in the card."""
    names: tuple[str, ...]
    """Sorted words of the card that look like code identifiers."""
    identifiers: tuple[str, ...]
    """Whole code identifiers of the card, in text order: `missing-backlink` where
    `names` has two words.
    """
    sources: tuple[Source, ...]
    """The nearest visits; more distant ones are seldom relevant to the task."""
    shown: frozenset[str]
    """Paths of all visits."""
    worths: Mapping[str, Mapping[str, float]]
    """The weight times the rarity of the terms of the card (`words`), the rarest terms
    of the sources (`own`), and terms of the parts of the sources that match the card
    best (`focus`).
    """

    def called(self, source: str) -> str:
        """Return the name of a source in a reason: its path, or only its file name if
        there is no other source.
        """
        return source if len(self.sources) > 1 else source.rpartition("/")[2]


def read_query(
    visits: Sequence[Visit], lookup: Lookup, texts: Texts, corpus: Corpus, memo: Memo
) -> Query:
    """Return the query for `visits`; the first is the root card."""
    path = visits[0].path
    file = lookup.file(path)
    assert file is not None
    lines = texts.text(path).split("\n")[file.body - 1 :]
    body = "\n".join(line for line in lines if line.strip("# ") != file.title)
    parts = (without_secrets(part, path, texts) for part in (file.title, body))
    title, body = (_plain(part[:_MOST_TEXT]) for part in parts)
    both = f"{title}\n{body}"
    weights = _weighted(terms(title), terms(body))
    sources = tuple(
        Source(visit.path, visit.spans, visit.depth)
        for visit in visits[1:]
        if visit.kind in ("doc", "source", "card")
        and lookup.file(visit.path) is not None
    )[:_MOST_SOURCES]
    read = [
        read_source(source.path, source.spans, lookup, texts, corpus, memo)
        for source in sources
    ]
    total = len(corpus.lengths())

    def rare(term: str) -> float:
        spread = corpus.spread(term)
        is_distinctive = 1 < spread <= max(3, total * _WIDEST)
        return rarity(spread, total) if is_distinctive else 0.0

    words = {
        term: weight * rarity(corpus.spread(term), total)
        for term, weight in weights.items()
    }
    counts: Counter[str] = Counter()
    for each in read:
        counts.update(each.counts)
    strength = {term: rare(term) * _strength(times) for term, times in counts.items()}
    own = {
        term: (1 + 0.3 * math.log(counts[term])) * rare(term)
        for term in _best(strength, _OWN_TERMS)
    }
    focus = {
        term: rare(term) for term in _best(_focus(read, words, rare), _FOCUS_TERMS)
    }
    return Query(
        weights,
        _spelled(both),
        _names(both),
        _identifiers(both),
        sources,
        frozenset(visit.path for visit in visits),
        {"words": words, "own": own, "focus": focus},
    )


def without_secrets(part: str, path: str, texts: Texts) -> str:
    """Return a part of the text of a file without its secrets, whose words would not be
    recognised in a reason.
    """
    text = texts.text(path)
    for secret in texts.secrets(path):
        words = text[secret.start : secret.end]
        part = part.replace(words, "\n" * words.count("\n") or " ")
    return part


def _plain(text: str) -> str:
    """Return a text without addresses and trailers, and with the name of a file in
    place of its path, whose folders and suffix half of the workspace shares.
    """
    return _PATH.sub(r"\1", _ADDRESS.sub("", _TRAILER.sub("", text)))


def _weighted(title: Mapping[str, int], body: Mapping[str, int]) -> dict[str, float]:
    def worth(times: int) -> float:
        return min(2.0, 1 + 0.5 * math.log(times))

    found = {term: 1.0 + worth(times) for term, times in title.items()}
    share = 0.5 if len(body) > _LONG_BODY else 1.0
    for term, times in body.items():
        found[term] = found.get(term, 0.0) + share * worth(times)
    return found


def _spelled(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for word in _NAME.findall(text):
        for term in word_terms(word):
            found.setdefault(term, word)
    return found


def _names(text: str) -> tuple[str, ...]:
    found = (match[1] or match[2] for match in _CODE.finditer(text))
    return tuple(
        sorted(
            {name for each in found for name in _NAME.findall(each) if len(name) > 2}
        )
    )


def _identifiers(text: str) -> tuple[str, ...]:
    """Return the whole identifiers of a text in text order."""
    found: dict[str, None] = {}
    for match in _CODE.finditer(text):
        for word in _WHOLE.findall(match[1] or match[2]):
            name = word.strip("-_")
            if len(name) > 2 and (match[1] or not _ACRONYM.fullmatch(name)):
                found[name] = None
    return tuple(found)


def _strength(times: int) -> float:
    return 1 + math.log(times)


def _focus(
    read: Sequence[SourceTerms],
    worths: Mapping[str, float],
    rare: Callable[[str], float],
) -> Mapping[str, float]:
    """Return the worth of the terms of the chunks that match the card best."""
    points: list[tuple[int, int, int]] = []
    for number, each in enumerate(read):
        for at, (length, counts) in enumerate(each.chunks):
            value = sum(
                part(counts[term], length, worth, mean=each.mean, slope=0.5)
                for term, worth in worths.items()
                if term in counts
            )
            points.append((-value, number, at))
    points.sort()
    found: defaultdict[str, float] = defaultdict(float)
    for value, number, at in points[:_FOCUS_CHUNKS]:
        most = points[0][0]
        if -value < max(-most * _FOCUS_SHARE, UNIT / 10):
            break
        for term, times in read[number].chunks[at][1].items():
            worth = rare(term) * _strength(times) * value / most
            found[term] += worth
    return found


def _best(worth: Mapping[str, float], most: int) -> Sequence[str]:
    """Return the terms that are worth most, best first."""
    terms = [term for term in best_first(worth) if worth[term]]
    return terms[:most]


class SourceTerms(NamedTuple):
    """Term counts of the visited chunks of one source."""

    chunks: Sequence[tuple[int, Mapping[str, int]]]
    """Number of words of each visited chunk, and the count of each term in it."""
    counts: Mapping[str, int]
    """Occurrences of each term in all visited chunks."""
    mean: float
    """Mean number of words of all chunks of the file."""


def read_source(
    path: str,
    spans: Sequence[Span],
    lookup: Lookup,
    texts: Texts,
    corpus: Corpus,
    memo: Memo,
) -> SourceTerms:
    """Return the term counts of a file limited to some lines, from the memo if text and
    lines are unchanged.
    """

    def count() -> SourceTerms:
        words = _words_of(path, lookup, texts, corpus)
        visited: dict[int, dict[str, int]] = {}
        for at, chunk in enumerate(words.chunks):
            if any(start <= chunk.end and chunk.start <= end for start, end in spans):
                visited[at] = {}
        counts: Counter[str] = Counter()
        for term, pairs in words.counts.items():
            for at, times in zip(pairs[::2], pairs[1::2], strict=True):
                if at in visited:
                    visited[at][term] = times
                    counts[term] += times
        sizes = [chunk.words for chunk in words.chunks]
        chunks = [(sizes[at], each) for at, each in visited.items()]
        mean = max(1.0, sum(sizes) / max(len(sizes), 1))
        return SourceTerms(chunks, counts, mean)

    return memo.get("source terms", path, (lookup.hash(path), spans), count)


def _words_of(path: str, lookup: Lookup, texts: Texts, corpus: Corpus) -> Words:
    known = corpus.words(path)
    file = lookup.file(path)
    if known is not None or file is None or file.kind == "binary":
        return known or NO_WORDS
    return read_words(file, without_secrets(texts.text(path), path, texts))
