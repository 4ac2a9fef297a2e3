"""Occurrences: the lines of the workspace that contain one of a few identifiers of the
task.

`choose_identifiers` selects the identifiers, `find_occurrences` finds their lines.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import islice
from typing import NamedTuple

from cuedeck.model.file import Symbol
from cuedeck.model.ports import Texts
from cuedeck.parse.identifiers import (
    Parts,
    find_lines,
    last_step,
    read_identifiers,
    split_identifier,
)
from cuedeck.parse.index_terms import DEFINED, defined_key
from cuedeck.parse.search_terms import name_term, terms, word_terms
from cuedeck.ranking.chunk_scores import score_chunks, score_inputs
from cuedeck.ranking.rank_files import Ranking
from cuedeck.ranking.signal_scores import RankingContext
from cuedeck.ranking.task_query import Source

LEAST_WORTH = 0.04
"""Worth of a line below which its text is not shown."""
_MOST = 32
"""Maximum number of identifiers that are searched."""
_MOST_FOUND = 24
"""Maximum number of identifiers with lines; further ones are seldom near a change."""
_CONSIDERED = 80
"""Maximum number of identifiers whose files are counted."""
_MOST_FILES = 30
_MOST_LINES = 60
"""Files and lines from which an identifier occurs everywhere: it distinguishes no place
and is not listed.
"""
_MOST_SEARCHED = 100
"""Maximum number of files that are searched for an identifier that the task names. The
index counts stems, so that fewer files may contain the identifier itself.
"""
_SHORTEST = 3
_PROSE = 0.1
"""Factor of a line that contains a single word as prose."""
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
_UNRANKED = 0.1
"""Prior of a file that is neither linked nor ranked."""
_RANKED = 0.8
"""Prior of the best ranked file; a linked file has 1."""
_CHUNK = 2.0
"""Weight of the chunk of a line within its file."""
_UNKNOWN_CHUNK = 0.25


class Line(NamedTuple):
    """A line that contains an identifier."""

    path: str
    line: int
    worth: float
    """Expected value of showing the line; the highest of all identifiers is about 1."""


@dataclass(frozen=True, slots=True)
class Identifier:
    """An identifier of the task with the lines that contain it."""

    name: str
    """One of its spellings."""
    lines: tuple[Line, ...]
    """The lines found, best first, those with the same worth by address."""
    is_everywhere: bool
    """Whether it occurs too often for its lines to be listed."""


@dataclass(frozen=True, slots=True, eq=False)
class Occurrences:
    """The identifiers of a task with their lines; compared by identity, as a memo
    key.
    """

    identifiers: tuple[Identifier, ...]
    """The most relevant first."""
    fingerprint: str
    """Hash of the identifiers, their lines and the files of the likely lines, for the
    receipt.
    """


class _Seed(NamedTuple):
    worth: float
    parts: Parts
    name: str
    files: tuple[str, ...]
    """Sorted paths of the files that may contain it; empty if they are too many to be
    searched.
    """
    is_named: bool
    """Whether the task names it."""


def find_occurrences(
    context: RankingContext, ranking: Ranking, texts: Texts, further: Sequence[str] = ()
) -> Occurrences:
    """Return the identifiers of the task with their lines.

    `further` are the paths of files without index terms that are searched as well, for
    example change logs.
    """
    seeds = _choose(context, ranking, texts)
    paths = {*further, *(path for seed in seeds for path in seed.files)}
    hashes = {path: context.lookup.hash(path) for path in sorted(paths)}
    inputs = (ranking, seeds, hashes)

    def find() -> Occurrences:
        found = _find(context, ranking, texts, seeds, further)
        return Occurrences(found, _fingerprint(found, hashes))

    return context.memo.get("occurrences", "", inputs, find)


def _fingerprint(found: Sequence[Identifier], hashes: Mapping[str, str]) -> str:
    rows: list[object] = []
    paths: set[str] = set()
    for identifier in found:
        places = [line[:2] for line in identifier.lines]
        rows.append((identifier.name, identifier.is_everywhere, places))
        paths.update(
            line.path for line in identifier.lines if line.worth >= LEAST_WORTH
        )
    rows += [(path, hashes[path]) for path in sorted(paths)]
    return sha256(repr(rows).encode("utf-8", "surrogatepass")).hexdigest()


def _find(
    context: RankingContext,
    ranking: Ranking,
    texts: Texts,
    seeds: Sequence[_Seed],
    further: Sequence[str],
) -> tuple[Identifier, ...]:
    priors = _priors(context, ranking)
    shares = {path: _line_shares(context, ranking, path) for path in priors}
    best = max((seed.worth for seed in seeds), default=1.0)
    found: list[Identifier] = []
    for seed in seeds:
        if len(found) == _MOST_FOUND:
            break
        if not seed.files:
            found.append(Identifier(seed.name, (), True))
            continue
        ratio = 1.0 if seed.is_named else seed.worth / best
        lines: list[Line] = []
        for path in dict.fromkeys((*seed.files, *further)):
            prior, share = priors.get(path, _UNRANKED), shares.get(path, {})
            for line, is_code in _lines(context, texts, path, seed.parts):
                worth = _line_worth(ratio * prior, share, line, is_code=is_code)
                lines.append(Line(path, line, worth))
        paths = {line.path for line in lines}
        if len(lines) > _MOST_LINES or len(paths) > _MOST_FILES:
            if seed.is_named:
                found.append(Identifier(seed.name, (), True))
        elif len(lines) > 1 or seed.is_named:
            lines.sort(key=lambda row: (-row.worth, row.path, row.line))
            found.append(Identifier(seed.name, tuple(lines), False))
    return tuple(found)


def _line_worth(
    prior: float, share: Mapping[int, float], line: int, *, is_code: bool
) -> float:
    """Return the worth of a line of a file; `share` is the share of its chunk."""
    worth = prior * (1 + _CHUNK * share.get(line, _UNKNOWN_CHUNK)) / (1 + _CHUNK)
    return round(worth if is_code else worth * _PROSE, 6)


def _lines(
    context: RankingContext, texts: Texts, path: str, parts: Parts
) -> Sequence[tuple[int, bool]]:
    """Return the lines of a file that contain an identifier, and whether as code; a
    compound is always code.
    """

    def find() -> Sequence[tuple[int, bool]]:
        text = texts.text(path)
        lines = find_lines(text, parts)
        if len(parts) > 1 or not lines:
            return [(line, True) for line in lines]
        rows = text.split("\n")
        return [(line, _is_code(rows[line - 1], parts[0])) for line in lines]

    return context.memo.get(
        "lines of identifiers", (path, parts), context.lookup.hash(path), find
    )


def _is_code(row: str, part: str) -> bool:
    return any(part in split_identifier(name) for name in read_identifiers(row))


def _priors(context: RankingContext, ranking: Ranking) -> Mapping[str, float]:
    """Return the prior of each linked and ranked file."""
    top = max((each.score for each in ranking.candidates), default=1.0)
    priors = {
        each.path: max(_UNRANKED, _RANKED * (each.score / top) ** 2)
        for each in ranking.candidates
    }
    return priors | {source.path: 1.0 for source in context.query.sources}


def _line_shares(
    context: RankingContext, ranking: Ranking, path: str
) -> Mapping[int, float]:
    """Return the score of the chunk of each line, as a share of the best chunk of the
    file.
    """

    def spread() -> Mapping[int, float]:
        words = context.corpus.words(path)
        if words is None:
            return {}
        total = score_chunks(context, path, words, ranking.history)
        most = max(total.values(), default=0.0)
        shares: dict[int, float] = {}
        for at, chunk in enumerate(words.chunks):
            share = total[at] / most if most else 0.0
            shares.update(dict.fromkeys(range(chunk.start, chunk.end + 1), share))
        return shares

    return context.memo.get(
        "line shares", path, score_inputs(context, path, ranking.history), spread
    )


# --- choice of the identifiers


def _choose(
    context: RankingContext, ranking: Ranking, texts: Texts
) -> tuple[_Seed, ...]:
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


def _seed(context: RankingContext, each: _Considered) -> _Seed | None:
    """Return an identifier with its files; None if it is in no file, in too many or not
    relevant.
    """
    most = _MOST_SEARCHED if each.is_named else _MOST_FILES
    files = files_with(context.corpus.postings, each.parts, most + 1)
    spread = len(files)
    if not spread or (spread > most and not each.is_named):
        return None
    rarity = math.log(1 + context.total / spread) / math.log(1 + context.total)
    worth = each.worth * rarity**_RARITY
    if context.corpus.spread(DEFINED + defined_key(each.name)):
        worth *= _DEFINED
    worth = round(worth, 6)
    if not worth:
        return None
    searched = tuple(sorted(files)) if spread <= most else ()
    return _Seed(worth, each.parts, each.name, searched, each.is_named)


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
        shares = _line_shares(context, ranking, path)
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
