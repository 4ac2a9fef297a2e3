"""Ranking of the units of the index for one request."""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Mapping, Sequence
from functools import cache, cached_property
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.knowledge.recall.rank_units import (
    WINDOW,
    RankedUnit,
    Statistics,
    diversify,
    drop_duplicates,
    rank_units,
)
from cuedeck.knowledge.recall.recall_query import (
    has_only_dates,
    local_time,
    named_kind,
    period_of_days,
)
from cuedeck.knowledge.statements.rank_exchanges import KIND, rank_statements, words_of
from cuedeck.ledger.records.record_lookup import superseded_by
from cuedeck.ledger.statement_files import statement_id
from cuedeck.model.entry_node import CORTEX_KIND
from cuedeck.model.recall_values import REMEMBERED

if TYPE_CHECKING:
    from datetime import date

    from cuedeck.knowledge.recall.recall_query import RecallQuery
    from cuedeck.model.recall_values import UnitRow
    from cuedeck.model.settings_schema import RecallSettings
    from cuedeck.store.cache.recall_index import RecallIndex
    from cuedeck.store.cache.unit_filters import Filters
    from cuedeck.store.files.qmd_command import QmdResult


MOST_CANDIDATES = 120
"""Best units by FTS5 that are ranked together with their neighbours; as many as the
request wants, if it wants more.
"""
_DAY_LENGTH = len("2026-11-23")
_REFERENCE_READERS = ("card", "doc", "prose")
"""Readers of files with units that nobody asked to remember."""


class Request(NamedTuple):
    """A question with its filters."""

    text: str
    today: date
    """Local date, from which words such as `yesterday` count."""
    filters: Filters
    limit: int = 0
    offset: int = 0
    tokens: int = 0
    """Limit of the tokens of the printed answer; 0 for none."""
    explain: bool = False
    as_json: bool = False
    """Whether the answer is printed as JSON."""
    places: Sequence[QmdResult] = ()
    """Places that another search found."""


