"""Ranking of the units of the index for one request."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.knowledge.recall.recall_candidate import (
    WINDOW,
    Candidate,
    RankedUnit,
    Statistics,
    drop_duplicates,
)
from cuedeck.knowledge.recall.recall_query import has_only_dates, named_kind
from cuedeck.knowledge.recall.search_period import local_time, period_of_days
from cuedeck.model.entry_node import CORTEX_KIND
from cuedeck.model.recall_values import LONG_MEMORY, REFERENCES, REMEMBERED
from cuedeck.text.words import stem_key

if TYPE_CHECKING:
    from datetime import date

    from cuedeck.engine.workspace import Workspace
    from cuedeck.knowledge.recall.recall_query import RecallQuery
    from cuedeck.model.recall_values import UnitRow
    from cuedeck.store.cache.recall_index import RecallIndex
    from cuedeck.store.cache.unit_filters import Filters
    from cuedeck.store.files.qmd_command import QmdResult

MOST_CANDIDATES = 120
"""Best units by FTS5 that are ranked together with their neighbours; as many as the
request wants, if it wants more.
"""
_DAY_LENGTH = len("2026-11-23")
_EVERGREEN = frozenset(("user", LONG_MEMORY, "decision", "assumption", "card", "doc"))
"""Kinds of units whose age does not matter."""
_REFERENCE_READERS = ("card", "doc", "prose")
"""Readers of files with units that nobody asked to remember."""
_STATEMENTS = frozenset(("record", "log", LONG_MEMORY))
"""Kinds of units that are equal if their texts are, whatever the headings above them.
Those of docs, cards and the cortex tree may name the subject of a text.
"""


class Request(NamedTuple):
    """A question with its filters."""

    text: str
    today: date
    """Local date, from which words such as `yesterday` count."""
    filters: Filters
    limit: int
    offset: int
    tokens: int
    """Limit of the tokens of the printed answer; 0 for none."""
    explain: bool
    as_json: bool = False
    """Whether the answer is printed as JSON."""
    places: tuple[QmdResult, ...] = ()
    """Places that another search found."""


class UnitCounts(dict[str, int]):
    """Number of units that contain a stem, read on demand.

    Reading the number of a frequent word takes as long as a search, and most searches
    do not need that of every word.
    """

    def __init__(self, read: Callable[[str], int]) -> None:
        super().__init__()
        self._read = read

    def __missing__(self, stem: str) -> int:
        count = self[stem] = self._read(stem)
        return count


class UnitSearch:
    """The ranking of the units for one query; the caller holds a reading of the
    index.
    """

    def __init__(
        self,
        workspace: Workspace,
        index: RecallIndex,
        request: Request,
        query: RecallQuery,
    ) -> None:
        self._settings = workspace.settings.recall
        self._index = index
        self._today = request.today.isoformat()
        self._query = query
        secrets = index.secrets()
        self._hidden = _superseded_ids(index) | secrets.ids
        self.hidden_keys = secrets.keys
        """Keys of the texts of secret records."""
        self._filters = request.filters
        self._most = max(MOST_CANDIDATES, request.offset + request.limit)
        self._paths = index.paths()
        self._is_by_date = False
        """Whether the query names days and nothing else: their units come first, then
        those whose text contains the date.
        """
        if query.since and not request.filters.period.is_limited:
            self._is_by_date = has_only_dates(query)
        self._kind = ""
        """Kind of ledger entries that the words of the query name, if it has no other
        words: its entries come first, then the units that contain these words.
        """

    def rank(self, candidates: Sequence[int] | None = None) -> list[RankedUnit]:
        """Return the units that match the query and the filters, best first.

        `candidates` are the numbers of the units to rank, which meet the filters; by
        default those that `matched` finds.
        """
        if candidates is not None:
            return self._ranked(candidates)
        ranked = self._ranked(self.matched())
        if self._query.since or not self._has_statements():
            return ranked
        # Many workspaces have no conversations.
        from cuedeck.knowledge.recall.order_statements import order_statements

        text = self._query.text
        return order_statements(self._index, ranked, text, self.listed)

    def _has_statements(self) -> bool:
        kinds = self._filters.kinds
        if kinds and "statement" not in kinds:
            return False
        return "statements" in self._index.readers()

    def _ranked(self, matched: Sequence[int]) -> list[RankedUnit]:
        if not matched:
            return []
        rows = self._index.rows(_with_neighbours(matched))
        visible = self._visible(rows)
        hits = visible.keys() & set(matched)
        if self._settings.window:
            hits |= self._turns(visible.values())
        candidates = [self._candidate(row) for row in visible.values()]
        # Most searches of hooks rank nothing.
        from cuedeck.knowledge.recall.rank_units import diversify, rank_units

        ranked = rank_units(
            self._query, candidates, self.statistics, self._settings, hits
        )
        is_list = self._is_by_date or bool(self._kind)
        if is_list:
            of_hits = [each for each in candidates if each.number in hits]
            part = "kind" if self._kind else "date"
            ranked += _unranked(of_hits, ranked, part)
        if self._is_by_date:
            ranked.sort(key=self._is_on_another_day)
        if self._kind:
            kinds = {row.number: row.kind for row in visible.values()}
            ranked.sort(key=lambda each: kinds[each.candidate.number] != self._kind)
        ranked = [each for each in ranked if not self._asks(visible, each)]
        ranked = drop_duplicates(ranked, set(self._query.content_stems()))
        if self._settings.diversity and not is_list:
            ranked = diversify(ranked, self._settings.relevance_share)
        return ranked

    def _asks(self, rows: Mapping[int, UnitRow], ranked: RankedUnit) -> bool:
        """Return whether a unit is a question of the user, which answers nothing; a
        search in the cortex tree shows it.
        """
        row = rows[ranked.candidate.number]
        is_message = row.kind == CORTEX_KIND and row.category == "user"
        return is_message and bool(row.is_question) and not self._filters.below

    def listed(self, numbers: Sequence[int]) -> list[Candidate]:
        """Return the visible units with these numbers that meet the filters, in this
        order.
        """
        rows = self._index.rows(numbers)
        found = []
        for number in numbers:
            row = rows[number]
            if self._is_visible(row) and self._filters.match(row):
                found.append(self._candidate(row))
        return found

    def _visible(self, rows: Mapping[int, UnitRow]) -> Mapping[int, UnitRow]:
        if not self._hidden and not self.hidden_keys:
            return rows
        return {number: row for number, row in rows.items() if self._is_visible(row)}

    def _is_visible(self, row: UnitRow) -> bool:
        if row.id and row.id in self._hidden:
            return False
        return row.key not in self.hidden_keys

    def _candidate(self, row: UnitRow) -> Candidate:
        # Only a query of days needs local dates; others compare times in UTC.
        date = local_time(row.date) if self._query.since else row.date
        stems = row.stems.split(" ")
        key = row.key if row.kind in _STATEMENTS else stem_key(stems)
        return Candidate(
            row.number,
            key,
            stems,
            self._paths[row.file],
            date,
            _is_evergreen(row),
            row.speaker,
            row.session,
            bool(row.is_question),
            _is_reference(row),
        )

    def _turns(self, rows: Iterable[UnitRow]) -> set[int]:
        """Return the numbers of the turns of conversations that meet the filters: they
        may be in the answer because a turn next to them matches.
        """
        return {row.number for row in rows if row.speaker and self._filters.match(row)}

    def matched(self) -> list[int]:
        """Return the numbers of the units that contain a word of the query or, if it
        names only days or a kind of ledger entries, that are of these.
        """
        query = self._query
        kind = named_kind(query)
        if kind and kind in (self._filters.kinds or (kind,)):
            self._kind = kind
        terms = query.terms
        if query.has_content():
            terms = query.without_stop_words().terms
        quoted = [f'"{term.stem}"' for term in terms]
        match = " OR ".join(quoted)
        if not query.since or self._filters.period.is_limited:
            return self._of_kind(self._filters) + self._find(match, self._filters)
        period = period_of_days(query.since, query.until)
        on_days = self._filters._replace(period=period)
        if self._kind:
            numbers = self._of_kind(on_days) + self._find(match, on_days)
        elif self._is_by_date:
            numbers = self._index.newest(on_days, self._most)
            if query.has_content():
                numbers += self._find(match, self._filters)
            self._filters = on_days
        else:
            numbers = self._find(match, on_days) + self._find(match, self._filters)
        return list(dict.fromkeys(numbers))

    def _of_kind(self, filters: Filters) -> list[int]:
        if not self._kind:
            return []
        of_kind = filters._replace(kinds=(self._kind,))
        return self._index.newest(of_kind, self._most)

    def _is_on_another_day(self, ranked: RankedUnit) -> bool:
        day = ranked.candidate.date[:_DAY_LENGTH]
        return not self._query.since <= day <= self._query.until

    def _find(self, match: str, filters: Filters) -> list[int]:
        """Return the best units of FTS5; neither hidden units nor docs and cards take
        places of others.
        """
        if not match:
            return []
        numbers = self._find_visible(match, filters)
        if len(numbers) < self._most:
            return numbers
        kinds = [kind for kind in REMEMBERED if kind in (filters.kinds or REMEMBERED)]
        has_references = not self._index.readers().isdisjoint(_REFERENCE_READERS)
        if kinds and has_references:
            remembered = filters._replace(kinds=tuple(kinds))
            numbers += self._find_visible(match, remembered)
        return list(dict.fromkeys(numbers))

    def _find_visible(self, match: str, filters: Filters) -> list[int]:
        """Return the best units of FTS5; hidden units do not take places of others."""
        most = self._most
        while True:
            numbers = self._index.search(match, filters, most)
            if len(numbers) < most or not (self._hidden or self.hidden_keys):
                return numbers
            rows = self._index.rows(numbers)
            visible = [row for row in rows.values() if self._is_visible(row)]
            if len(visible) >= self._most:
                return numbers
            most *= 4

    @cached_property
    def statistics(self) -> Statistics:
        """The figures over all units."""
        units, words, newest = self._index.totals()
        mean_length = 1.0
        if units:
            mean_length = words / units
        newest_day = local_time(newest)[:10]
        return Statistics(
            units,
            mean_length,
            UnitCounts(self._index.spread),
            min(newest_day, self._today),
        )


def _superseded_ids(index: RecallIndex) -> frozenset[str]:
    links = index.links()
    if not links:
        return frozenset()
    # Many memories have no such record.
    from cuedeck.ledger.records.record_lookup import superseded_by

    return frozenset(superseded_by(links))


def _with_neighbours(numbers: Iterable[int]) -> set[int]:
    steps = range(-WINDOW, WINDOW + 1)
    return {number + step for number in numbers for step in steps}


def _unranked(
    candidates: Iterable[Candidate], ranked: Iterable[RankedUnit], part: str
) -> list[RankedUnit]:
    """Return the candidates of a list that have no score, newest first; `part` is the
    part of their score that names the list.
    """
    known = {each.candidate.number for each in ranked}
    rest = [each for each in candidates if each.number not in known]
    rest.sort(key=lambda each: each.number)
    rest.sort(key=lambda each: each.date, reverse=True)
    return [RankedUnit(each, 0, {part: 1}) for each in rest]


def _is_reference(row: UnitRow) -> bool:
    is_resource = row.kind == CORTEX_KIND and not row.category
    return is_resource or row.kind in REFERENCES


def _is_evergreen(row: UnitRow) -> bool:
    if row.kind == CORTEX_KIND:
        return not row.id
    return row.kind in _EVERGREEN or bool(row.is_evergreen)
