"""Occurrences: the lines of the workspace that contain one of a few identifiers of the
task.

`choose_identifiers` selects the identifiers, `find_occurrences` finds their lines.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import NamedTuple

from cuedeck.context.ranking.chunk_scores import line_shares, line_weights
from cuedeck.context.ranking.rank_files import Ranking
from cuedeck.context.ranking.signal_scores import RankingContext
from cuedeck.parse.index_terms import DEFINED, defined_key
from cuedeck.text.bm25 import best_first
from cuedeck.text.identifiers import (
    Parts,
    files_with,
    find_lines,
    identifier_stems,
    last_step,
    read_identifiers,
    split_identifier,
)
from cuedeck.text.words import terms

LEAST_WORTH = 0.04
"""Worth of a line below which its text is not shown."""
_MOST = 32
"""Maximum number of identifiers that are searched."""
_MOST_FOUND = 24
"""Maximum number of identifiers with lines; further ones are seldom near a change."""
_MOST_RATED = 80
"""Maximum number of identifiers whose files are counted."""
_MOST_FILES = 30
_MOST_LINES = 60
"""Files and lines from which an identifier occurs everywhere: it distinguishes no place
and is not listed.
"""
_MOST_SEARCHED = 100
"""Maximum number of files that are searched for an identifier that the task names."""
_SHORTEST = 3
"""Minimum number of characters of an identifier."""
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
_STRONGEST_WORDS = 3
"""Number of the rarest words of the task that make the text near a line fully relevant.
"""
_FAR = 0.2
"""Relevance of a line without words of the task nearby, relative to one with its rarest
words.
"""
_HISTORY = 1.0
"""Relevance of a line added by commits like the task."""
_COMPOUND = 1.5
"""Factor of identifiers of several parts."""
_SHARED_WORDS = 2.0
"""Weight of the share of an identifier's words that the task contains."""
_NAMED = 2.0
"""Relevance of an identifier that the task names."""
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
    """The identifiers of a task with their lines."""

    identifiers: tuple[Identifier, ...]
    """The most relevant first."""
    fingerprint: str
    """Hash of the identifiers, their lines and the files of the likely lines, for the
    receipt.
    """


class _ChosenIdentifier(NamedTuple):
    """An identifier whose lines are searched."""

    worth: float
    parts: Parts
    name: str
    files: tuple[str, ...]
    """Sorted paths of the files that may contain it."""
    is_named: bool


def find_occurrences(
    context: RankingContext, ranking: Ranking, further: Sequence[str] = ()
) -> Occurrences:
    """Return the identifiers of the task with their lines.

    `further` are the paths of files without index terms that are searched as well, for
    example change logs.
    """
    chosen = choose_identifiers(context, ranking)
    paths = set(further)
    for identifier in chosen:
        paths.update(identifier.files)
    hashes = {path: context.lookup.hash(path) for path in sorted(paths)}
    inputs = (ranking, chosen, hashes)

    def find() -> Occurrences:
        found = tuple(_find_lines(context, ranking, chosen, further))
        return Occurrences(found, _fingerprint(found, hashes))

    return context.memo.get("occurrences", "", inputs, find)


def _fingerprint(found: Sequence[Identifier], hashes: Mapping[str, str]) -> str:
    rows: list[object] = []
    paths: set[str] = set()
    for identifier in found:
        places = [line[:2] for line in identifier.lines]
        rows.append((identifier.name, identifier.is_everywhere, places))
        likely = [line for line in identifier.lines if line.worth >= LEAST_WORTH]
        paths.update(line.path for line in likely)
    rows += [(path, hashes[path]) for path in sorted(paths)]
    return sha256(repr(rows).encode("utf-8", "surrogatepass")).hexdigest()


# --- lines of the identifiers


