"""Answer to one request: the best units of the index as JSON."""

from __future__ import annotations

import json
from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from cuedeck.app.recall.rank_request import Request, UnitSearch
from cuedeck.app.recall.recall_answer import make_hit
from cuedeck.model.errors import Invalid
from cuedeck.records.recall.recall_query import parse_query

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace
    from cuedeck.store.cache.recall_index import RecallIndex

_LONGEST_NAMED = 60
"""Characters of a query that an error contains."""


def search_units(
    workspace: Workspace,
    index: RecallIndex,
    request: Request,
) -> dict[str, Any]:
    """Return the JSON of the answer to a request.

    Raises: Invalid for a query without words.
    """
    query = parse_query(request.text, request.today, workspace.settings.recall)
    if not query.terms:
        raise Invalid(
            f"`{request.text[:_LONGEST_NAMED]}` contains no word to search for",
            hint="give words, numbers or emoji",
        )
    with index.reading():
        search = UnitSearch(workspace, index, request, query)
        ranked = search.rank()
        if request.places:
            # Only qmd names places.
            from cuedeck.app.recall.units_of_results import fuse_results

            ranked = fuse_results(workspace, index, search, ranked, request.places)
        shown = ranked[request.offset : request.offset + request.limit]
        units = index.units([each.candidate.number for each in shown])
    citations = workspace.settings.recall.citations
    hits = []
    for each in shown:
        path, unit = units[each.candidate.number]
        hit = make_hit(
            path,
            unit,
            each,
            query,
            citations=citations,
            explain=request.explain,
        )
        hits.append(hit)
    notes = []
    if query.is_cut:
        notes.append(f"only the first {len(query.text):,} characters were searched")
    if request.tokens and hits:
        fitting, needed = _fitting(workspace, hits, request.tokens)
        if not fitting:
            limit = f"more than the limit of {request.tokens:,}"
            notes.append(f"the best hit has {needed:,} tokens, {limit}")
        hits = fitting
    left_out = len(ranked) - request.offset - len(hits)
    period = request.filters.period
    return {
        "query": query.text if query.is_cut else request.text,
        "hits": hits,
        "total": len(ranked),
        "since": period.first or query.since,
        "until": period.last or query.until,
        "left_out": max(0, left_out),
        "notes": notes,
    }


def _fitting(
    workspace: Workspace,
    hits: list[dict[str, Any]],
    tokens: int,
) -> tuple[list[dict[str, Any]], int]:
    """Return the first hits that have at most `tokens` tokens together, and the tokens
    of the first one.
    """
    counter = workspace.counter()
    sizes = []
    for hit in hits:
        text = json.dumps(hit, ensure_ascii=False)
        sizes.append(counter.count(text))
    totals = list(accumulate(sizes))
    fitting = bisect_right(totals, tokens)
    return hits[:fitting], sizes[0]
