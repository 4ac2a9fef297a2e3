"""Order of the statements of conversations among the hits of a search."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from cuedeck.knowledge.recall.recall_candidate import Candidate, RankedUnit
from cuedeck.knowledge.statements.rank_exchanges import KIND, rank_statements, words_of
from cuedeck.ledger.statements.statement_rows import statement_id
from cuedeck.model.entry_node import CORTEX_KIND

if TYPE_CHECKING:
    from cuedeck.model.recall_values import UnitRow
    from cuedeck.store.cache.recall_index import RecallIndex

_TURN = "turn-summary"
_DECISION = "decision"


def order_statements(
    index: RecallIndex,
    ranked: Sequence[RankedUnit],
    text: str,
    listed: Callable[[Sequence[int]], Iterable[Candidate]],
) -> list[RankedUnit]:
    """Return the hits of a search for `text` with the statements in the order of their
    exchanges, as for the digest of a prompt.

    Statements take the places of all statements, of the messages of timelines, and
    of summaries of turns; of these, the ones that no statement repeats follow. A
    decision among the hits replaces its statement. `listed` returns the visible units
    with some numbers that meet the filters of the search.
    """
    rows = index.rows([each.candidate.number for each in ranked])
    texts = {row.key for row in rows.values() if row.kind == KIND}
    if not texts:
        return list(ranked)
    best = _best(index, text)
    hits = {hit.candidate.number: hit for hit in ranked}
    said = {}
    for number, hit in hits.items():
        if _is_said(rows[number]):
            said[number] = hit
    order = _in_order(said, rows, best, listed)
    decisions = _decisions(index, rows, best)
    for at, each in enumerate(order):
        number = each.candidate.number
        if number in decisions:
            entry = decisions[number]
            order[at] = hits[entry]
    answer = _fill(ranked, said, order, best)
    once: dict[int, RankedUnit] = {}
    for hit in answer:
        number = hit.candidate.number
        once.setdefault(number, hit)
    return list(once.values())


def _fill(
    ranked: Sequence[RankedUnit],
    said: Collection[int],
    order: Sequence[RankedUnit],
    best: Mapping[int, float],
) -> list[RankedUnit]:
    """Return the hits, those in `said` replaced by the next ones in order; the rest of
    these follows.
    """
    answer = []
    following = list(order)
    score = 1
    for hit in ranked:
        score = hit.score
        filling = hit
        if hit.candidate.number in said:
            if not following:
                continue
            filling = following.pop(0)
        placed = _placed(filling, score, best)
        answer.append(placed)
    for each in following:
        placed = _placed(each, score, best)
        answer.append(placed)
    return answer


def _is_said(row: UnitRow) -> bool:
    """Return whether a unit repeats the words of a conversation."""
    is_message = row.kind == CORTEX_KIND and row.session != ""
    return row.kind == KIND or is_message or row.category == _TURN


def _best(index: RecallIndex, text: str) -> dict[int, float]:
    """Return the best statements of the exchanges about a text with their scores, best
    first.
    """
    best = {}
    for exchange in rank_statements(index, words_of(text)):
        best.update(dict.fromkeys(exchange.numbers, exchange.score))
    return best


def _decisions(
    index: RecallIndex, hits: Mapping[int, UnitRow], best: Iterable[int]
) -> dict[int, int]:
    """Return the numbers of the decisions among the hits by those of their statements,
    which have the same time. `best` are the numbers of more statements.
    """
    entries: dict[str, list[UnitRow]] = {}
    for row in hits.values():
        if row.kind == _DECISION:
            same_time = entries.setdefault(row.date, [])
            same_time.append(row)
    if not entries:
        return {}
    found = {}
    further = [number for number in best if number not in hits]
    rows = {**hits, **index.rows(further)}
    for row in rows.values():
        kinds = (row.kind, row.category, row.speaker)
        if kinds != (KIND, _DECISION, "tool"):
            continue
        for entry in entries.get(row.date, ()):
            key = f"{_DECISION}:{entry.id}"
            identity = statement_id(row.session, row.speaker, key)
            if row.id == identity:
                found[row.number] = entry.number
    return found


def _in_order(
    said: Mapping[int, RankedUnit],
    rows: Mapping[int, UnitRow],
    best: Mapping[int, float],
    listed: Callable[[Sequence[int]], Iterable[Candidate]],
) -> list[RankedUnit]:
    """Return the best statements, the other ones, then what none of them repeats."""
    missing = [number for number in best if number not in said]
    found = dict(said)
    for candidate in listed(missing):
        found[candidate.number] = RankedUnit(candidate, 0, {})
    texts = {row.key for row in rows.values() if row.kind == KIND}
    order = [number for number in best if number in found]
    order += [number for number in said if rows[number].kind == KIND]
    for number in said:
        row = rows[number]
        if row.kind != KIND and row.key not in texts:
            order.append(number)
    return [found[number] for number in dict.fromkeys(order)]


def _placed(hit: RankedUnit, score: int, best: Mapping[int, float]) -> RankedUnit:
    """Return a hit with the score of its place, and that of its exchange as a part."""
    exchange = best.get(hit.candidate.number)
    if exchange is None:
        return hit._replace(score=score)
    return hit._replace(score=score, parts={**hit.parts, "exchange": exchange})
