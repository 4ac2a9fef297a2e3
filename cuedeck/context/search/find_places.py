"""Search of workspace files by address, name or keywords."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from cuedeck.context.search.best_passage import Place, find_place, snippet
from cuedeck.context.search.file_scores import (
    FileScores,
    Query,
    check_query,
    parse_query,
)
from cuedeck.context.search.find_occurrences import (
    Lines,
    Occurrences,
    find_occurrences,
    rows_of,
)
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
from cuedeck.text.fold_text import unmark
from cuedeck.text.words import word_terms

if TYPE_CHECKING:
    from cuedeck.context.search.file_scores import Query
    from cuedeck.engine.workspace import Workspace
    from cuedeck.model.file import File, Symbol
    from cuedeck.parse.secrets.mask import Mask
    from cuedeck.store.index import Index
    from cuedeck.store.index.corpus import WorkspaceCorpus
    from cuedeck.store.index.texts import WorkspaceTexts

LIMIT = 20
_SEARCHED = 50
"""Best files in which the definition of a qualified name is searched."""
_ADDRESS = 1_000 * UNIT
"""Points of a file or entry whose address or name is the query: it is always the first
hit.
"""


_LITERAL_HINT = "no line has the text as written; these places have its words"


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
    named_place = resolve_citation(query.text, index)
    target = named_place if isinstance(named_place, Target) else None
    if target is not None and not filters.apply(index, [target.path]):
        target = None
    found = find_occurrences(
        workspace.corpus,
        workspace.index,
        workspace.texts,
        query.text,
        lambda paths: filters.apply(index, paths),
    )
    written, spelled, words = found
    lines = written if scores.matched else {**spelled, **written}
    scores.add_lines(lines)
    named = target.path if target is not None else ""
    paths = filters.apply(index, scores.ranked(without=named))
    places = _definitions(workspace.corpus, workspace.index, query.text, paths)
    paths = _exact_first(query.text, paths, (places, written), index)
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
        return answer | {
            "hint": suggest_words(workspace.corpus, workspace.texts, query)
        }
    is_found = target is not None or _has_text(query.text, found)
    return answer if is_found else answer | {"hint": _LITERAL_HINT}


def _has_text(text: str, found: Occurrences) -> bool:
    is_whole = "".join(found.words).replace(" ", "") == text.replace(" ", "")
    return bool(found.written and is_whole) or not read_literal(text)


def _exact_first(
    text: str,
    paths: Sequence[str],
    found: tuple[Mapping[str, Place], Lines],
    index: Index,
) -> list[str]:
    """Return the paths."""
    places, written = found
    named = set(index.named(name_key(text)))
    called_so = [path for path in paths if path in named]
    literal = [path for path in paths if path in written and read_literal(text)]
    return list(dict.fromkeys((*places, *called_so, *literal, *paths)))


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
    why = "that is its address or name"
    if is_entry_address(target.address):
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
    place = Place(target.address, target.kind, title, target.start, target.end, why)
    return _hit(workspace, mask, file, place, _ADDRESS, {})


def _entry_hit(workspace: Workspace, target: Target, why: str) -> Hit:
    """Return the hit of a ledger entry."""
    from cuedeck.context.search.ledger_entries import show_entry

    identity = target.address.partition(":")[2]
    try:
        path, line, text = show_entry(workspace, target.address)
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


_WORD = re.compile(r"\w+")
_SHORTEST = 4
"""Minimum number of characters of a word whose spelling is corrected."""

_LIKENESS = 0.75


def suggest_words(corpus: WorkspaceCorpus, texts: WorkspaceTexts, query: Query) -> str:
    """Return what to try in place of a query: another spelling, fewer words, memory."""
    others = "fewer or other words"
    if len(query.text.split()) == 1:
        others = "another word or a part of it"
    advice = f"try {others}, or `recall` for conversations and decisions"
    spelled = _correct(corpus, texts, query.text)
    if spelled:
        return f"did you mean `{spelled}`? Else {advice}"
    return advice


def _correct(corpus: WorkspaceCorpus, texts: WorkspaceTexts, text: str) -> str:

    def correct(match: re.Match[str]) -> str:
        word = match[0]
        if len(word) < _SHORTEST:
            return word
        return _nearest(corpus, texts, word) or word

    corrected = _WORD.sub(correct, text)
    return "" if corrected == text else corrected


def _nearest(corpus: WorkspaceCorpus, texts: WorkspaceTexts, word: str) -> str:
    """Return the known word that is most like an unknown one; empty if none is."""
    import difflib

    searched = word_terms(unmark(word))
    if not searched or corpus.spread(searched[-1]):
        return ""
    known = corpus.terms_like(searched[-1])
    nearest = difflib.get_close_matches(searched[-1], known, 1, _LIKENESS)
    if not nearest:
        return ""
    path = min(corpus.postings(nearest[0]))
    words: list[str] = _WORD.findall(unmark(texts.text(path)))
    for each in words:
        if word_terms(each)[-1:] == (nearest[0],):
            return each
    return ""