class UnitSearch:
    """The ranking of the units for one query; the caller holds a reading of the
    index.
    """

    def __init__(
        self,
        settings: RecallSettings,
        index: RecallIndex,
        request: Request,
        query: RecallQuery,
    ) -> None:
        self._settings = settings
        self._index = index
        self._today = request.today.isoformat()
        self._query = query
        ids, self.hidden_keys = index.secrets()
        replaced = superseded_by(index.links())
        self._hidden = ids.union(replaced)
        self._asked = request.filters
        self._filters = request.filters
        self._most = max(MOST_CANDIDATES, request.offset + request.limit)
        kind = named_kind(query)
        self._kind = kind if kind in (self._asked.kinds or (kind,)) else ""
        """Kind of ledger entries that the words of the query name, if it has no other
        words: its entries come first, then the units that contain these words.
        """
        self._is_by_date = False
        """Whether the query names days and nothing else: their units come first, then
        those whose text contains the date.
        """
        if query.since and not any(self._asked.period):
            period = period_of_days(query.since, query.until)
            self._on_days = self._asked._replace(period=period)
            self._is_by_date = has_only_dates(query)
            if self._is_by_date and not self._kind:
                self._filters = self._on_days

    def rank(self, candidates: Sequence[int] | None = None) -> list[RankedUnit]:
        """Return the units that match the query and the filters, best first.

        `candidates` are the numbers of the units to rank, which meet the filters; by
        default those that `matched` finds.
        """
        if candidates is not None:
            return self._ranked(candidates)
        ranked = self._ranked(self.matched())
        kinds = self._filters.kinds
        has_statements = "statements" in self._index.readers()
        if self._query.since or not has_statements:
            return ranked
        if kinds and "statement" not in kinds:
            return ranked
        # Many workspaces have no conversations.

        return order_statements(self._index, ranked, self._query.text, self.listed)

    def _ranked(self, matched: Sequence[int]) -> list[RankedUnit]:
        if not matched:
            return []
        rows = self._with_neighbours(matched)
        # A turn may be in the answer because a turn next to it matches.
        turns = [number for number, row in rows.items() if row.speaker]
        matching = self._index.matching(turns, self._filters)
        hits = rows.keys() & {*matched, *matching}
        units = [self._dated(row) for row in rows.values()]
        half_life = self._settings.half_life_days
        ranked = rank_units(self._query, units, self.statistics, half_life, hits)
        if self._is_by_date or self._kind:
            known = {each.row.number for each in ranked}
            ranked += self._unranked(units, hits - known)
        if self._is_by_date:
            ranked.sort(key=self._is_on_another_day)
        if self._kind:
            ranked.sort(key=lambda each: each.row.kind != self._kind)
        ranked = [each for each in ranked if not self._asks(each.row)]
        ranked = drop_duplicates(ranked, set(self._query.content_stems()))
        if self._is_by_date or self._kind:
            return ranked
        return diversify(ranked, self._settings.relevance_share)

    def _with_neighbours(self, matched: Sequence[int]) -> dict[int, UnitRow]:
        """Return the visible units of the windows of some units, by their numbers."""
        wanted: set[int] = set()
        for number in matched:
            wanted.update(range(number - WINDOW, number + WINDOW + 1))
        read = self._index.rows(wanted)
        return {number: row for number, row in read.items() if self._is_visible(row)}

    def _unranked(
        self, units: Sequence[UnitRow], numbers: Collection[int]
    ) -> list[RankedUnit]:
        rest = [row for row in units if row.number in numbers]
        rest.sort(key=lambda row: row.number)
        rest.sort(key=lambda row: row.date, reverse=True)
        part = "kind" if self._kind else "date"
        return [RankedUnit(row, 0, {part: 1}) for row in rest]

    def _asks(self, row: UnitRow) -> bool:
        """Return whether a unit is a question of the user, which answers nothing; a
        search in the cortex tree shows it.
        """
        is_message = row.kind == CORTEX_KIND and row.category == "user"
        return is_message and bool(row.is_question) and not self._asked.below

    def listed(self, numbers: Sequence[int]) -> list[UnitRow]:
        """Return the visible units with these numbers that meet the filters, in this
        order.
        """
        matching = self._index.matching(numbers, self._filters)
        rows = self._index.rows(matching)
        found = [rows[number] for number in numbers if number in matching]
        return [self._dated(row) for row in found if self._is_visible(row)]

    def _is_visible(self, row: UnitRow) -> bool:
        return row.id not in self._hidden and row.key not in self.hidden_keys

    def _dated(self, row: UnitRow) -> UnitRow:
        # Only a query of days needs local dates; others compare times in UTC.
        if not self._query.since:
            return row
        return row._replace(date=local_time(row.date))

    def matched(self) -> list[int]:
        """Return the numbers of the units that contain a word of the query or, if it
        names only days or a kind of ledger entries, that are of these.
        """
        asked = self._asked
        if not self._query.since or any(asked.period):
            return self._of_kind(asked) + self._find(asked)
        if self._kind:
            numbers = self._of_kind(self._on_days) + self._find(self._on_days)
        elif self._is_by_date:
            numbers = self._index.newest(self._on_days, self._most)
            if self._query.has_content():
                numbers += self._find(asked)
        else:
            numbers = self._find(self._on_days) + self._find(asked)
        return list(dict.fromkeys(numbers))

    def _of_kind(self, filters: Filters) -> list[int]:
        if not self._kind:
            return []
        of_kind = filters._replace(kinds=(self._kind,))
        return self._index.newest(of_kind, self._most)

    def _is_on_another_day(self, ranked: RankedUnit) -> bool:
        day = ranked.row.date[:_DAY_LENGTH]
        return not self._query.since <= day <= self._query.until

    def _find(self, filters: Filters) -> list[int]:
        """Return the best units of FTS5; neither hidden units nor docs and cards take
        places of others.
        """
        words = [f'"{term.stem}"' for term in self._query.searched()]
        match = " OR ".join(words)
        if not match:
            return []
        most = self._most + len(self._hidden) + len(self.hidden_keys)
        numbers = self._index.search(match, filters, most)
        if len(numbers) < self._most:
            return numbers
        wanted = filters.kinds or REMEMBERED
        kinds = [kind for kind in REMEMBERED if kind in wanted]
        has_references = not self._index.readers().isdisjoint(_REFERENCE_READERS)
        if kinds and has_references:
            remembered = filters._replace(kinds=tuple(kinds))
            numbers += self._index.search(match, remembered, most)
        return list(dict.fromkeys(numbers))

    @cached_property
    def statistics(self) -> Statistics:
        """The figures over all units."""
        units, words, newest = self._index.totals()
        mean_length = words / units if units else 1.0
        # Reading the number of a frequent word takes as long as a search.
        spread = cache(self._index.spread)
        newest_day = min(local_time(newest)[:10], self._today)
        return Statistics(units, mean_length, spread, newest_day)


