"""Occurrences: the lines of the workspace that contain one of a few identifiers of the
task.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import NamedTuple

from cuedeck.model.ports import Texts
from cuedeck.parse.identifiers import (
    Parts,
    find_lines,
    read_identifiers,
    split_identifier,
)
from cuedeck.ranking.chunk_scores import line_shares
from cuedeck.ranking.rank_files import Ranking
from cuedeck.ranking.signal_scores import RankingContext
from cuedeck.ranking.task_identifiers import (
    MOST_FILES,
    TaskIdentifier,
    choose_identifiers,
)

LEAST_WORTH = 0.04
"""Worth of a line below which its text is not shown."""
_MOST_FOUND = 24
"""Maximum number of identifiers with lines; further ones are seldom near a change."""
_MOST_LINES = 60
"""Lines from which an identifier occurs everywhere, as with `MOST_FILES`."""
_PROSE = 0.1
"""Factor of a line that contains a single word as prose."""
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
    everywhere: int
    """Number of its files if it occurs too often for its lines to be listed, else 0."""


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


def find_occurrences(
    context: RankingContext, ranking: Ranking, texts: Texts, further: Sequence[str] = ()
) -> Occurrences:
    """Return the identifiers of the task with their lines.

    `further` are the paths of files without index terms that are searched as well, for
    example change logs.
    """
    seeds = choose_identifiers(context, ranking, texts)
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
        rows.append((identifier.name, identifier.everywhere, places))
        paths.update(
            line.path for line in identifier.lines if line.worth >= LEAST_WORTH
        )
    rows += [(path, hashes[path]) for path in sorted(paths)]
    return sha256(repr(rows).encode("utf-8", "surrogatepass")).hexdigest()


def _find(
    context: RankingContext,
    ranking: Ranking,
    texts: Texts,
    seeds: Sequence[TaskIdentifier],
    further: Sequence[str],
) -> tuple[Identifier, ...]:
    priors = _priors(context, ranking)
    shares = {path: line_shares(context, path, ranking.history) for path in priors}
    best = max((seed.worth for seed in seeds), default=1.0)
    found: list[Identifier] = []
    for seed in seeds:
        if len(found) == _MOST_FOUND:
            break
        ratio = 1.0 if seed.is_named else seed.worth / best
        lines: list[Line] = []
        if seed.spread > MOST_FILES:
            found.append(Identifier(seed.name, (), seed.spread))
            continue
        for path in dict.fromkeys((*seed.files, *further)):
            prior, share = priors.get(path, _UNRANKED), shares.get(path, {})
            for line, is_code in _lines(context, texts, path, seed.parts):
                worth = ratio * prior
                worth *= (1 + _CHUNK * share.get(line, _UNKNOWN_CHUNK)) / (1 + _CHUNK)
                lines.append(
                    Line(path, line, round(worth if is_code else worth * _PROSE, 6))
                )
        if len(lines) > _MOST_LINES:
            if seed.is_named:
                found.append(
                    Identifier(seed.name, (), len({line.path for line in lines}))
                )
        elif len(lines) > 1 or seed.is_named:
            lines.sort(key=lambda row: (-row.worth, row.path, row.line))
            found.append(Identifier(seed.name, tuple(lines), 0))
    return tuple(found)


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
