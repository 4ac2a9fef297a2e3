"""The units of the index at the places that qmd found."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from cuedeck.knowledge.recall.fuse_rankings import fuse
from cuedeck.knowledge.recall.recall_sources import EXTRA, workspace_extra_roots
from cuedeck.parse.qmd_addresses import match_addresses
from cuedeck.store.cache.units_of_lines import unit_at
from cuedeck.store.files.nofollow import is_below

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.knowledge.recall.rank_request import UnitSearch
    from cuedeck.knowledge.recall.recall_candidate import RankedUnit
    from cuedeck.parse.qmd_results import QmdResult
    from cuedeck.store.cache.recall_index import RecallIndex

_MOST_LINES_BEFORE = 3
"""Lines between a line of qmd, such as a heading, and the unit that it names."""


def fuse_results(
    workspace: Workspace,
    index: RecallIndex,
    search: UnitSearch,
    ranked: Sequence[RankedUnit],
    results: Sequence[QmdResult],
) -> list[RankedUnit]:
    """Return a ranking joined with the visible units at the places of qmd."""
    numbers = units_of_results(workspace, index, results)
    return fuse(ranked, search.listed(numbers))


def units_of_results(
    workspace: Workspace, index: RecallIndex, results: Sequence[QmdResult]
) -> list[int]:
    """Return the numbers of the units that results name, in their order.

    A result outside the indexed files, or on a line without a unit, has none.
    """
    files: dict[str, int] = {}
    for number, path in index.paths().items():
        files[path] = number
    unknown = []
    paths: dict[str, str] = {}
    for result in results:
        path = _path_of(workspace, result.file)
        paths[result.file] = path
        if not path:
            unknown.append(result.file)
    matched = match_addresses(unknown, files)
    paths.update(matched)
    numbers: dict[int, None] = {}
    for result in results:
        path = paths[result.file]
        file = files.get(path)
        if file is None:
            continue
        unit = unit_at(
            index.database,
            file,
            result.line,
            _MOST_LINES_BEFORE,
        )
        if unit is not None:
            numbers[unit] = None
    return list(numbers)


def _path_of(workspace: Workspace, file: str) -> str:
    """Return the path in the index of a file on disk; empty for another place."""
    if not os.path.isabs(file):
        return ""
    root = os.path.realpath(workspace.paths.root)
    if is_below(file, root):
        return _relative(file, root)
    for extra in workspace_extra_roots(workspace):
        name = f"{EXTRA}{extra.name}"
        if file == extra.place:
            return name
        if is_below(file, extra.place):
            path = _relative(file, extra.place)
            return f"{name}/{path}"
    return ""


def _relative(file: str, folder: str) -> str:
    path = os.path.relpath(file, folder)
    return path.replace(os.sep, "/")