def _find_lines(
    context: RankingContext,
    ranking: Ranking,
    chosen: Sequence[_ChosenIdentifier],
    further: Sequence[str],
) -> Sequence[Identifier]:
    """Return the identifiers to list, with their lines; not those on a single line, nor
    those everywhere, unless the task names them.
    """
    priors = _file_priors(context, ranking)
    shares = {path: line_shares(context, path) for path in priors}
    best = max((each.worth for each in chosen), default=1.0)
    found: list[Identifier] = []
    for each in chosen:
        if len(found) == _MOST_FOUND:
            break
        relevance = 1.0 if each.is_named else each.worth / best
        lines: list[Line] = []
        searched = dict.fromkeys((*each.files, *further)) if each.files else ()
        for path in searched:
            prior = relevance * priors.get(path, _UNRANKED)
            of_file = shares.get(path, {})
            for line, is_code in _lines_of_file(context, path, each.parts):
                share = of_file.get(line, _UNKNOWN_CHUNK)
                worth = prior * (1 + _CHUNK * share) / (1 + _CHUNK)
                worth = round(worth if is_code else worth * _PROSE, 6)
                lines.append(Line(path, line, worth))
        is_everywhere = not each.files or _are_everywhere(lines)
        if (is_everywhere or len(lines) <= 1) and not each.is_named:
            continue
        lines.sort(key=lambda line: (-line.worth, line.path, line.line))
        listed = () if is_everywhere else tuple(lines)
        found.append(Identifier(each.name, listed, is_everywhere))
    return found


def _are_everywhere(lines: Sequence[Line]) -> bool:
    files = {line.path for line in lines}
    return len(lines) > _MOST_LINES or len(files) > _MOST_FILES


def _lines_of_file(
    context: RankingContext, path: str, parts: Parts
) -> Sequence[tuple[int, bool]]:
    """Return the lines of a file that contain an identifier, and whether as code; a
    compound is always code.
    """

    def find() -> Sequence[tuple[int, bool]]:
        text = context.texts.text(path)
        lines = find_lines(text, parts)
        if len(parts) > 1 or not lines:
            return [(line, True) for line in lines]
        rows = text.split("\n")
        return [(line, _is_code(rows[line - 1], parts[0])) for line in lines]

    content = context.lookup.hash(path)
    return context.memo.get("lines of identifiers", (path, parts), content, find)


def _is_code(row: str, part: str) -> bool:
    return any(part in split_identifier(name) for name in read_identifiers(row))


def _file_priors(context: RankingContext, ranking: Ranking) -> Mapping[str, float]:
    """Return the prior of each linked and ranked file."""
    top = _top_score(ranking)
    priors: dict[str, float] = {}
    for each in ranking.candidates:
        share = each.score / top
        priors[each.path] = max(_UNRANKED, _RANKED * share**2)
    for source in context.query.sources:
        priors[source.path] = 1.0
    return priors


def _top_score(ranking: Ranking) -> float:
    return max((each.score for each in ranking.candidates), default=1.0)


# --- choice of the identifiers


def choose_identifiers(
    context: RankingContext, ranking: Ranking
) -> tuple[_ChosenIdentifier, ...]:
    """Return the most relevant identifiers: those that the task names, then the others,
    best first.
    """
    worths, names = _rate_identifiers(context, ranking)
    named = {split_identifier(name): name for name in context.query.identifiers}
    for parts in filter(None, named):
        names.setdefault(parts, named[parts])
        worths[parts] = _NAMED + worths.get(parts, 0.0)
    total = len(context.corpus.lengths())
    chosen: list[_ChosenIdentifier] = []
    rounded = {parts: round(worth, 6) for parts, worth in worths.items()}
    for parts in best_first(rounded)[:_MOST_RATED]:
        context.pause()
        is_named = parts in named
        most = _MOST_SEARCHED if is_named else _MOST_FILES
        files = files_with(context.corpus.postings, parts, most + 1)
        is_everywhere = len(files) > most
        if not files or (is_everywhere and not is_named):
            continue
        rarity = math.log(1 + total / len(files)) / math.log(1 + total)
        worth = worths[parts] * rarity**_RARITY
        if context.corpus.spread(DEFINED + defined_key(names[parts])):
            worth *= _DEFINED
        worth = round(worth, 6)
        if worth:
            searched = () if is_everywhere else tuple(sorted(files))
            each = _ChosenIdentifier(worth, parts, names[parts], searched, is_named)
            chosen.append(each)
    chosen.sort(key=lambda each: (not each.is_named, -each.worth, each.parts))
    return tuple(chosen[:_MOST])


