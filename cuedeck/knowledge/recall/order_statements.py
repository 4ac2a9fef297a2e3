"""Order of the statements of conversations among the hits of a search."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
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
    rows = {each.row.number: each.row for each in ranked}
    texts = {row.key for row in rows.values() if row.kind == KIND}
    if not texts:
        return list(ranked)
    best = _best(index, text)
    said = {}
    for hit in ranked:
        if _is_said(rows[hit.row.number]):
            said[hit.row.number] = hit
    found = dict(said)
    for row in listed([number for number in best if number not in said]):
        found[row.number] = RankedUnit(row, 0, {})
    order = [number for number in best if number in found]
    order += [number for number in said if rows[number].kind == KIND]
    order += [number for number in said if rows[number].key not in texts]
    repeated = _statements_of_decisions(ranked, found.values())
    following = [
        found[number] for number in dict.fromkeys(order) if number not in repeated
    ]
    return _fill(
        ranked,
        said,
        following,
        best,
    )


def _best(index: RecallIndex, text: str) -> dict[int, float]:
    """Return the best statements of the exchanges about a text with their scores, best
    first.
    """
    best: dict[int, float] = {}
    for exchange in rank_statements(index, words_of(text)):
        best.update(dict.fromkeys(exchange.numbers, exchange.score))
    return best


def _statements_of_decisions(
    hits: Sequence[RankedUnit], said: Iterable[RankedUnit]
) -> set[int]:
    """Return the numbers of the statements that repeat a decision among the hits."""
    decisions = [hit.row.id for hit in hits if hit.row.kind == _DECISION]
    found = set()
    for row in (each.row for each in said if each.row.category == _DECISION):
        for entry in decisions:
            if row.id == statement_id(row.session, "tool", f"{_DECISION}:{entry}"):
                found.add(row.number)
    return found


def _fill(
    ranked: Sequence[RankedUnit],
    said: Collection[int],
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


def _is_said(row: UnitRow) -> bool:
    is_message = row.kind == CORTEX_KIND and row.session != ""
    return row.kind == KIND or is_message or row.category == _TURN


def _placed(hit: RankedUnit, score: int, best: Mapping[int, float]) -> RankedUnit:
    """Return a hit with the score of its place, and that of its exchange as a part."""
    exchange = best.get(hit.row.number)
    if exchange is None:
        return hit._replace(score=score)
    return hit._replace(score=score, parts={**hit.parts, "exchange": exchange})
