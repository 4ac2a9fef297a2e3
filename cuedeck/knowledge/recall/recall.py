"""One search over everything that holds knowledge."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from typing import TYPE_CHECKING

from cuedeck.knowledge.dreaming.count_recalls import count_answer
from cuedeck.knowledge.recall.rank_request import Request, UnitSearch
from cuedeck.knowledge.recall.rank_units import RankedUnit
from cuedeck.knowledge.recall.recall_answer import (
    answer_text,
    json_text,
    make_hit,
    no_match,
)
from cuedeck.knowledge.recall.recall_query import parse_query, search_period
from cuedeck.knowledge.recall.sync_index import with_index
from cuedeck.model.errors import Invalid, UsageError
from cuedeck.model.formatting import abbreviate, replace_surrogates
from cuedeck.parse.literal_query import literal_pattern, read_literal
from cuedeck.store.cache.unit_filters import Filters
from cuedeck.store.clock import zoned_now
from cuedeck.text.fold_text import fold_text
from cuedeck.text.plain_text import is_blank

__all__ = ["answer_text", "no_match", "recall"]

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.model.ports import Json
    from cuedeck.store.cache.recall_index import RecallIndex

_MOST_HITS = 500
"""Largest number of hits of one answer."""
_LEAST_TOKENS = 10
"""Fewest tokens of a printed hit."""


def recall(
    workspace: Workspace,
    text: str,
    *,
    since: str = "",
    until: str = "",
    kinds: Sequence[str] = (),
    category: str = "",
    session: str = "",
    below: str = "",
    limit: int = 0,
    offset: int = 0,
    tokens: int = 0,
    explain: bool = False,
    as_json: bool = False,
) -> Json:
    """Return the units that match a query, best first.

    `since` and `until` are days or ages as in `card list`; `below` is the path of the
    file or folder to search; `tokens` limits the size of the printed answer, as JSON or
    as text, 0 for no limit; `limit` 0 means as many hits as fit, else the limit of the
    settings. Secret and superseded records are
    never returned. The hits are counted for dreaming.

    A workspace that stays open keeps its last valid settings while `config.toml` is
    invalid; a note says so. Raises: UsageError for an empty query and for dates that
    are no period, Invalid for a query without words, ConfigurationError, StorageError,
    Stale.
    """
    if is_blank(text):
        raise UsageError("the query is empty", hint="give words to search for")
    settings_notes = workspace.refresh_for_recall()
    text = replace_surrogates(text.strip())
    now = zoned_now()
    period = search_period(since, until, now)
    fitting = min(-(-tokens // _LEAST_TOKENS), _MOST_HITS)
    request = Request(
        text,
        now.date(),
        Filters(tuple(kinds), category, session, period, below),
        limit or fitting or workspace.settings.recall.limit,
        offset,
        tokens,
        explain,
        as_json,
    )
    qmd_note = ""
    if workspace.settings.memory.backend != "builtin":
        # Few users have chosen another search.
        from cuedeck.knowledge.recall.qmd_search import search_qmd

        places, qmd_note = search_qmd(workspace, request.text)
        request = request._replace(places=places)

    def search(index: RecallIndex, notes: Sequence[str]) -> Json:
        answer = search_units(workspace, index, request)
        return {**answer, "notes": [*answer["notes"], *notes]}

    answer = with_index(workspace, search)
    count_answer(workspace, text, answer["hits"], request.today)
    notes = [*answer["notes"], *settings_notes, qmd_note]
    return {**answer, "notes": list(filter(None, notes))}


_MOST_READ = 200
"""Units in which a literal is searched for."""
_JOINED = re.compile(r"\w+(?:[^\w\s'’]+\w+)+")
_LONGEST_END = '; cursor "100"'
"""Longest end of the last line of an answer with a limit of tokens."""


def search_units(workspace: Workspace, index: RecallIndex, request: Request) -> Json:
    """Return the JSON of the answer to a request.

    Raises: Invalid for a query without words.
    """
    query = parse_query(request.text, request.today, workspace.settings.recall.synonyms)
    if not query.terms:
        raise Invalid(
            f"`{abbreviate(request.text)}` contains no word to search for",
            hint="give words, numbers or emoji",
        )
    with index.reading():
        search = UnitSearch(workspace.settings.recall, index, request, query)
        ranked = search.rank()
        if request.places:
            # Only qmd names places.
            from cuedeck.knowledge.recall.qmd_search import fuse_results

            ranked = fuse_results(
                workspace.paths,
                workspace.settings,
                index,
                search,
                ranked,
                request.places,
            )
        literal = read_literal(request.text)
        if literal == request.text.strip() and not _JOINED.fullmatch(literal):
            literal = ""  # neither quoted nor a word with punctuation in it
        ranked, notes = _exact_first(index, ranked, literal)
        shown = ranked[request.offset : request.offset + request.limit]
        units = index.units([each.row.number for each in shown])
    citations = workspace.settings.recall.citations
    hits = [
        make_hit(
            *units[each.row.number],
            each,
            query,
            citations=citations,
            explain=request.explain,
        )
        for each in shown
    ]
    if query.is_cut:
        notes.append(f"only the first {len(query.text):,} characters were searched")
    period = request.filters.period
    answer = {
        "query": query.text if query.is_cut else request.text,
        "hits": hits,
        "total": len(ranked),
        "since": period.first or query.since,
        "until": period.last or query.until,
        "left_out": max(0, len(ranked) - request.offset - len(hits)),
        "notes": notes,
    }
    if not request.tokens or not hits:
        return answer
    return _fitting(workspace, answer, request)


def _exact_first(
    index: RecallIndex, ranked: list[RankedUnit], literal: str
) -> tuple[list[RankedUnit], list[str]]:
    """Return ranked units, those that contain a literal first, and a note if none
    does.
    """
    if not literal or not ranked:
        return ranked, []
    pattern = literal_pattern(literal)
    read = index.units([each.row.number for each in ranked[:_MOST_READ]])
    exact = {
        number
        for number, (_, unit) in read.items()
        if pattern.search(fold_text(f"{unit.title}\n{unit.text}"))
    }
    if not exact:
        return ranked, [f"no hit contains `{abbreviate(literal)}`, only parts of it"]
    return sorted(ranked, key=lambda each: each.row.number not in exact), []


def _fitting(workspace: Workspace, answer: Json, request: Request) -> Json:
    counter = workspace.counter()
    hits = answer["hits"]

    def first(count: int) -> Json:
        left_out = answer["left_out"] + len(hits) - count
        return {**answer, "hits": hits[:count], "left_out": left_out}

    def printed(count: int) -> str:
        if request.as_json:
            return json_text(first(count))
        return answer_text(workspace, first(count), _LONGEST_END)

    def is_long(count: int) -> bool:
        return counter.count(printed(count)) > request.tokens

    counts = range(1, len(hits) + 1)
    shown = first(bisect_left(counts, True, key=is_long))
    if not shown["hits"]:
        needed = counter.count(printed(1))
        limit = f"more than the limit of {request.tokens:,}"
        note = f"the best hit has {needed:,} tokens, {limit}"
        shown["notes"] = [*answer["notes"], note]
    return shown