_TURN = "turn-summary"
_DECISION = "decision"


def order_statements(
    index: RecallIndex,
    ranked: Sequence[RankedUnit],
    text: str,
    listed: Callable[[Sequence[int]], Iterable[UnitRow]],
) -> list[RankedUnit]:
    """Return the hits of a search for `text` with the statements in the order of their
    exchanges, as for the digest of a prompt.

    Statements take the places of all statements, of the messages of timelines, and of
    summaries of turns; of these, the ones that no statement repeats follow. The
    statement of a decision among the hits is left out. `listed` returns the visible
    units with some numbers that meet the filters of the search.
    """
    texts = {each.row.key for each in ranked if each.row.kind == KIND}
    if not texts:
        return list(ranked)
    best: dict[int, float] = {}
    for exchange in rank_statements(index, words_of(text)):
        best.update(dict.fromkeys(exchange.numbers, exchange.score))
    said = {each.row.number: each for each in ranked if _is_said(each.row)}
    new = [number for number in best if number not in said]
    found = dict(said)
    for row in listed(new):
        found[row.number] = RankedUnit(row, 0, {})
    order = [number for number in best if number in found]
    order += [number for number, hit in said.items() if hit.row.kind == KIND]
    order += [number for number, hit in said.items() if hit.row.key not in texts]
    decisions = [hit.row.id for hit in ranked if hit.row.kind == _DECISION]
    following = []
    for number in dict.fromkeys(order):
        if not _repeats_decision(found[number].row, decisions):
            following.append(found[number])
    return _fill(ranked, said, following, best)


def _fill(
    ranked: Sequence[RankedUnit],
    said: Container[int],
    following: list[RankedUnit],
    best: Mapping[int, float],
) -> list[RankedUnit]:
    """Return the hits, those in `said` replaced by the following ones in order; the
    rest of these comes last.
    """
    answer = []
    for hit in ranked:
        if hit.row.number not in said:
            answer.append(hit)
        elif following:
            answer.append(_placed(following.pop(0), hit.score, best))
    last = ranked[-1].score
    return answer + [_placed(hit, last, best) for hit in following]


def _repeats_decision(row: UnitRow, decisions: Iterable[str]) -> bool:
    if row.category != _DECISION:
        return False
    keys = [f"{_DECISION}:{each}" for each in decisions]
    return row.id in [statement_id(row.session, "tool", key) for key in keys]


def _is_said(row: UnitRow) -> bool:
    is_message = row.kind == CORTEX_KIND and row.session != ""
    return row.kind == KIND or is_message or row.category == _TURN


def _placed(hit: RankedUnit, score: int, best: Mapping[int, float]) -> RankedUnit:
    parts = dict(hit.parts)
    if hit.row.number in best:
        parts["exchange"] = best[hit.row.number]
    return hit._replace(score=score, parts=parts)
