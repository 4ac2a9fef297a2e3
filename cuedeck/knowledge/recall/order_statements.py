"""Order of the statements of conversations among the hits of a search."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from cuedeck.knowledge.recall.rank_units import RankedUnit
from cuedeck.knowledge.statements.rank_exchanges import KIND, rank_statements, words_of
from cuedeck.ledger.statement_files import statement_id
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
