"""Join of the built-in ranking with the places that qmd found."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from cuedeck.app.recall.recall_sources import EXTRA, workspace_extra_roots
from cuedeck.parse.qmd_results import QmdResult
from cuedeck.ranking.bm25 import UNIT
from cuedeck.records.recall.recall_candidate import Candidate, RankedUnit
from cuedeck.store.cache.units_of_lines import unit_at
from cuedeck.store.workspace_paths import is_below

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace
    from cuedeck.store.cache.recall_index import RecallIndex

_RANK_OFFSET = 60
"""Reciprocal rank fusion: Cormack, Clarke and Büttcher (2009) use 60."""
_MOST_LINES_BEFORE = 3
"""Lines between a line of qmd, such as a heading, and the unit that it names."""
_SEPARATORS = re.compile(r"[\W_]+")


def units_of_results(
    workspace: Workspace, index: RecallIndex, results: Sequence[QmdResult]
) -> list[int]:
    """Return the numbers of the units that results name, in their order.

    A result outside the indexed files, or on a line without a unit, has none.
    """
    files = {path: number for number, path in index.paths().items()}
    paths = {file: _path_of(workspace, file) for file, _ in results}
    addresses = [file for file, path in paths.items() if not path]
    paths.update(_paths_of_collections(addresses, files))
    numbers: dict[int, None] = {}
    for result in results:
        file = files.get(paths[result.file])
        if file is None:
            continue
        unit = unit_at(index.database, file, result.line, _MOST_LINES_BEFORE)
        if unit is not None:
            numbers.setdefault(unit)
    return list(numbers)


def fuse(ranked: Sequence[RankedUnit], found: Sequence[Candidate]) -> list[RankedUnit]:
    """Return the units of two rankings by reciprocal rank fusion, the built-in one
    first; of equal scores, the units of qmd are first.

    A text that occurs in both is one unit, even if the rankings name different files.
    """
    points: dict[tuple[str, ...], dict[str, float]] = {}
    units: dict[tuple[str, ...], RankedUnit] = {}
    for rank, candidate in enumerate(found):
        key = tuple(candidate.stems)
        points.setdefault(key, {"qmd": _points(rank)})
        units.setdefault(key, RankedUnit(candidate, 0, {}))
    for rank, unit in enumerate(ranked):
        key = tuple(unit.candidate.stems)
        points.setdefault(key, {})["builtin"] = _points(rank)
        units[key] = unit
    fused = [
        unit._replace(
            score=round(sum(points[key].values())),
            parts={**unit.parts, **points[key]},
        )
        for key, unit in units.items()
    ]
    return sorted(fused, key=lambda unit: -unit.score)


def _points(rank: int) -> float:
    return round(UNIT * (_RANK_OFFSET + 1) / (_RANK_OFFSET + 1 + rank))


def _path_of(workspace: Workspace, file: str) -> str:
    """Return the path in the index of a file on disk; empty for another place."""
    if not os.path.isabs(file):
        return ""
    root = os.path.realpath(workspace.paths.root)
    if is_below(file, root):
        return os.path.relpath(file, root).replace(os.sep, "/")
    for extra in workspace_extra_roots(workspace):
        if file == extra.place:
            return f"{EXTRA}{extra.name}"
        if is_below(file, extra.place):
            relative = os.path.relpath(file, extra.place).replace(os.sep, "/")
            return f"{EXTRA}{extra.name}/{relative}"
    return ""


def _paths_of_collections(
    addresses: Iterable[str], files: Iterable[str]
) -> Mapping[str, str]:
    """Return, for each address `qmd://collection/path`, the only path of the index that
    ends with its path, by address; empty if there is none or several.

    qmd before 2.5.3 prints such addresses only, with other punctuation than on disk.
    """
    by_name: dict[str, list[tuple[str, Sequence[str]]]] = {}
    found = {}
    for address in addresses:
        if not by_name:
            for path in files:
                names = _folded(path)
                by_name.setdefault(names[-1], []).append((path, names))
        written = address.removeprefix("qmd://").partition("?")[0]
        sought = _folded(written)[1:]
        same = by_name.get(sought[-1], []) if sought else []
        ends = [path for path, names in same if names[-len(sought) :] == sought]
        found[address] = ends[0] if len(ends) == 1 else ""
    return found


def _folded(path: str) -> list[str]:
    """Return the names of a path without case and punctuation."""
    names = [_SEPARATORS.sub("-", name).strip("-") for name in path.split("/")]
    return [name.casefold() for name in names if name] or [""]
