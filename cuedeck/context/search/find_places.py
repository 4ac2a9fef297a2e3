"""Search of workspace files by address, name or keywords."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from cuedeck.context.search.best_passage import Place, find_place, snippet
from cuedeck.context.search.file_scores import (
    FileScores,
    Query,
    check_query,
    parse_query,
)
from cuedeck.context.search.find_occurrences import Lines, find_occurrences, rows_of
from cuedeck.context.search.search_filters import Filters
from cuedeck.graph.counterparts import fits, read_steps
from cuedeck.graph.resolve_ref import resolve_citation
from cuedeck.model.address import join_anchor, name_key
from cuedeck.model.entry_node import is_entry_address
from cuedeck.model.errors import CueDeckError
from cuedeck.model.scene_values import Target
from cuedeck.model.search_hit import Hit, answer_of, cut
from cuedeck.parse.index_terms import DEFINED, defined_key
from cuedeck.parse.literal_query import read_literal
from cuedeck.text.bm25 import UNIT, to_score

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.model.file import File, Symbol
    from cuedeck.parse.secrets.mask import Mask
    from cuedeck.store.index import Index
    from cuedeck.store.index.corpus import WorkspaceCorpus

LIMIT = 20
_SEARCHED = 50
"""Best files in which the definition of a qualified name is searched."""
_ADDRESS = 1_000 * UNIT
"""Points of a file or entry whose address or name is the query: it is always the first
hit.
"""
_LITERAL_HINT = "no line has the text as written; these places have its words"
_NOTHING_HINT = "try fewer or other words, or `recall` for conversations and decisions"


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

    `occurrences` are the lines that contain the query as written or, if it is an
    identifier, in any spelling. If nothing has the
    text as written, `hint` says so. `limit`
    and `offset` apply to both lists. `kinds` limits the kinds of files; `tags`,
    `priority` and `assignee` limit the result to files with these values.
    Raises: Invalid for an empty query, TooLong.
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
    target = _named_target(query.text, filters, index)
    written, spelled, words = find_occurrences(
        workspace.corpus,
        index,
        workspace.texts,
        query.text,
        lambda paths: filters.apply(index, paths),
    )
    lines = written if scores.matched else {**spelled, **written}
    scores.add_lines(lines)
    named = target.path if target is not None else ""
    paths = filters.apply(index, scores.ranked(without=named))
    places = _definitions(workspace.corpus, workspace.index, query.text, paths)
    best = [
        *places,
        *filter(set(index.named(name_key(query.text))).__contains__, paths),
    ]
    if read_literal(query.text):
        best += filter(written.__contains__, paths)
    paths = list(dict.fromkeys((*best, *paths)))
    hits: list[Hit] = []
    first = offset
    total = len(paths)
    if target is not None:
        # The target is the first hit of the first page.
        total += 1
        first = max(0, offset - 1)
        if not offset:
            hits.append(_target_hit(workspace, mask, target))
    for path in paths[first : first + limit - len(hits)]:
        file = index.file(path)
        if file is not None:
            place = places.get(path) or find_place(
                workspace, file, query, scores.weights, lines.get(path, ()), words
            )
            points = scores.points[path]
            hits.append(_hit(workspace, mask, file, place, points, scores.weights))
    occurrences = _in_order([written, spelled], [named, *paths])
    shown = rows_of(occurrences[offset : offset + limit], query.text, words, mask)
    answer = answer_of(query.text, hits, total)
    answer |= {"occurrences": shown, "occurrences_total": len(occurrences)}
    if not total and not occurrences:
        return answer | {"hint": _NOTHING_HINT}
    if target is not None or _has_text(query.text, written, words):
        return answer
    return answer | {"hint": _LITERAL_HINT}


def _named_target(text: str, filters: Filters, index: Index) -> Target | None:
    found = resolve_citation(text, index)
    if isinstance(found, Target) and filters.apply(index, [found.path]):
        return found
    return None


def _has_text(text: str, written: Lines, words: Sequence[str]) -> bool:
    is_whole = "".join(words).replace(" ", "") == text.replace(" ", "")
    return bool(written and is_whole) or not read_literal(text)


def _in_order(
    found: Sequence[Lines], paths: Sequence[str]
) -> Sequence[tuple[str, int]]:
    """Return the distinct lines, each of `found` in the order of the files."""
    rows: dict[tuple[str, int], None] = {}
    for lines in found:
        for path in dict.fromkeys((*paths, *sorted(lines))):
            for line in lines.get(path, ()):
                rows[path, line] = None
    return list(rows)


def _definitions(
    corpus: WorkspaceCorpus, index: Index, text: str, paths: Sequence[str]
) -> dict[str, Place]:
    """Return the definition in each of these files that has the name in a query, by
    path: those with equal case first.
    """
    steps = read_steps(text) or [text.strip("`'\"()")]
    key = defined_key(steps[0]) if len(steps) == 1 else ""
    if key:
        defining = corpus.postings(DEFINED + key)
        paths = [path for path in paths if path in defining]
    exact: dict[str, Place] = {}
    similar: dict[str, Place] = {}
    for path in paths[:_SEARCHED]:
        file = index.file(path)
        symbols = file.symbols if file is not None else ()
        for symbol in symbols:
            if fits(steps, path, symbol.name):
                exact.setdefault(path, _definition(path, symbol))
            elif key and key == defined_key(symbol.name):
                similar.setdefault(path, _definition(path, symbol))
    return {**exact, **similar, **exact}


def _definition(path: str, symbol: Symbol) -> Place:
    address, name = join_anchor(path, symbol.name), symbol.name
    why = "it is called so"
    return Place(address, "symbol", name, symbol.start, symbol.end, why)


def _hit(
    workspace: Workspace,
    mask: Mask,
    file: File,
    place: Place,
    points: int,
    weights: Mapping[str, float],
) -> Hit:
    """Return the hit of a place."""
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
    """Return the hit of the address or name that the query is."""
    path, line, title = target.path, 1, target.path
    file = workspace.index.file(path)
    why = "that is its address or name"
    if file is not None:
        title = file.card.title if file.card else file.title
        place = Place(target.address, target.kind, title, target.start, target.end, why)
        return _hit(workspace, mask, file, place, _ADDRESS, {})
    if not is_entry_address(target.address):
        text = mask.plain(" ".join(workspace.index.folder(path.rstrip("/"))))
    else:
        from cuedeck.context.search.ledger_entries import show_entry

        title = f"{target.kind} {target.address.partition(':')[2]}"
        try:
            path, line, text = show_entry(workspace, target.address)
        except CueDeckError as error:
            path, text = "", error.message
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
