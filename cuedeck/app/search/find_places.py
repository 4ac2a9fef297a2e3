"""Search of workspace files by address, name or keywords."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from cuedeck.app.search.best_passage import Place, find_place, snippet
from cuedeck.app.search.file_scores import FileScores, Query, check_query, parse_query
from cuedeck.app.search.find_occurrences import find_occurrences, rows_of
from cuedeck.app.search.search_filters import Filters
from cuedeck.app.search.search_hit import Hit, answer_of, cut
from cuedeck.graph.code_names import fits, read_steps
from cuedeck.graph.resolve_ref import resolve
from cuedeck.model.address import join_anchor
from cuedeck.model.entry_node import ENTRY_PREFIXES
from cuedeck.model.errors import CueDeckError
from cuedeck.model.file import Link
from cuedeck.model.scene_values import Target
from cuedeck.ranking.bm25 import UNIT, to_score

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace
    from cuedeck.model.file import File
    from cuedeck.scene.mask import Mask
    from cuedeck.store.index import Index

LIMIT = 20
_SEARCHED = 50
"""Best files in which the definition of a qualified name is searched."""
_ADDRESS = 1_000 * UNIT
"""Points of a file or entry whose address or name is the query: it is always the first
hit.
"""


def find(
    workspace: Workspace,
    query: str,
    *,
    kinds: Sequence[str] = (),
    tags: Sequence[str] = (),
    priority: str = "",
    assignee: str = "",
    limit: int = LIMIT,
    offset: int = 0,
) -> dict[str, Any]:
    """Return the search results for an address, a name or words, best first, one per
    file; secrets are masked.

    If the query is an identifier, `occurrences` are the lines that contain it in any
    spelling. `limit` and `offset` apply to both lists. `kinds` limits the kinds of
    files; `tags`, `priority` and `assignee` limit the result to files with these
    values. Raises: Invalid for an empty query, TooLong.
    """
    check_query(query)
    parsed = parse_query(query)
    workspace.refresh()
    filters = Filters(tuple(kinds), tuple(tags), priority, assignee)
    return workspace.settled(lambda: _find(workspace, parsed, filters, limit, offset))


def _find(
    workspace: Workspace, query: Query, filters: Filters, limit: int, offset: int
) -> dict[str, Any]:
    mask, index = workspace.answer_mask(), workspace.index
    scores = FileScores(workspace, query)
    target = _resolve(query.text, index)
    if target is not None and not filters.apply(index, [target.path]):
        target = None
    named = target.path if target is not None else ""
    ranked: list[tuple[float, str]] = []
    for path, points in scores.points.items():
        if points > 0 and path != named:
            ranked.append((-points, path))
    ranked.sort()
    paths = filters.apply(index, [path for _, path in ranked])
    hits: list[Hit] = []
    first = offset
    total = len(paths)
    if target is not None:
        # The target is the first hit of the first page.
        total += 1
        first = max(0, offset - 1)
        if not offset:
            hits.append(_target_hit(workspace, mask, target))
    defined = _definitions(query.text, paths, index) if target is None else {}
    paths = [*defined, *(path for path in paths if path not in defined)]
    for path in paths[first : first + limit - len(hits)]:
        file = index.file(path)
        if file is not None:
            place = defined.get(path) or find_place(
                workspace, file, query, scores.weights
            )
            hits.append(
                _hit(workspace, mask, file, place, scores.points[path], scores.weights)
            )
    occurrences = find_occurrences(
        workspace, query.text, scores.points, lambda each: filters.apply(index, each)
    )
    shown = rows_of(occurrences[offset : offset + limit], query.text, mask)
    answer = answer_of(query.text, hits, total)
    return {**answer, "occurrences": shown, "occurrences_total": len(occurrences)}


def _resolve(text: str, index: Index) -> Target | None:
    """Return the target of a text that is an address or a unique name; else None."""
    found = resolve(
        Link(ref=text, line=0, form="address", view="", pin=False),
        "",
        index,
        suggest=False,
    )
    return found if isinstance(found, Target) else None


def _definitions(text: str, paths: Sequence[str], index: Index) -> dict[str, Place]:
    """Return the first definition in each of these files that a qualified name means,
    by path.
    """
    found: dict[str, Place] = {}
    steps = read_steps(text)
    if len(steps) < 2:
        return found
    for path in paths[:_SEARCHED]:
        file = index.file(path)
        symbols = file.symbols if file is not None else ()
        fitting = (each for each in symbols if fits(steps, path, each.name))
        symbol = next(fitting, None)
        if symbol is not None:
            address = join_anchor(path, symbol.name)
            found[path] = Place(
                address=address,
                kind="symbol",
                title=symbol.name,
                start=symbol.start,
                end=symbol.end,
                why="it is called so",
            )
    return found


def _hit(
    workspace: Workspace,
    mask: Mask,
    file: File,
    place: Place,
    points: int,
    weights: Mapping[str, float],
) -> Hit:
    """Return the hit of a place; `weights` contains the weight of each term, by which
    the line to show is chosen.
    """
    return Hit(
        address=mask.words(place.address, file.path),
        path=file.path,
        kind=place.kind,
        title=mask.words(place.title, file.path),
        lines=(place.start, place.end),
        score=to_score(points),
        why=mask.plain(place.why),
        snippet=snippet(workspace, mask, file, place, weights),
    )


def _target_hit(workspace: Workspace, mask: Mask, target: Target) -> Hit:
    why = "that is its address or name"
    if target.address.startswith(ENTRY_PREFIXES):
        return _entry_hit(workspace, target, why)
    file = workspace.index.file(target.path)
    if file is None:
        paths = workspace.index.folder(target.path.rstrip("/"))
        listing = mask.plain(cut(" ".join(paths)))
        return Hit(
            address=target.address,
            path=target.path,
            kind=target.kind,
            title=target.path,
            lines=(1, 1),
            score=to_score(_ADDRESS),
            why=why,
            snippet=listing,
        )
    title = file.card.title if file.card else file.title
    place = Place(
        address=target.address,
        kind=target.kind,
        title=title,
        start=target.start,
        end=target.end,
        why=why,
    )
    return _hit(workspace, mask, file, place, _ADDRESS, {})


def _entry_hit(workspace: Workspace, target: Target, why: str) -> Hit:
    """Return the hit of a ledger entry; the text of a secret record is replaced by the
    error message.
    """
    from cuedeck.app.search.show_entry import show_entry

    identity = target.address.partition(":")[2]
    try:
        path, line, text = show_entry(workspace, target.kind, identity)
    except CueDeckError as error:
        path, line, text = "", 1, error.message
    title = f"{target.kind} {identity}"
    return Hit(
        address=target.address,
        path=path,
        kind=target.kind,
        title=title,
        lines=(line, line),
        score=to_score(_ADDRESS),
        why=why,
        snippet=cut(text),
    )
