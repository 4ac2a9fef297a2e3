"""Choice of the identifiers whose occurrences show where a task has to be done.

The task, the linked files and the best related files give identifiers; relevance and
rarity order them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from cuedeck.model.file import Symbol
from cuedeck.model.ports import Texts
from cuedeck.parse.identifiers import (
    Parts,
    last_step,
    read_identifiers,
    split_identifier,
)
from cuedeck.parse.index_terms import DEFINED, defined_key
from cuedeck.parse.search_terms import name_term, terms, word_terms
from cuedeck.ranking.chunk_scores import line_shares, score_inputs
from cuedeck.ranking.rank_files import Ranking
from cuedeck.ranking.signal_scores import RankingContext
from cuedeck.ranking.task_query import Source

_MOST = 32
"""Maximum number of identifiers that are searched."""
_CONSIDERED = 80
"""Maximum number of identifiers whose files are counted."""
MOST_FILES = 30
"""Files from which an identifier occurs everywhere: it distinguishes no place and is
not listed.
"""
_SHORTEST = 3
_DEFINED = 2.0
"""Factor of an identifier that is defined in the workspace."""
_CANDIDATES = 3
"""Best related files that give identifiers in addition to the linked ones."""
_CANDIDATE = 1.0
"""Weight of the identifiers of a related file relative to those of a linked one."""
_READ_LINES = 120
"""Maximum number of lines of the best chunks of a file that are searched for
identifiers.
"""
_READ_HISTORY = 60
"""Maximum number of lines, those most likely added by commits like the task, that are
searched for identifiers.
"""
_WINDOW = 2
"""Lines around an identifier in which words of the task count as near."""
_FAR = 0.2
"""Relevance of a line without words of the task nearby, relative to one with its rarest
words.
"""
_HISTORY = 1.0
"""Relevance of a line added by commits like the task."""
_COMPOUND = 1.5
"""Factor of identifiers of several parts; they are rarer and more precise than single
words.
"""
_SHARED_WORDS = 2.0
"""Weight of the share of an identifier's words that the task contains."""
_NAMED = 2.0
"""Relevance of an identifier that the task names; one from the best line of a linked
file has about 1.
"""
_RARITY = 1.5
"""Exponent of the rarity over files."""


class TaskIdentifier(NamedTuple):
    """An identifier that shows where the task has to be done."""

    worth: float
    parts: Parts
    name: str
    files: tuple[str, ...]
    """Sorted paths of the files that may contain it; empty if they are more than
    `MOST_FILES`.
    """
    spread: int
    """Number of these files."""
    is_named: bool
    """Whether the task names it."""


def choose_identifiers(
    context: RankingContext, ranking: Ranking, texts: Texts
) -> tuple[TaskIdentifier, ...]:
    """Return the most relevant identifiers: those that the task names, then the others,
    best first.
    """
    linked = [source.path for source in context.query.sources]
    read = [*linked, *(each.path for each in ranking.candidates[:_CANDIDATES])]
    inputs = (ranking, [(path, context.lookup.hash(path)) for path in read])
    considered = context.memo.get(
        "considered", "", inputs, lambda: _consider(context, ranking, texts)
    )
    seeds = [
        seed
        for seed in (_seed(context, each) for each in considered)
        if seed is not None
    ]
    return tuple(
        sorted(seeds, key=lambda seed: (not seed.is_named, -seed.worth, seed.parts))[
            :_MOST
        ]
    )


class _Considered(NamedTuple):
    parts: Parts
    name: str
    worth: float
    is_named: bool


def _consider(
    context: RankingContext, ranking: Ranking, texts: Texts
) -> Sequence[_Considered]:
    """Return the most relevant identifiers, without regard to the files that contain
    them.
    """
    relevance, names = _relevance(context, ranking, texts)
    task_words = context.query.words
    worths: dict[Parts, float] = {}
    for parts, worth in relevance.items():
        if len("".join(parts)) < _SHORTEST:
            continue
        if len(parts) > 1:
            worth *= _COMPOUND
        stems = _stems(parts)
        if stems:
            worth *= 1 + _SHARED_WORDS * sum(
                stem in task_words for stem in stems
            ) / len(stems)
        worths[parts] = worth
    named = {split_identifier(name): name for name in context.query.identifiers}
    for parts, name in named.items():
        if parts:
            names.setdefault(parts, name)
            worths[parts] = _NAMED + worths.get(parts, 0.0)
    ordered = sorted(worths, key=lambda parts: (-round(worths[parts], 6), parts))[
        :_CONSIDERED
    ]
    return [
        _Considered(parts, names[parts], worths[parts], parts in named)
        for parts in ordered
    ]


