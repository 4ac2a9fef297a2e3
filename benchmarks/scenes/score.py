"""The share of a commit's changes in the output of a system."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from benchmarks.scenes.cases import Case, Definition
from benchmarks.scenes.lines import canonical, weight
from benchmarks.scenes.outline import Outline, Paths, read_outline
from benchmarks.scenes.prepare import Reference

_LEAST_WEIGHT = 6
"""Minimum number of non-blank characters of a line that is looked up."""
_START = 40
"""Number of characters by which a cut line is looked up; a shorter cut never counts."""
_ENOUGH = 0.6
"""A cut line counts as the whole line from this share of its length."""
_FIRST = 5


class Missed(NamedTuple):
    """A target that does not count."""

    path: str
    rank: int | None
    """Its place among the files with a heading; None when it has none."""


class Score(NamedTuple):
    """The figures of one output, all between 0 and 1; None where a case has nothing to
    find.
    """

    file: float
    """Share of targets that the output names and shows; at least a line or a changed
    signature must be in the output.
    """
    symbol: float | None
    """Share of the changed definitions with their signature in the output."""
    line: float | None
    """Share of the distinctive changed lines that are there."""
    mrr: float
    """One divided by the rank of the first target."""
    first_five: float
    """Share of targets among the first five files."""
    full: float
    """1 when every target counts."""
    named: float
    """Share of targets that the output names."""
    entry_symbol: float | None
    entry_line: float | None
    rank: int | None
    """Rank of the first target among the files in order of their headings, without the
    entry.
    """
    missed: tuple[Missed, ...]


FIGURES = (
    "file",
    "symbol",
    "line",
    "mrr",
    "first_five",
    "full",
    "named",
    "entry_symbol",
    "entry_line",
)


class _Seen:
    """The lines of an output, indexed for lookup."""

    def __init__(self, outline: Outline) -> None:
        self.outline = outline
        self.lines = frozenset(
            line for line in outline.lines if weight(line) >= _LEAST_WEIGHT
        )
        self._starts: dict[str, list[str]] = {}
        for line in self.lines:
            if len(line) >= _START:
                self._starts.setdefault(line[:_START], []).append(line)

    def has_line(self, line: str) -> bool:
        """Return whether a line is in the output, or enough of its beginning."""
        if line in self.lines:
            return True
        cuts = self._starts.get(line[:_START], ())
        return any(
            line.startswith(cut) and len(cut) >= _ENOUGH * len(line) for cut in cuts
        )

    def has_definition(self, path: str, definition: Definition, alone: bool) -> bool:
        """Return whether a signature is in the output: as a separate line, or its
        beginning if the file is shown.
        """
        line = canonical(definition.signature)
        if alone and line in self.lines:
            return True
        at = line.find(definition.name) if definition.name else -1
        least = max(
            math.ceil(_ENOUGH * len(line)), at + len(definition.name) if at >= 0 else 0
        )
        return any(line[:least] in shown for shown in self.outline.shown.get(path, ()))


def score(case: Case, reference: Reference, text: str) -> Score:
    """Compare an output, already cut at its budget, with the changes of the commit."""
    seen = _Seen(read_outline(text, Paths(reference.paths)))
    outline = seen.outline
    symbols = {path: _symbols(seen, case, reference, path) for path in case.hunks}
    lines = {
        path: [seen.has_line(line) for line in reference.changed[path]]
        for path in case.hunks
    }

    def counts(path: str) -> bool:
        content = (
            any(symbols[path])
            or any(lines[path])
            or bool(reference.distinct[path] & seen.lines)
        )
        return path in outline.named and content

    targets = case.targets
    ranks = _ranks(outline.headed, case.entry)
    found = [counts(path) for path in targets]
    rank = min((ranks[path] for path in targets if path in ranks), default=None)
    return Score(
        file=sum(found) / len(targets),
        symbol=_share([hit for path in targets for hit in symbols[path]]),
        line=_share([hit for path in targets for hit in lines[path]]),
        mrr=1 / rank if rank else 0.0,
        first_five=sum(ranks.get(path, _FIRST + 1) <= _FIRST for path in targets)
        / len(targets),
        full=float(all(found)),
        named=sum(path in outline.named for path in targets) / len(targets),
        entry_symbol=_share(symbols[case.entry]),
        entry_line=_share(lines[case.entry]),
        rank=rank,
        missed=tuple(
            Missed(path, ranks.get(path))
            for path, hit in zip(targets, found, strict=True)
            if not hit
        ),
    )


def _symbols(seen: _Seen, case: Case, reference: Reference, path: str) -> list[bool]:
    pairs = zip(case.definitions[path], reference.alone[path], strict=True)
    return [seen.has_definition(path, definition, alone) for definition, alone in pairs]


def _ranks(headed: Sequence[str], entry: str) -> Mapping[str, int]:
    return {
        path: rank
        for rank, path in enumerate((path for path in headed if path != entry), 1)
    }


def _share(hits: Sequence[bool]) -> float | None:
    return sum(hits) / len(hits) if hits else None
