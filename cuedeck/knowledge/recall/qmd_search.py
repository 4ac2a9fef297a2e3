"""Search by the user's own qmd command, as a second opinion on the order of units.

qmd only names places. The text of a hit comes from the index of recall, so masking,
filters, secret and superseded records work as in every search, and a result outside the
files that recall may read is dropped.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from cuedeck.knowledge.recall.rank_units import RankedUnit, unit_key
from cuedeck.knowledge.recall.recall_sources import EXTRA, workspace_extra_roots
from cuedeck.model.errors import StorageError
from cuedeck.model.recall_values import first_number
from cuedeck.store.cache.recall_index import FileState
from cuedeck.store.files.nofollow import is_below
from cuedeck.store.files.qmd_command import QmdResult, ask_qmd
from cuedeck.text.bm25 import UNIT

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.knowledge.recall.rank_request import UnitSearch
    from cuedeck.model.recall_values import UnitRow
    from cuedeck.model.settings_schema import Settings
    from cuedeck.store.cache.recall_index import RecallIndex
    from cuedeck.store.workspace_paths import WorkspacePaths

_MOST_LINES_BEFORE = 3
"""Lines between a line of qmd, such as a heading, and the unit that it names."""
_RANK_OFFSET = 60
"""Reciprocal rank fusion: Cormack, Clarke and Büttcher (2009) use 60."""


def search_qmd(workspace: Workspace, text: str) -> tuple[Sequence[QmdResult], str]:
    """Return the places that qmd finds; none, and a warning, if it fails."""
    settings = workspace.settings.memory
    # Other users can read the arguments of a process.
    for secret in reversed(workspace.find_secrets(text)):
        text = f"{text[: secret.start]} {text[secret.end :]}"
    command, mode = settings.qmd_command, settings.qmd_mode
    try:
        return ask_qmd(command, mode, text, settings.qmd_seconds), ""
    except StorageError as error:
        return (), f"qmd is not used, only the built-in search: {error.message}"


def fuse_results(
    paths: WorkspacePaths,
    settings: Settings,
    index: RecallIndex,
    search: UnitSearch,
    ranked: Sequence[RankedUnit],
    results: Sequence[QmdResult],
) -> list[RankedUnit]:
    """Return a ranking joined with the visible units at the places of qmd."""
    # A result outside the indexed files, or on a line without a unit, has none.
    files = index.files()
    numbers: dict[int, None] = {}
    for result in results:
        state = files.get(_path_of(paths, settings, result.file), FileState())
        units = enumerate(index.units_of(state), first_number(state.number))
        at = next((each for each in units if each[1].end >= result.line), None)
        if at is not None:
            # A line between units belongs to the paragraph just below it; a record
            # contains its own line only.
            before = 0 if at[1].id else _MOST_LINES_BEFORE
            if at[1].start <= result.line + before:
                numbers[at[0]] = None
    return _fuse(ranked, search.listed(list(numbers)))


def _path_of(paths: WorkspacePaths, settings: Settings, file: str) -> str:
    root = os.path.realpath(paths.root)
    if is_below(file, root):
        return _relative(file, root)
    for extra in workspace_extra_roots(paths, settings):
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


def _fuse(ranked: Sequence[RankedUnit], found: Sequence[UnitRow]) -> list[RankedUnit]:
    """Return the units of two rankings by reciprocal rank fusion, the built-in one
    first; of equal scores, the units of qmd are first.

    A text that occurs in both is one unit, even if the rankings name different files.
    """
    points: dict[bytes, dict[str, float]] = {}
    units: dict[bytes, RankedUnit] = {}
    for rank, row in enumerate(found):
        key = unit_key(row)
        points.setdefault(key, {"qmd": _points(rank)})
        units.setdefault(key, RankedUnit(row, 0, {}))
    for rank, unit in enumerate(ranked):
        key = unit_key(unit.row)
        points.setdefault(key, {})["builtin"] = _points(rank)
        units[key] = unit
    fused = []
    for key, unit in units.items():
        own = points[key]
        parts = {**unit.parts, **own}
        score = round(sum(own.values()))
        fused.append(unit._replace(score=score, parts=parts))
    fused.sort(key=lambda unit: -unit.score)
    return fused


def _points(rank: int) -> float:
    return round(UNIT * (_RANK_OFFSET + 1) / (_RANK_OFFSET + 1 + rank))