def _seed(context: RankingContext, each: _Considered) -> TaskIdentifier | None:
    """Return an identifier with its files; None if it is in no file, in too many or not
    relevant.
    """
    # The number of files of a named identifier is shown. Any other identifier is
    # dropped if more than `MOST_FILES` files contain it.
    most = None if each.is_named else MOST_FILES + 1
    files = files_with(context.corpus.postings, each.parts, most)
    spread = len(files)
    if not spread or (spread > MOST_FILES and not each.is_named):
        return None
    rarity = math.log(1 + context.total / spread) / math.log(1 + context.total)
    worth = each.worth * rarity**_RARITY
    if context.corpus.spread(DEFINED + defined_key(each.name)):
        worth *= _DEFINED
    worth = round(worth, 6)
    if not worth:
        return None
    listed = tuple(sorted(files)) if spread <= MOST_FILES else ()
    return TaskIdentifier(worth, each.parts, each.name, listed, spread, each.is_named)


def _stems(parts: Parts) -> Sequence[str]:
    """Return the index terms of the parts of an identifier, without stop words."""
    return [
        term for part in parts for term in word_terms(part) if not term.startswith("=")
    ]


def files_with(
    postings: Callable[[str], Mapping[str, int]], parts: Parts, most: int | None = None
) -> Collection[str]:
    """Return the paths of the files whose index terms allow an identifier with these
    parts, at most `most` of them.
    """
    stems = _stems(parts)
    if not stems:
        # All parts are stop words, which are indexed only within the whole identifier.
        return (
            postings(name_term("_".join(parts))).keys()
            | postings(name_term("".join(parts))).keys()
        )
    rarest, *others = sorted(map(postings, dict.fromkeys(stems)), key=len)
    found: Iterable[str] = rarest
    for other in others:
        found = filter(other.__contains__, found)
    return list(islice(found, most))


def _relevance(
    context: RankingContext, ranking: Ranking, texts: Texts
) -> tuple[dict[Parts, float], dict[Parts, str]]:
    """Return the relevance of the identifiers of the linked and the best related files,
    and a spelling of each.
    """
    top = max((each.score for each in ranking.candidates), default=1.0)
    weights = {source.path: 1.0 for source in context.query.sources}
    for each in ranking.candidates[:_CANDIDATES]:
        weights[each.path] = _CANDIDATE * each.score / top
    found: dict[Parts, float] = {}
    names: dict[Parts, str] = {}
    for path, weight in weights.items():
        for parts, (value, name) in _file_relevance(
            context, ranking, texts, path
        ).items():
            found[parts] = found.get(parts, 0.0) + weight * value
            names.setdefault(parts, name)
    for source in context.query.sources:
        file = context.lookup.file(source.path)
        for symbol in file.symbols if file is not None else ():
            if _is_linked(symbol, source):
                name = last_step(symbol.name)
                parts = split_identifier(name)
                found[parts] = found.get(parts, 0.0) + _NAMED
                names.setdefault(parts, name)
    return found, names


def _is_linked(symbol: Symbol, source: Source) -> bool:
    """Return whether a link leads to exactly this definition."""
    return (symbol.start, symbol.end) in source.spans


def _file_relevance(
    context: RankingContext, ranking: Ranking, texts: Texts, path: str
) -> Mapping[Parts, tuple[float, str]]:
    """Return the relevance of each identifier of a file: that of its best line, and its
    spelling there.
    """

    def rate() -> Mapping[Parts, tuple[float, str]]:
        if context.corpus.words(path) is None:
            return {}
        shares = line_shares(context, path, ranking.history)
        history = (
            ranking.history.line_weights(context, path)
            if ranking.history.commits
            else {}
        )
        return _rate_lines(texts, path, context.query.worths["words"], shares, history)

    return context.memo.get(
        "identifiers", path, score_inputs(context, path, ranking.history), rate
    )


def _rate_lines(
    texts: Texts,
    path: str,
    worths: Mapping[str, float],
    shares: Mapping[int, float],
    history: Mapping[int, float],
) -> Mapping[Parts, tuple[float, str]]:
    """Return the relevance and the spelling of the identifiers on the likely lines of a
    file.

    `worths` are the worths of the words of the task; `shares` and `history` are the
    passage score and the weight of similar commits by line.
    """
    best = sum(sorted(worths.values(), reverse=True)[:3]) or 1.0
    most = max(history.values(), default=0.0)
    likely = sorted(shares, key=lambda line: (-shares[line], line))[:_READ_LINES]
    likely += sorted(history, key=lambda line: (-history[line], line))[:_READ_HISTORY]
    text = texts.text(path)
    secrets = [text[secret.start : secret.end] for secret in texts.secrets(path)]
    lines = text.split("\n")
    found: dict[Parts, tuple[float, str]] = {}
    for line in sorted({line for line in likely if line <= len(lines)}):
        near = (
            terms("\n".join(lines[max(0, line - 1 - _WINDOW) : line + _WINDOW])).keys()
            & worths.keys()
        )
        share = shares.get(line, 0.0)
        value = share * (
            _FAR + min(1.0, sum(worths[term] for term in sorted(near)) / best)
        )
        if line in history:
            value += _HISTORY * history[line] / most * (_FAR + (1 - _FAR) * share)
        for name in read_identifiers(lines[line - 1]):
            parts = split_identifier(name)
            if any(name in secret for secret in secrets):
                continue
            if parts not in found or value > found[parts][0]:
                found[parts] = (value, name)
    return found
