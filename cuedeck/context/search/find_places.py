"""Search of workspace files by address, name or keywords."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from cuedeck.context.search.best_passage import (
    Place,
    find_place,
    snippet,
    symbol_place,
    title_of,
)
from cuedeck.context.search.file_scores import EXACT, Query, parse_query, score_files
from cuedeck.context.search.find_occurrences import Lines, find_occurrences, rows_of
from cuedeck.context.search.search_filters import Filters
from cuedeck.graph.counterparts import fits, read_steps
from cuedeck.graph.resolve_ref import resolve_citation
from cuedeck.model.address import name_key
from cuedeck.model.entry_node import is_entry_address
from cuedeck.model.errors import CueDeckError
from cuedeck.model.ports import Json
from cuedeck.model.recall_values import Hit, answer_of, cut
from cuedeck.model.scene_values import Target
from cuedeck.parse.index_terms import DEFINED, defined_key
from cuedeck.parse.literal_query import read_literal
from cuedeck.text.bm25 import UNIT, to_score

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.model.file import File
    from cuedeck.parse.secrets.mask import Mask
    from cuedeck.store.index import Index
    from cuedeck.store.index.corpus import WorkspaceCorpus, WorkspaceTexts

LIMIT = 20
_SEARCHED = 50
"""Best files in which the definition of a qualified name is searched."""
_ADDRESS = 1_000 * UNIT
"""Points of a file or entry whose address or name is the query: it is always the first
hit.
"""
_MOST_LINES = 10
"""Maximum number of lines of a file with the whole query that count."""
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
) -> Json:
    """Return the search results for an address, a name or words, best first, one per
    file; secrets are masked.

    `occurrences` are the lines that contain the query as written or, if it is an
    identifier, in any spelling. If nothing has the
    text as written, `hint` says so. `limit`
    and `offset` apply to both lists. `kinds` limits the kinds of files; `tags`,
    `priority` and `assignee` limit the result to files with these values.
    Raises: Invalid for an empty query, TooLong.
    """
    parsed = parse_query(query)
    workspace.refresh()
    filters = Filters(tuple(kinds), tuple(tags), priority, assignee)
    return workspace.settled(lambda: _find(workspace, parsed, filters, limit, offset))


def _find(
    workspace: Workspace, query: Query, filters: Filters, limit: int, offset: int
) -> Json:
    mask, index, text = workspace.answer_mask(), workspace.index, query.text
    scores = score_files(workspace.corpus, workspace.index, workspace.texts, query)
    found = find_occurrences(
        workspace.corpus,
        index,
        workspace.texts,
        text,
        lambda paths: filters.apply(index, paths),
    )
    written, words = found.written, found.words
    lines = written if scores.has_terms else {**found.spelled, **written}
    for path, numbers in lines.items():
        scores.points[path] += EXACT + UNIT * min(len(numbers), _MOST_LINES)
    target = _named_target(text, filters, index)
    named = target.path if target is not None else ""
    paths = [path for path in filters.apply(index, scores.ranked()) if path != named]
    places = _definitions(workspace.corpus, index, text, paths)
    best = list(filter(index.named(name_key(text)).__contains__, paths))
    if read_literal(text):
        best += filter(written.__contains__, paths)
    paths = list(dict.fromkeys((*places, *best, *paths)))
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
            hits.append(
                _hit(workspace.texts, mask, file, place, points, scores.weights)
            )
    occurrences = _in_order([written, found.spelled], [named, *paths])
    shown = rows_of(occurrences[offset : offset + limit], text, words, mask)
    answer = answer_of(text, hits, total)
    answer |= {"occurrences": shown, "occurrences_total": len(occurrences)}
    if not total and not occurrences:
        answer["hint"] = _NOTHING_HINT
    elif target is None and not _has_text(text, written, words):
        answer["hint"] = _LITERAL_HINT
    return answer


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
        for symbol in file.symbols if file is not None else ():
            place = symbol_place(path, symbol, "it is called so")
            if fits(steps, path, symbol.name):
                exact.setdefault(path, place)
            elif key and key == defined_key(symbol.name):
                similar.setdefault(path, place)
    return {**exact, **similar, **exact}


def _hit(
    texts: WorkspaceTexts,
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
        snippet=snippet(texts, mask, file, place, weights),
    )


def _target_hit(workspace: Workspace, mask: Mask, target: Target) -> Hit:
    """Return the hit of the address or name that the query is."""
    address = target.address
    kind = target.kind
    path = target.path
    line = 1
    title = path
    why = "that is its address or name"
    file = workspace.index.file(path)
    if file is not None:
        place = Place(address, kind, title_of(file), target.start, target.end, why)
        return _hit(workspace.texts, mask, file, place, _ADDRESS, {})
    if not is_entry_address(address):
        paths = workspace.index.folder(path.rstrip("/"))
        text = mask.plain(" ".join(paths))
    else:
        from cuedeck.context.search.ledger_entries import LedgerEntries

        title = f"{kind} {address.partition(':')[2]}"
        try:
            shown = LedgerEntries(workspace).shown(address)
            path, line, text = shown.path, shown.line, mask.plain(shown.text())
        except CueDeckError as error:
            path, text = "", error.message
    return Hit(
        address, path, kind, title, (line, line), to_score(_ADDRESS), why, cut(text)
    )