def _weigh_parts(worth: float, parts: Parts, task_words: Mapping[str, float]) -> float:
    if len(parts) > 1:
        worth *= _COMPOUND
    stems = identifier_stems(parts)
    if not stems:
        return worth
    shared = sum(stem in task_words for stem in stems)
    return worth * (1 + _SHARED_WORDS * shared / len(stems))


# --- relevance of the identifiers


def _rate_identifiers(
    context: RankingContext, ranking: Ranking
) -> tuple[dict[Parts, float], dict[Parts, str]]:
    """Return the relevance and a spelling of the identifiers of the linked and the best
    related files, and of the definitions to which links lead.
    """
    top = _top_score(ranking)
    weights = {source.path: 1.0 for source in context.query.sources}
    for each in ranking.candidates[:_CANDIDATES]:
        weights[each.path] = _CANDIDATE * each.score / top
    rows: list[tuple[Parts, float, str]] = []
    for path, weight in weights.items():
        rated = _rate_file(context, path)
        rows += [
            (parts, weight * value, name) for parts, (value, name) in rated.items()
        ]
    for definition in _linked_definitions(context):
        name = last_step(definition)
        rows.append((split_identifier(name), _NAMED, name))
    worths: defaultdict[Parts, float] = defaultdict(float)
    names: dict[Parts, str] = {}
    for parts, value, name in rows:
        names.setdefault(parts, name)
        worths[parts] += value
    words = context.query.words
    return {
        parts: _weigh_parts(value, parts, words)
        for parts, value in worths.items()
        if len("".join(parts)) >= _SHORTEST
    }, names


def _linked_definitions(context: RankingContext) -> Iterator[str]:
    """Yield the name of each definition to which exactly a link leads."""
    for source in context.query.sources:
        file = context.lookup.file(source.path)
        if file is None:
            continue
        for symbol in file.symbols:
            if (symbol.start, symbol.end) in source.spans:
                yield symbol.name


def _rate_file(context: RankingContext, path: str) -> Mapping[Parts, tuple[float, str]]:
    def rate() -> Mapping[Parts, tuple[float, str]]:
        if context.corpus.words(path) is None:
            return {}
        shares = line_shares(context, path)
        added = line_weights(context, path)
        return _rate_lines(context, path, shares, added)

    return context.of_file("identifiers", path, rate)


def _rate_lines(
    context: RankingContext,
    path: str,
    shares: Mapping[int, float],
    history: Mapping[int, float],
) -> Mapping[Parts, tuple[float, str]]:
    """Return the relevance and the spelling of the identifiers on the likely lines of a
    file.

    `shares` and `history` are the passage score and the weight of similar commits by
    line.
    """
    worths = context.query.worths["words"]
    texts = context.texts
    strongest = sorted(worths.values(), reverse=True)[:_STRONGEST_WORDS]
    best = sum(strongest) or 1.0
    most = max(history.values(), default=0.0)
    text = texts.text(path)
    secrets = [text[secret.start : secret.end] for secret in texts.secrets(path)]
    lines = text.split("\n")
    found: dict[Parts, tuple[float, str]] = {}
    likely = {*_highest(shares, _READ_LINES), *_highest(history, _READ_HISTORY)}
    for line in sorted(each for each in likely if each <= len(lines)):
        start = max(0, line - 1 - _WINDOW)
        window = lines[start : line + _WINDOW]
        near = terms("\n".join(window)).keys() & worths.keys()
        # The order determines how the sum is rounded.
        relevance = sum(worths[term] for term in sorted(near)) / best
        share = shares.get(line, 0.0)
        value = share * (_FAR + min(1.0, relevance))
        if line in history:
            similarity = _HISTORY * history[line] / most
            value += similarity * (_FAR + (1 - _FAR) * share)
        for name in read_identifiers(lines[line - 1]):
            if any(name in secret for secret in secrets):
                continue
            parts = split_identifier(name)
            if parts not in found or value > found[parts][0]:
                found[parts] = (value, name)
    return found


def _highest(values: Mapping[int, float], most: int) -> list[int]:
    return best_first(values)[:most]
