"""Search of the index for one request: candidates, their order, and the answer."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date
from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple

from cuedeck.app.recall.recall_answer import make_hit
from cuedeck.app.recall.search_period import local_time, period_of_days
from cuedeck.app.recall.units_of_results import units_of_results
from cuedeck.model.errors import Invalid
from cuedeck.model.recall_values import LONG_MEMORY
from cuedeck.model.record_categories import category_of
from cuedeck.records.recall.diversity import diversify, drop_duplicates
from cuedeck.records.recall.fuse_rankings import fuse
from cuedeck.records.recall.rank_units import rank_units
from cuedeck.records.recall.recall_candidate import Candidate, RankedUnit, Statistics
from cuedeck.records.recall.recall_query import RecallQuery, parse_query
from cuedeck.records.recall.unit_points import WINDOW
from cuedeck.records.supersession import superseded_by
from cuedeck.store.memory.memory_files import PRIMARY

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace
    from cuedeck.parse.qmd_results import QmdResult
    from cuedeck.store.cache.recall_index import Filters, RecallIndex, UnitRow

MOST_CANDIDATES = 200
"""Best units by FTS5 that are ranked together with their neighbours."""
_DAY_LENGTH = len("2026-11-23")
_LONGEST_NAMED = 60
"""Characters of a query that an error contains."""
_EVERGREEN = frozenset(
    (
        "user",
        LONG_MEMORY,
        "decision",
        "assumption",
        "card",
        "doc",
    )
)
"""Kinds of units whose age does not matter."""


class Request(NamedTuple):
    """A question with its filters."""

    text: str
    today: date
    """Local date, from which words such as `yesterday` count."""
    filters: Filters
    limit: int
    offset: int
    tokens: int
    """Limit of the tokens of all hits together; 0 for none."""
    explain: bool
    places: tuple[QmdResult, ...] = ()
    """Places that another search found."""


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
        search = _Search(workspace, index, request, query)
        ranked = search.rank()
        if request.places:
            ranked = search.fuse(ranked, request.places)
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


class Ranking(NamedTuple):
    """The units that match a request, best first, and what ranked them."""

    query: RecallQuery
    statistics: Statistics
    ranked: list[RankedUnit]


def rank_request(
    workspace: Workspace,
    index: RecallIndex,
    request: Request,
) -> Ranking:
    """Return the ranking for a request; the caller holds a reading of the index."""
    query = parse_query(request.text, request.today, workspace.settings.recall)
    search = _Search(workspace, index, request, query)
    return Ranking(query, search.statistics(), search.rank())


class _Search:
    """The ranking of the units for one query."""

    def __init__(
        self,
        workspace: Workspace,
        index: RecallIndex,
        request: Request,
        query: RecallQuery,
    ) -> None:
        self._workspace = workspace
        self._settings = workspace.settings.recall
        self._index = index
        self._today = request.today.isoformat()
        self._query = query
        secrets = index.secrets()
        superseded = superseded_by(index.links()).keys()
        self._hidden = superseded | secrets.ids
        self._hidden_keys = secrets.keys
        self._filters = request.filters
        self._paths = index.paths()
        self._is_by_date = False
        """Whether the query names days and nothing else: their units come first, then
        those whose text contains the date.
        """
        if query.since and not request.filters.period.is_limited:
            self._is_by_date = _has_only_dates(query)
        self._unmatched: Sequence[int] = ()
        """Units of the days that the query names, if none of them matches."""

    def rank(self) -> list[RankedUnit]:
        """Return the units that match the query and the filters, best first."""
        matched = self._matched()
        rows = self._index.rows(_with_neighbours(matched))
        visible = {number: row for number, row in rows.items() if self._is_visible(row)}
        candidates = [self._candidate(row) for row in visible.values()]
        ranked = rank_units(self._query, candidates, self.statistics(), self._settings)
        if self._is_by_date:
            ranked += _unranked(candidates, ranked)
            ranked.sort(key=self._is_on_another_day)
        found = frozenset(matched)
        ranked = [each for each in ranked if self._is_hit(each.candidate, rows, found)]
        ranked = drop_duplicates(self._in_first_files(ranked, visible))
        if self._settings.diversity and not self._is_by_date:
            ranked = diversify(ranked, self._settings.relevance_share)
        return ranked + self._of_unmatched_days(ranked)

    def _of_unmatched_days(self, ranked: Iterable[RankedUnit]) -> list[RankedUnit]:
        """Return the units of the days that the query names, newest first, if none of
        them matches its other words.
        """
        rows = self._index.rows(self._unmatched).values()
        candidates = [self._candidate(row) for row in rows if self._is_visible(row)]
        return drop_duplicates(_unranked(candidates, ranked))

    def fuse(
        self, ranked: list[RankedUnit], places: Sequence[QmdResult]
    ) -> list[RankedUnit]:
        """Return the ranking joined with the visible units at the places of qmd."""
        numbers = units_of_results(self._workspace, self._index, places)
        rows = self._index.rows(numbers)
        found = []
        for number in numbers:
            row = rows[number]
            if self._is_visible(row) and self._filters.match(row):
                found.append(self._candidate(row))
        return fuse(ranked, found)

    def _is_visible(self, row: UnitRow) -> bool:
        """Return whether a unit is neither hidden nor a copy of a secret record."""
        if row.id and row.id in self._hidden:
            return False
        return row.key not in self._hidden_keys

    def _candidate(self, row: UnitRow) -> Candidate:
        # Only a query of days needs local dates; others compare times in UTC.
        date = local_time(row.date) if self._query.since else row.date
        return Candidate(
            row.number,
            row.stems.split(" "),
            self._paths[row.file],
            date,
            row.kind in _EVERGREEN or category_of(row.category).is_protected,
            row.speaker,
            row.session,
            bool(row.is_question),
        )

    def _is_hit(
        self,
        candidate: Candidate,
        rows: Mapping[int, UnitRow],
        matched: Collection[int],
    ) -> bool:
        """Return whether a unit may be in the answer: it matches, or it is a turn of a
        conversation next to a match.
        """
        number = candidate.number
        if number in matched:
            return True
        if not candidate.speaker or not self._settings.window:
            return False
        return self._filters.match(rows[number])

    def _matched(self) -> list[int]:
        """Return the numbers of the units that contain a word of the query or, if it
        names only days, that are of these days.
        """
        query = self._query
        terms = query.terms
        if query.has_content():
            terms = tuple(term for term in terms if term.origin != "stop")
        quoted = [f'"{term.stem}"' for term in terms]
        match = " OR ".join(quoted)
        if not query.since or self._filters.period.is_limited:
            return self._find(match, self._filters)
        period = period_of_days(query.since, query.until)
        on_days = self._filters._replace(period=period)
        if self._is_by_date:
            numbers = self._index.newest(on_days, MOST_CANDIDATES)
            if query.has_content():
                numbers += self._find(match, self._filters)
            self._filters = on_days
        else:
            numbers = self._find(match, on_days)
            if not numbers:
                self._unmatched = self._index.newest(on_days, MOST_CANDIDATES)
            numbers += self._find(match, self._filters)
        return list(dict.fromkeys(numbers))

    def _is_on_another_day(self, ranked: RankedUnit) -> bool:
        """Return whether a unit is not of the days that the query names."""
        day = ranked.candidate.date[:_DAY_LENGTH]
        return not self._query.since <= day <= self._query.until

    def _find(self, match: str, filters: Filters) -> list[int]:
        """Return the best units of FTS5; hidden units do not take places of others."""
        if not match:
            return []
        most = MOST_CANDIDATES
        while True:
            numbers = self._index.search(match, filters, most)
            if len(numbers) < most or not (self._hidden or self._hidden_keys):
                return numbers
            rows = self._index.rows(numbers)
            visible = [row for row in rows.values() if self._is_visible(row)]
            if len(visible) >= MOST_CANDIDATES:
                return numbers
            most *= 4

    def statistics(self) -> Statistics:
        """Return the figures over all units."""
        units, words, newest = self._index.totals()
        stems = [term.stem for term in self._query.terms]
        mean_length = 1.0
        if units:
            mean_length = words / units
        newest_day = local_time(newest)[:10]
        return Statistics(
            units,
            mean_length,
            self._index.spread(stems),
            min(newest_day, self._today),
        )

    def _in_first_files(
        self,
        ranked: list[RankedUnit],
        rows: Mapping[int, UnitRow],
    ) -> list[RankedUnit]:
        """Return the ranking with each record of several files named by its place in
        MEMORY.md, else in a daily log.
        """
        first: dict[str, UnitRow] = {}
        for row in sorted(rows.values(), key=self._file_order):
            first.setdefault(row.id, row)
        found = []
        for each in ranked:
            row = rows[each.candidate.number]
            best = row
            if row.kind == "record" and row.id:
                best = first[row.id]
            if best is not row and best.stems == row.stems:
                each = each._replace(candidate=self._candidate(best))
            found.append(each)
        return found

    def _file_order(self, row: UnitRow) -> tuple[int, int]:
        name = self._paths[row.file].rpartition("/")[2]
        if name == PRIMARY:
            return 0, row.number
        return 1 if name[:1].isdigit() else 2, row.number


def _has_only_dates(query: RecallQuery) -> bool:
    """Return whether every word of a query, except stop words, is part of a date."""
    named = " ".join(query.dates)
    words = [term.word for term in query.terms if term.origin == "word"]
    return all(word in named for word in words)


def _with_neighbours(numbers: Iterable[int]) -> set[int]:
    steps = range(-WINDOW, WINDOW + 1)
    return {number + step for number in numbers for step in steps}


def _unranked(
    candidates: Iterable[Candidate],
    ranked: Iterable[RankedUnit],
) -> list[RankedUnit]:
    """Return the candidates of named days that have no score, newest first."""
    known = {each.candidate.number for each in ranked}
    rest = [each for each in candidates if each.number not in known]
    rest.sort(key=lambda each: each.number)
    rest.sort(key=lambda each: each.date, reverse=True)
    return [RankedUnit(each, 0, {"date": 1}) for each in rest]


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
